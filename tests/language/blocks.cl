// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Section 1.12: blocks. They come with device-side enqueue (__opencl_c_device_enqueue in OpenCL C 3.0).

//: runs -cl-std=CL2.0
int (^const outside)(int) = ^(int x) {
  return x * 3;
};
TEST {
  int base = 4 * one;
  int (^const add)(int) = ^(int x) {
    return x + base;
  };
  void (^const note)(void) = ^{
    CHECK(base == 4);
  };
  base = 5;
  CHECK(add(1) == 5 && outside(2) == 6);
  float4 v = (float4)(one);
  float (^const last)(int) = ^float(int i) {
    return v.w + i;
  };
  CHECK(last(2) == 3);
  if (add(0) == 4) out[0] = 0;
}

//: refused "blocks support disabled" -cl-std=CL1.2
kernel void f(global int *a) {
  int (^const b)(int) = ^(int x) {
    return x;
  };
  a[0] = b(1);
}
//: refused "invalid block variable declaration - must be initialized" -cl-std=CL2.0
kernel void f(global int *a) { int (^const b)(int); }
//: refused "variadic arguments are not allowed" -cl-std=CL2.0
kernel void f(global int *a) {
  int (^b)(int, ...) = ^(int x, ...) {
    return x;
  };
}
//: refused "invalid operands to binary expression" -cl-std=CL2.0
kernel void f(global int *a) {
  int (^const b)(int) = ^(int x) {
    return x;
  };
  b = ^(int x) {
    return 2 * x;
  };
}
//: refused "array of 'int (__generic ^const)(__private int)' type is invalid" -cl-std=CL2.0
int (^g(void))(int);
kernel void f(global int *a) {
  int (^const list[2])(int) = {^(int x){
      return x;
}
, ^(int x) {
  return x;
}
}
;
}
//: refused "the __block storage type is not permitted" -cl-std=CL2.0
kernel void f(global int *a) { __block int x = 1; }
//: refused "cannot be used to declare a structure or union field" -cl-std=CL2.0
struct s {
  int (^b)(int);
};
kernel void f(global int *a) {}
//: refused "cannot be used to declare a structure or union field" -cl-std=CL2.0
union u {
  int (^b)(int);
  int x;
};
kernel void f(global int *a) {}
//: refused "invalid block variable declaration - using 'extern' storage class is disallowed" -cl-std=CL2.0
extern int (^b)(int);
kernel void f(global int *a) {}
//: refused "invalid block variable declaration - must be initialized" -cl-std=CL2.0
int (^b)(int);
kernel void f(global int *a) {}
//: refused "declaring function return value of type" -cl-std=CL2.0
typedef int (^number)(int);
number g(void) {
  return ^(int x) {
    return x;
  };
}
kernel void f(global int *a) {}
//: refused "invalid argument type" -cl-std=CL2.0
kernel void f(global int *a) {
  int (^b)(int) = ^(int x) {
    return x;
  };
  a[0] = (*b)(1);
}
//: refused "invalid argument type" -cl-std=CL2.0
kernel void f(global int *a) {
  int (^b)(int) = ^(int x) {
    return x;
  };
private
  void *p = &b;
}
//: refused "is invalid in OpenCL" -cl-std=CL2.0
typedef int (^number)(int);
kernel void f(global int *a) { number *p; }
//: refused "block type cannot be used as expression in ternary expression" -cl-std=CL2.0
kernel void f(global int *a) {
  int (^b)(int) = ^(int x) {
    return x;
  };
  int (^c)(int) = ^(int x) {
    return -x;
  };
  a[0] = (a[1] ? b : c)(1);
}
//: refused "cannot refer to a block inside block" -cl-std=CL2.0
kernel void f(global int *a) {
  int (^b)(int) = ^(int x) {
    return x;
  };
  int (^c)(int) = ^(int x) {
    return b(x);
  };
  a[0] = c(1);
}
//: builds -cl-std=CL2.0
// A block at program scope is visible everywhere.
int (^b)(int) = ^(int x) {
  return x;
};
kernel void f(global int *a) {
  int (^c)(int) = ^(int x) {
    return b(x);
  };
  a[0] = c(1);
}
//: refused "variable is not assignable" -cl-std=CL2.0
kernel void f(global int *a) {
  int x;
  void (^b)(void) = ^{
    x = 1;
  };
}
//: refused "use of undeclared identifier" -cl-std=CL2.0 -DNAME=Block_copy | -cl-std=CL2.0 -DNAME=Block_release
kernel void f(global int *a) {
  void (^b)(void) = ^{
  };
  NAME(b);
}
//: refused "invalid application of 'sizeof' to a block" -cl-std=CL2.0
kernel void f(global int *a) {
  void (^b)(void) = ^{
  };
  a[0] = sizeof(b);
}
//: refused "'break' statement not in loop or switch" -cl-std=CL2.0
kernel void f(global int *a) {
  while (1) {
    void (^b)(void) = ^{
      break;
    };
  }
}
//: refused "use of undeclared label" -cl-std=CL2.0
kernel void f(global int *a) {
  void (^b)(void) = ^{
    goto out;
  };
out:
  a[0] = 1;
}
//: refused "blocks support disabled" -cl-std=CLC++1.0 | -cl-std=CL3.0 -cl-ext=-__opencl_c_device_enqueue
kernel void f(global int *a) {
  void (^b)(void) = ^{
  };
}
