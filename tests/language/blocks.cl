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
