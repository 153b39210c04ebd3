// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Section 1.9: features of C99 that the language excludes, each with its message.

//: refused "pointers to functions are not allowed"
int g(int x) { return x; }
kernel void f(global int *a) {
  int (*p)(int) = g;
  a[0] = p(1);
}
//: refused "taking address of function is not allowed"
int g(int x) { return x; }
kernel void f(global int *a) { a[0] = (int)(long)&g; }
//: refused "pointers to functions are not allowed"
typedef int (*function)(int);
kernel void f(global int *a) {}
//: refused "pointers to functions are not allowed"
struct s {
  int (*p)(int);
};
kernel void f(global int *a) {}
//: refused "pointers to functions are not allowed"
kernel void f(global int *a) { ((void (*)(void))a)(); }
//: refused "pointers to functions are not allowed"
int (*g(void))(int);
kernel void f(global int *a) {}
//: builds -cl-std=CL1.2 | -cl-std=CL3.0
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
int g(int h(int));
kernel void f(global int *a) {}
//: refused "taking address of function is not allowed"
int g(int x) { return x; }
int h(int x) { return -x; }
kernel void f(global int *a) { a[0] = (a[1] ? g : h)(1); }
//: refused "taking address of function is not allowed"
int g(int x) { return x; }
kernel void f(global int *a) { a[0] = (*g)(1); }
//: refused "kernel parameter"
kernel void f(global int *a, bool b) {}
//: refused "kernel parameter"
kernel void f(global int *a, _Bool b) {}
//: refused "kernel parameter"
kernel void f(global int *a, intptr_t b) {}
//: refused "kernel parameter"
typedef bool flag;
kernel void f(global int *a, const flag b) {}
//: refused "kernel parameter"
struct inner {
  int n;
  ptrdiff_t list[2];
};
struct s {
  struct inner x[3];
};
kernel void f(global int *a, struct s b) {}
//: refused "kernel parameter"
struct s {
  uintptr_t x;
};
kernel void f(global int *a, struct s b) {}
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
//: refused "bit-fields are not supported"
union s {
  int a;
  int : 3;
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
//: refused "variable length arrays are not supported"
void g(int n, int list[n]) { list[0] = n; }
kernel void f(global int *a) {}
//: refused "variable length arrays are not supported"
void g(int n) { typedef int list[n]; }
kernel void f(global int *a) {}
//: refused "variable length arrays are not supported"
kernel void f(global int *a) { local int list[a[0]]; }
//: refused "variable length arrays are not supported"
kernel void f(global int *a) { a[0] = sizeof(int[a[1]]); }
//: refused "invalid prototype, variadic arguments are not allowed"
int g(int x, ...) { return x; }
kernel void f(global int *a) {}
//: refused "invalid prototype, variadic arguments are not allowed"
int g(...);
kernel void f(global int *a) {}
//: refused "too many arguments to function call, expected 0" -cl-std=CL1.2 | -cl-std=CL3.0
// An empty list of parameters declares none.
int g() { return 1; }
kernel void f(global int *a) { a[0] = g(1); }
//: refused "file not found" -DHEADER=<assert.h> | -DHEADER=<ctype.h> | -DHEADER=<complex.h> | -DHEADER=<errno.h> |
//: -DHEADER=<fenv.h> | -DHEADER=<float.h> | -DHEADER=<inttypes.h> | -DHEADER=<limits.h> | -DHEADER=<locale.h> |
//: -DHEADER=<setjmp.h> | -DHEADER=<signal.h> | -DHEADER=<stdarg.h> | -DHEADER=<stdio.h> | -DHEADER=<stdlib.h> |
//: -DHEADER=<string.h> | -DHEADER=<tgmath.h> | -DHEADER=<time.h> | -DHEADER=<wchar.h> | -DHEADER=<wctype.h> | -DHEADER=<math.h>
#include HEADER
kernel void f(global int *a) {}
//: refused "file not found"
#include "stdio.h"
kernel void f(global int *a) {}
//: refused "use of undeclared identifier" "-cl-std=CL3.0" "-DNAME=assert(1)" | "-cl-std=CL3.0" "-DNAME=isalpha(1)" |
//: "-cl-std=CL3.0" "-DNAME=cexp(1.0f)" | "-cl-std=CL3.0" "-DNAME=errno" | "-cl-std=CL3.0" "-DNAME=fegetround()" |
//: "-cl-std=CL3.0" "-DNAME=INT32_MAX" | "-cl-std=CL3.0" "-DNAME=setlocale(0, 0)" | "-cl-std=CL3.0" "-DNAME=jmp_buf" |
//: "-cl-std=CL3.0" "-DNAME=raise(1)" | "-cl-std=CL3.0" "-DNAME=va_list" | "-cl-std=CL3.0" "-DNAME=stdout" | "-cl-std=CL3.0"
//: "-DNAME=malloc(4)" | "-cl-std=CL3.0" "-DNAME=memcpy(a, a, 4)" | "-cl-std=CL3.0" "-DNAME=strlen(0)" | "-cl-std=CL3.0"
//: "-DNAME=time(0)" | "-cl-std=CL3.0" "-DNAME=wchar_t" | "-cl-std=CL3.0" "-DNAME=iswalpha(1)" | "-cl-std=CL3.0" "-DNAME=EDOM" |
//: "-cl-std=CL3.0" "-DNAME=FE_UPWARD" | "-cl-std=CL3.0" "-DNAME=RAND_MAX" | "-cl-std=CL3.0" "-DNAME=CLOCKS_PER_SEC" |
//: "-cl-std=CL3.0" "-DNAME=EOF"
// Names that those headers declare.
kernel void f(global int *a) { NAME; }
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
// Pointers to half are always permitted.
kernel void f(global half *a, global float *b) {
  b[0] = vload_half(0, a);
  vstore_half(b[1], 1, a);
}

//: refused "recursion is not supported: 'factorial' calls itself [-Wrecursion; permitted by -Wno-error=recursion]"
int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
kernel void f(global int *a) { a[0] = factorial(a[1]); }
//: refused ":5: error: recursion is not supported: 'even' and 'odd' call each other" -cl-std=CL1.2 | -cl-std=CL3.0
#line 4
static int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
kernel void f(global int *a) { a[0] = odd(a[1]); }
//: refused "call one another"
inline int g(int n);
int h(int n) { return n ? g(n - 1) : 0; }
int i(int n) { return h(n) + 1; }
inline int g(int n) { return i(n); }
kernel void f(global int *a) { a[0] = h(a[1]); }
//: refused ":3:12: error: recursion is not supported: 'factorial' calls itself" -cl-std=CL1.2 | -cl-std=CL3.0
// Also in functions that are not called.
#line 3
static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
kernel void f(global int *a) {}
//: refused "call one another"
inline int g(int n);
static int h(int n) { return n ? g(n - 1) : 0; }
static int i(int n) { return h(n) + 1; }
inline int g(int n) { return i(n); }
kernel void f(global int *a) {}
//: builds
static int last(int n) { return n; }
static int middle(int n) { return n ? last(n) : last(0); }
static int first(int n) { return middle(n) + middle(last(n)); }
kernel void f(global int *a) {}
//: refused "recursion is not supported: 'f' calls itself"
kernel void f(global int *a) {
  if (a[0]) f(a + 1);
}
//: refused "recursion is not supported" -cl-std=CL2.0
// Recursion through a block that is called.
int g(int n) {
  int (^b)(int) = ^(int x) {
    return g(x);
  };
  if (n) return b(n - 1);
  return 0;
}
kernel void f(global int *a) { a[0] = g(a[1]); }
//: builds -cl-std=CL2.0
// The body of a block that is not called counts as no call.
int g(int n) {
  int (^b)(int) = ^(int x) {
    return g(x);
  };
  return n;
}
kernel void f(global int *a) { a[0] = g(a[1]); }
//: refused "OpenCL C has no arrays of length 0"
// The older spelling, which not all compilers accept.
typedef struct {
  int count;
  int items[0];
} list;
kernel void f(global list *a) { a->items[0] = 1; }
//: builds
#define LAST(first, ...) __VA_ARGS__
kernel void f(global int *a) { a[0] = LAST(1, 2); }
//: runs -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0
TEST { CHECK(__func__[one] == 'e'); }

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
// A C word that resembles the missing name: Clang's suggestion must not hide the error.
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
//: refused "the event_t type can only be used with __private address space qualifier"
kernel void f(global int *a) { global event_t e; }
//: refused "event_t' type cannot be used"
kernel void f(global int *a) { constant event_t e = 0; }
//: refused "'event_t' type cannot be used to declare a structure or union field"
union u {
  event_t e;
  int x;
};
kernel void f(global int *a) {}
//: builds -cl-std=CL1.2 | -cl-std=CL3.0
event_t copy(local int *to, const global int *from, event_t before) { return async_work_group_copy(to, from, 4, before); }
kernel void f(global int *a) {
  local int tile[4];
  event_t e[2];
  e[0] = copy(tile, a, 0);
  wait_group_events(1, e);
}
//: refused "cannot be used as the type of a kernel parameter" -cl-std=CL2.0
kernel void f(global int *a, clk_event_t e) {}
//: refused "cannot be used as the type of a kernel parameter" -cl-std=CL2.0
kernel void f(global int *a, ndrange_t n) {}
//: refused "cannot be used as the type of a kernel parameter" -cl-std=CL2.0
kernel void f(global int *a, reserve_id_t r) {}
//: refused "cannot be used to declare a program scope variable" -cl-std=CL2.0
clk_event_t e;
kernel void f(global int *a) {}
//: refused "cannot be used to declare a program scope variable" -cl-std=CL2.0
reserve_id_t r;
kernel void f(global int *a) {}
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
// Images and samplers, which this device lacks, in versions that require them of all devices.
//: refused "can only be used as a function parameter" -cl-std=CL1.2 | -cl-std=CL2.0
kernel void f(global int *a) { image2d_t i; }
//: refused "cannot be used to declare a structure or union field" -cl-std=CL1.2 | -cl-std=CL2.0
struct s {
  image2d_t i;
};
kernel void f(global int *a) {}
//: refused "array of '__read_only image2d_t' type is invalid" -cl-std=CL1.2 | -cl-std=CL2.0
void g(image2d_t i[2]);
kernel void f(global int *a) {}
//: refused "pointer to type '__read_only image2d_t' is invalid" -cl-std=CL1.2 | -cl-std=CL2.0
void g(image2d_t *i);
kernel void f(global int *a) {}
//: refused "declaring function return value of type '__read_only image2d_t' is not allowed" -cl-std=CL1.2 | -cl-std=CL2.0
image2d_t g(void);
kernel void f(global int *a) {}
//: refused "invalid operands to binary expression" -cl-std=CL1.2 | -cl-std=CL2.0
kernel void f(image2d_t a, image2d_t b) { a = b; }
//: refused "pointer to type 'sampler_t' is invalid" -cl-std=CL1.2 | -cl-std=CL2.0
sampler_t *g(void);
kernel void f(global int *a) {}
//: refused "declaring function return value of type 'sampler_t' is not allowed" -cl-std=CL1.2 | -cl-std=CL2.0
sampler_t g(void);
kernel void f(global int *a) {}
//: refused "sampler type cannot be used with the __local and __global address space qualifiers" -cl-std=CL1.2 | -cl-std=CL2.0
kernel void f(global int *a) { local sampler_t s; }
//: refused "invalid operands to binary expression" -cl-std=CL1.2 | -cl-std=CL2.0
kernel void f(global int *a, sampler_t s) { s = 1; }

// Atomic types, of "Atomic Functions": only the atomic functions can use them.
//: refused "invalid argument type"
kernel void f(global atomic_int *a) { (*a)++; }
//: refused "invalid operands to binary expression"
kernel void f(global atomic_int *a, global int *b) { b[0] = *a + 1; }
//: refused "invalid operands to binary expression"
kernel void f(global atomic_int *a) { *a += 1; }
//: refused "invalid argument type"
kernel void f(global atomic_int *a, global int *b) { b[0] = -*a; }
//: refused "atomic variable can be assigned"
kernel void f(global atomic_int *a) { *a = 1; }
//: refused "atomic variable can be assigned"
kernel void f(global atomic_int *a, global int *b) { b[0] = *a; }
//: refused "atomic types can only be used with the atomic functions" -cl-std=CL2.0 | -cl-std=CL3.0
kernel void f(global atomic_int *a, global int *b) {
  if (*a) b[0] = 1;
}
//: refused "atomic types can only be used with the atomic functions"
kernel void f(global atomic_int *a, global int *b) { b[0] = (int)*a; }
//: refused "atomic types can only be used with the atomic functions"
kernel void f(global atomic_uint *a, global int *b) { b[*a] = 1; }
//: refused "atomic types can only be used with the atomic functions"
int g(int x) { return x; }
kernel void f(global atomic_int *a, global int *b) { b[0] = g(*a); }
//: refused "atomic types can only be used with the atomic functions"
kernel void f(global atomic_flag *a, global int *b) { b[0] = *a ? 1 : 2; }
//: refused "atomic variable can be initialized to a variable only in global address space"
kernel void f(global int *a) { atomic_int x = ATOMIC_VAR_INIT(1); }
//: refused "use of undeclared identifier '_Atomic'"
kernel void f(global int *a) { _Atomic int x; }
//: refused "unknown type name" -cl-std=CL3.0 -DT=atomic_bool | -cl-std=CL3.0 -DT=atomic_char | -cl-std=CL3.0 -DT=atomic_uchar |
//: -cl-std=CL3.0 -DT=atomic_short | -cl-std=CL3.0 -DT=atomic_ushort | -cl-std=CL3.0 -DT=atomic_intmax_t | -cl-std=CL3.0
//: -DT=atomic_uintmax_t
kernel void f(global T *a) {}
//: refused "use of undeclared identifier 'memory_order_consume'"
kernel void f(global atomic_int *a) { atomic_store_explicit(a, 1, memory_order_consume); }
