// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections 1.6 and 1.7: access qualifiers and function qualifiers.

//: builds -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0
kernel void plain(global int *a) { a[0] = 1; }
__kernel void with_underscores(__global int *a) { a[0] = 2; }
kernel __attribute__((reqd_work_group_size(8, 4, 1))) void exact(global int *a) { a[0] = 3; }
kernel __attribute__((work_group_size_hint(64, 1, 1), vec_type_hint(float4))) void hinted(global int *a) { a[0] = 4; }
__attribute__((vec_type_hint(int))) kernel void first(global int *a) { a[0] = 5; }
kernel void forward(global int *a);
kernel void forward(global int *a) { a[0] = 6; }
inline int helper(int x) { return x + 1; }
static inline int hidden(int x) { return x + 2; }
kernel void calls(global int *a) {
  plain(a);
  a[1] = helper(a[0]) + hidden(1);
}

//: builds
__attribute__((intel_reqd_sub_group_size(32))) kernel void sub(global int *a) { a[get_global_id(0)] = get_sub_group_size(); }

//: runs
// A kernel that another kernel calls is a function.
kernel void add(global int *a, int n) { a[0] += n; }
TEST {
  add(out, 5);
  CHECK(out[0] == 5);
  if (out[0] == 5) out[0] = 0;
}

//: refused "kernel must have void return type"
kernel int f(global int *a) { return 1; }
//: refused "expected expression"
kernel void f(global int *a, int b[) {}
//: refused "reqd_work_group_size"
kernel __attribute__((reqd_work_group_size(8))) void f(global int *a) {}
//: refused "'reqd_work_group_size' attribute"
kernel __attribute__((reqd_work_group_size(0, 1, 1))) void f(global int *a) {}
//: refused "is an invalid argument to attribute 'vec_type_hint'"
kernel __attribute__((vec_type_hint(struct s))) void f(global int *a) {}
//: refused "can only be applied to an OpenCL kernel function"
__attribute__((reqd_work_group_size(8, 1, 1))) void g(int a) {}
kernel void f(global int *a) {}
//: refused "conflicting types"
kernel void f(global int *a);
kernel void f(global float *a) {}
//: refused "redefinition"
kernel void f(global int *a) {}
kernel void f(global int *a) {}
//: refused "kernel must have void return type"
kernel kernel_name(global int *a) {}
//: refused "access qualifier can only be used for pipe and image type"
kernel void f(read_only global int *a) {}
//: refused "access qualifier can only be used for pipe and image type"
kernel void f(global int *a, write_only int b) {}
//: refused "access qualifier can only be used for pipe and image type" -cl-std=CL1.2 | -cl-std=CL3.0
kernel void f(read_write float4 b) {}
//: refused "multiple access qualifiers"
kernel void f(read_only write_only image2d_t i) {}
