// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs that OpenCL C forbids and programs use: -Wno-error=NAME turns the error into a warning, -Wno-NAME accepts it.

//: runs -cl-std=CL1.0 -Wno-error=restrictions | -cl-std=CL1.1 -Wno-restrictions | -cl-std=CL1.2 -Wno-restrictions -Werror |
//: -cl-std=CL1.2 -Wno-error=restrictions -Werror | -cl-std=CL3.0 -Wno-error=restrictions -w
int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
struct list {
  int count;
  int items[];
};
#define LAST(first, ...) __VA_ARGS__
typedef struct {
  float4 columns[4];
} float4x4;
TEST {
  CHECK(factorial(5 * one) == 120 && LAST(1, 2) == 2 && __func__[one] == 'e' && sizeof(struct list) == 4);
  float4x4 uniform = {{(float4)(one), (float4)(2)}};
  float x = uniform.columns[one].w;
  unsigned long long y = 1ul << 40;
  CHECK(x++ == 2 && --x == 2 && sizeof(y) == 16 && y << 40 >> 80 == one && sizeof(long double) >= 8 &&
        sizeof(float _Complex) == 8);
}

//: runs -cl-std=CL3.0 -Wno-flexible-array-members
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
TEST { CHECK(total((global const struct list *)numbers) == 15 * one); }

// Each alone.
//: builds -cl-std=CL1.2 -Wno-error=variadic-macros | -cl-std=CL1.2 -Wno-variadic-macros
#define LAST(first, ...) __VA_ARGS__
kernel void f(global int *a) {}
//: builds -Wno-error=recursion | -Wno-recursion
int g(int n) { return n ? g(n - 1) : 0; }
kernel void f(global int *a) { a[0] = g(a[1]); }
//: builds -Wno-error=long-long
kernel void f(global long long *a) {}
//: builds -Wno-long-double
kernel void f(global double *a) { a[0] = (long double)a[1]; }
//: builds -Wno-error=complex
kernel void f(global int *a) { a[0] = sizeof(float _Complex); }
//: builds -Wno-error=reserved-names
typedef int4 bool4;
kernel void f(global bool4 *a) {}
//: builds -Wno-error=float-increment
kernel void f(global float *a) { a[0]++; }
//: builds -cl-std=CL1.1 -Wno-error=predefined-identifiers
kernel void f(global int *a) { a[0] = __func__[0]; }
//: builds -cl-std=CLC++2021 -Wno-restrictions
struct s {
  int count;
  int items[];
};
int g(int n) { return n ? g(n - 1) : 0; }
kernel void f(global s *a) { a->items[0] = g(a->count); }
// The last option of a kind counts; other warnings are unaffected.
//: refused "[-Wlong-long; permitted by -Wno-error=long-long]" -Wno-restrictions -Wlong-long | -Wno-error=long-long
//: -Werror=long-long | -Wno-recursion | -Wno-restrictions -Werror=restrictions
kernel void f(global long long *a) {}

//: cpu-refused "function 'odd' is recursive" -Wno-error=recursion
// Not if work-items wait for each other.
int even(int n, local int *a);
int odd(int n, local int *a) {
  barrier(CLK_LOCAL_MEM_FENCE);
  return n == 0 ? a[0] : even(n - 1, a);
}
int even(int n, local int *a) { return n == 0 ? a[1] : odd(n - 1, a); }
kernel void f(global int *a, local int *b) { a[0] = odd(a[1], b); }
