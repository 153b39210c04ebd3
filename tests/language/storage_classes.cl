// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Section 1.8: storage-class specifiers.

//: runs -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0
extern constant int later;
typedef struct {
  int a;
} number;
typedef int pair __attribute__((ext_vector_type(2)));
static constant int hidden = 3;
static int helper(int x) { return x + hidden; }
extern int outside(int x);
int outside(int x) { return 2 * x; }
constant int later = 7;
TEST {
  typedef float real;
  real r = 1.5f * one;
  number n = {2};
  pair p = (pair)(1, 2);
  CHECK(helper(1) == 4 && outside(n.a) == 4 && later == 7 && r == 1.5f && p.y == 2);
}

//: runs -cl-std=CL2.0 | -cl-std=CL3.0
extern global int shared;
global int shared = 5;
static global int mine[2] = {1, 2};
int count(void) {
  static int calls = 0;
  return ++calls;
}
TEST {
  // The next run of the program finds the variables' last values.
  int before = count();
  CHECK(count() == before + 1 && shared == 5 && mine[one] == 2);
}

//: refused "OpenCL C version 1.1 does not support the 'static' storage class specifier" -cl-std=CL1.1
static constant int hidden = 3;
kernel void f(global int *a) {}
//: refused "does not support the 'auto' storage class specifier"
kernel void f(global int *a) { auto int x = 1; }
//: refused "does not support the 'register' storage class specifier"
kernel void f(global int *a) { register int x = 1; }
//: refused "_Thread_local"
kernel void f(global int *a) { _Thread_local int x = 1; }
//: refused "static local variable must reside in global or constant address space"
kernel void f(global int *a) { static local int x; }
//: refused "extern variable must reside in global or constant address space"
kernel void f(global int *a) { extern private int x; }
//: refused "variables in function scope cannot be declared static" -cl-std=CL1.2
kernel void f(global int *a) { static int x = 1; }
//: refused "kernel functions cannot be declared static"
static kernel void f(extern global int *a) {}
//: refused "not a compile-time constant"
global int a = 1, b = a + 1;
kernel void f(global int *p) {}
//: refused "undefined"
extern int nowhere(int x);
kernel void f(global int *a) { a[0] = nowhere(1); }
//: refused "does not support the 'auto' storage class specifier" -cl-std=CL1.0 | -cl-std=CL1.1 | -cl-std=CL1.2 | -cl-std=CL2.0
kernel void f(global int *a) { auto int x = 1; }
//: refused "does not support the 'register' storage class specifier" -cl-std=CL1.0 | -cl-std=CL1.2 | -cl-std=CL2.0 |
//: -cl-std=CL3.0
int g(register int x) { return x; }
kernel void f(global int *a) {}
//: refused "does not support the 'register' storage class specifier"
kernel void f(global int *a) {
  for (register int i = 0; i < 1; ++i) a[i] = 1;
}
