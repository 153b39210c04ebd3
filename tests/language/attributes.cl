// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Section 1.11: attributes of types, variables, functions and loops.

//: runs
typedef int loose __attribute__((aligned(2)));
struct packed {
  char c;
  int i;
} __attribute__((packed));
struct more {
  char c;
  short s[3];
} __attribute__((aligned));
typedef struct __attribute__((aligned(8))) {
  char c;
} eight;
enum __attribute__((packed)) small { A, B };
TEST {
  int x __attribute__((aligned(128))) = one;
  local int y __attribute__((aligned(64)));
  y = 2;
  struct {
    char c;
    double d __attribute__((aligned(32)));
  } s;
  CHECK(((ulong)&x & 127) == 0 && ((ulong)&y & 63) == 0 && sizeof(s) == 64 && ((ulong)&s.d & 31) == 0);
  CHECK(sizeof(struct packed) == 5 && sizeof(eight) == 8 && sizeof(struct more) % 16 == 0 && sizeof(enum small) == 1);
  CHECK(x + y + B == 4 && __alignof__(loose) == 2);
}

//: runs -cl-std=CL2.0 | -cl-std=CL3.0
int sum(int n) {
  int total = 0;
  __attribute__((opencl_unroll_hint(4))) for (int i = 0; i < n; ++i)
    total += i;
  __attribute__((opencl_unroll_hint)) while (n-- > 0)
    total += 1;
  __attribute__((opencl_unroll_hint(1))) do
    total += 2;
  while (++n < 5);
  return total;
}
TEST { CHECK(sum(10 * one) == 45 + 10 + 2 * 6); }

//: runs
int sum(global int *a, int n) {
  int total = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) total += i;
#pragma unroll 3
  for (int i = 0; i < n; ++i) total += i;
#pragma nounroll
  while (n-- > 0) total += 1;
  return total;
}
TEST { CHECK(sum(out, 10 * one) == 28 + 45 + 10); }

//: builds
__attribute__((always_inline)) int a(int x) { return x + 1; }
__attribute__((noinline)) int b(int x) { return x + 2; }
__attribute__((pure)) __attribute__((unused)) int c(int x) { return x; }
__attribute__((overloadable)) int d(int x) { return x; }
__attribute__((overloadable)) float d(float x) { return x; }
int e(int x) __attribute__((const, deprecated));
int e(int x) { return x; }
kernel void f(global int *p) { p[0] = a(1) + b(2) + d(3) + (int)d(4.0f); }

//: builds
// An unknown attribute is a warning.
__attribute__((no_such_attribute)) kernel void f(global int *a) {
  int x __attribute__((another_one)) = 1;
  a[0] = x;
}

//: refused "requested alignment is not a power of 2"
kernel void f(global int *a) { int x __attribute__((aligned(3))) = 1; }
//: refused "requires a positive integral compile time constant expression"
kernel void f(global int *a) {
  __attribute__((opencl_unroll_hint(-1))) for (int i = 0; i < 3; ++i)
    a[i] = 1;
}
//: refused "only applies to 'for', 'while', and 'do' statements"
kernel void f(global int *a) { __attribute__((opencl_unroll_hint(2))) a[0] = 1; }
//: refused "takes no more than 1 argument"
kernel void f(global int *a) {
  __attribute__((opencl_unroll_hint(2, 3))) for (;;)
    a[0] = 1;
}
//: refused "conflicting types for 'd'"
int d(int x) { return x; }
float d(float x) { return x; }
kernel void f(global int *a) {}

//: refused "'constructor': a function that runs when the program is loaded is not supported"
__attribute__((constructor)) void g(void) {}
kernel void f(global int *a) {}
//: refused "'section': the choice of a section is not supported"
constant int x __attribute__((section(".init_array"))) = 1;
kernel void f(global int *a) { a[0] = x; }
