// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Section 1.9: what the language leaves out of C99, each with its message.

//: refused "pointers to functions are not allowed"
int g(int x) { return x; }
kernel void f(global int *a) {
  int (*p)(int) = g;
  a[0] = p(1);
}
//: refused "taking address of function is not allowed"
int g(int x) { return x; }
kernel void f(global int *a) { a[0] = (int)(long)&g; }
//: refused "kernel parameter"
kernel void f(global int *a, bool b) {}
//: refused "kernel parameter"
kernel void f(global int *a, size_t b) {}
//: refused "kernel parameter"
kernel void f(global int *a, ptrdiff_t b) {}
//: refused "kernel parameter"
kernel void f(global int *a, uintptr_t b) {}
//: refused "kernel parameter"
kernel void f(global int *a, event_t b) {}
//: refused "kernel parameter"
struct s {
  bool b;
};
kernel void f(global int *a, struct s b) {}
//: refused "kernel parameter"
struct s {
  size_t n;
};
kernel void f(global int *a, struct s b) {}
//: refused "bit-fields are not supported"
struct s {
  int a : 3;
};
kernel void f(global int *a) {}
//: refused "variable length arrays are not supported"
kernel void f(global int *a, int n) {
  int list[n];
  a[0] = list[0];
}
//: refused "initialization of flexible array member is not allowed"
struct s {
  int n;
  int list[];
};
kernel void f(global int *a) {
  local struct s x;
  struct s y = {1, {2, 3}};
  a[0] = y.list[1];
}
//: refused "invalid prototype, variadic arguments are not allowed"
int g(int x, ...) { return x; }
kernel void f(global int *a) {}
//: refused "file not found"
#include <math.h>
kernel void f(global int *a) {}
//: refused "file not found"
#include "stdio.h"
kernel void f(global int *a) {}
//: refused "use of undeclared identifier 'malloc'"
kernel void f(global int *a) { int *p = malloc(4); }
//: refused "use of undeclared identifier 'errno'"
kernel void f(global int *a) { errno = 1; }
//: refused "initializing '__private event_t' with an expression of incompatible type"
kernel void f(global int *a) {
  event_t *e;
  event_t x = 5;
}
//: refused "cannot be used to declare a program scope variable"
global event_t e;
kernel void f(global int *a) {}
//: refused "use of undeclared identifier 'undeclared'" -cl-std=CL1.2
kernel void f(global int *a) { a[0] = undeclared(1); }
//: refused "use of undeclared identifier" -cl-std=CL3.0
kernel void f(global int *a) { a[0] = undeclared(1); }
//: refused "must reside in"
typedef int list[4];
kernel void f(list a) { a[0] = 1; }
//: refused "argument may not have 'void' type"
kernel void f(global void a) {}
//: refused "'void' must be the first and only parameter"
void g(global int *a, void x) {}
kernel void f(global int *a) {}
//: builds -cl-std=CL1.0 | -cl-std=CL1.2 | -cl-std=CL3.0
// Halves may always be pointed to.
kernel void f(global half *a, global float *b) {
  b[0] = vload_half(0, a);
  vstore_half(b[1], 1, a);
}

//: runs
// Left out of the language, but taken, as other compilers do: functions that call themselves, structs that end in an array of
// no length, macros of any number of arguments, __func__.
int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
struct list {
  int count;
  int items[];
};
int total(global const struct list *list) {
  int sum = 0;
  for (int i = 0; i < list->count; ++i) sum += list->items[i];
  return sum;
}
global int numbers[] = {3, 4, 5, 6};
#define LAST(first, ...) __VA_ARGS__
TEST {
  CHECK(factorial(5 * one) == 120 && total((global const struct list *)numbers) == 15);
  CHECK(LAST(1, 2) == 2 && __func__[one] == 'e');
}
//: cpu-refused "function 'odd' is recursive"
// But not where work-items wait for one another.
int even(int n, local int *a);
int odd(int n, local int *a) {
  barrier(CLK_LOCAL_MEM_FENCE);
  return n == 0 ? a[0] : even(n - 1, a);
}
int even(int n, local int *a) { return n == 0 ? a[1] : odd(n - 1, a); }
kernel void f(global int *a, local int *b) { a[0] = odd(a[1], b); }

//: builds
// Pointers to pointers inside a program, and as kernel arguments since 2.0.
kernel void f(global int *a) {
  global int *list[2] = {a, a + 1};
  global int **p = list;
  p[1][0] = 2;
}

//: refused "use of undeclared identifier 'sqrtt'"
// The message names a similar function.
kernel void f(global float *a) { a[0] = sqrtt(a[1]); }
//: refused "use of undeclared identifier 'cast'"
// A word of C that is like the one that is missing: errors must come out, whatever Clang makes of the suggestion.
kernel void f(global int *a) { ushort all = as_ushort(cast); }
//: refused "did you mean 'value'"
kernel void f(global int *a, int value) { a[0] = as_int(valu); }
//: refused "use of undeclared identifier 'hal'"
kernel void f(global int *a) { a[0] = as_ushort((hal)) + as_int(as_float(1 + as_int(hal))); }
//: refused "use of undeclared identifier 'try'"
kernel void f(global int *a) {
  try {
  } catch (int x) {
  }
}
//: refused "use of undeclared identifier 'class'"
kernel void f(global int *a) { class c; }
//: refused "expected"
kernel void f(global int *a) { asm volatile goto("" ::bad); }
//: refused "case value"
kernel void f(global int *a) {
  switch (a[0]) {
  case 1:
  case 1: break;
  }
}
//: refused "'break' statement not in loop or switch"
kernel void f(global int *a) { break; }
//: refused "use of undeclared label"
kernel void f(global int *a) { goto nowhere; }
//: refused "pointer arguments to kernel functions must reside in" -cl-std=CL1.2 | -cl-std=CL3.0
kernel void f(global int **a) {}
//: refused "event_t' type cannot be used to declare a structure or union field"
struct s {
  event_t e;
};
kernel void f(global int *a) {}
//: refused "the event_t type can only be used with __private address space qualifier"
kernel void f(global int *a) { local event_t e; }
//: refused "cannot be called 'main'"
kernel void main(global int *a) { a[0] = 1; }
//: refused "function cannot be called 'main'"
int main(void) { return 1; }
kernel void f(global int *a) {}
//: refused "restrict requires a pointer"
kernel void f(global int *a) { int restrict x; }
//: refused "within field of type 'both'"
union both {
  intptr_t x;
  int y;
};
kernel void f(union both b) {}
//: refused "the 'sampler_t' type cannot be used to declare a structure or union field" -cl-std=CL1.2 | -cl-std=CL3.0
struct s {
  sampler_t s;
};
kernel void f(global int *a) {}
//: refused "array of 'sampler_t' type is invalid" -cl-std=CL1.2 | -cl-std=CL3.0
kernel void f(global int *a) { sampler_t s[2]; }
