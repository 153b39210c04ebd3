// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "Declaring a function with __kernel": the host finds each kernel of a program, however the program declares it.

//: kernels "f" -cl-std=CL1.0 | -cl-std=CL1.1 | -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0 | -cl-std=CLC++1.0 |
//: -cl-std=CLC++2021 | -cl-opt-disable | -g
inline kernel void f(global int *a) { a[0] = 1; }
//: kernels "f;g;h;i" -cl-std=CL1.0 | -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0 | -cl-std=CLC++1.0 | -cl-std=CLC++2021
kernel inline void f(global int *a) { a[0] = 1; }
kernel void inline g(global int *a) { a[0] = 2; }
__inline kernel void h(global int *a) { a[0] = 3; }
kernel void __inline__ i(global int *a) { a[0] = 4; }
//: kernels "f;g;h" -cl-std=CL1.2 | -cl-std=CL3.0 | -cl-std=CLC++2021
__attribute__((always_inline)) kernel void f(global int *a) { a[0] = 1; }
inline __attribute__((always_inline)) kernel void g(global int *a) { a[0] = 2; }
kernel __attribute__((always_inline)) inline void h(global int *a) { a[0] = 3; }
//: kernels "f;g;h;i" -cl-std=CL1.2 | -cl-std=CL3.0
extern inline kernel void f(global int *a) { a[0] = 1; }
inline extern kernel void g(global int *a) { a[0] = 2; }
inline __attribute__((gnu_inline)) kernel void h(global int *a) { a[0] = 3; }
extern inline __attribute__((gnu_inline)) kernel void i(global int *a) { a[0] = 4; }
//: kernels "f;g;h" -cl-std=CL1.2 | -cl-std=CL3.0
// Only one of the declarations has the word.
inline kernel void f(global int *a);
kernel void f(global int *a) { a[0] = 1; }
kernel void g(global int *a);
inline kernel void g(global int *a) { a[0] = 2; }
kernel void h(global int *a) { a[0] = 3; }
inline kernel void h(global int *a);
//: kernels "g" -cl-std=CL1.2 | -cl-std=CL3.0
kernel void g(global int *a);
inline void g(global int *a) { a[0] = 2; }
//: warned "kernel 'f' is not a kernel in an earlier declaration: the host cannot create it" -cl-std=CL1.2 | -cl-std=CL3.0
void f(global int *a);
kernel void f(global int *a) { a[0] = 1; }
//: kernels "f;g" -cl-std=CL1.2 | -cl-std=CL3.0
// Called before and after its body, also by a function into which the kernel is inlined.
inline kernel void f(global int *a);
inline void calls(global int *a) { f(a); }
kernel void g(global int *a) { calls(a + 1); }
inline kernel void f(global int *a) { a[0] = 1; }
//: kernels "f;g" -cl-std=CLC++2021
namespace first {
inline kernel void f(global int *a) { a[0] = 1; }
}  // namespace first
namespace second {
namespace {
inline void helper(global int *a) { a[0] = 2; }
}  // namespace
inline kernel void g(global int *a) { helper(a); }
}  // namespace second
//: kernels "f;g" -cl-std=CL1.2 | -cl-std=CL3.0
__attribute__((weak)) kernel void f(global int *a) { a[0] = 1; }
__attribute__((visibility("hidden"))) kernel void g(global int *a) { a[0] = 2; }
//: refused "kernel functions cannot be declared static" -cl-std=CL1.2 | -cl-std=CL3.0 | -cl-std=CLC++2021
static kernel void f(global int *a) { a[0] = 1; }
//: refused "kernel functions cannot be declared static" -cl-std=CL1.2 | -cl-std=CL3.0
static inline kernel void f(global int *a) { a[0] = 1; }
//: warned "kernel 'f' has internal linkage: the host cannot create it" -cl-std=CL1.2 | -cl-std=CL3.0 | -cl-std=CLC++2021
__attribute__((internal_linkage)) kernel void f(global int *a) { a[0] = 1; }
//: kernels "f" -cl-std=CLC++2021
// The names of kernels are C's, whatever namespace they are in.
namespace {
kernel void f(global int *a) { a[0] = 1; }
}  // namespace

//: runs -cl-std=CL1.0 | -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0 | -cl-std=CLC++2021 | -cl-opt-disable
inline int twice(int x) { return 2 * x; }
inline kernel void f(global int *a) { a[0] = twice(a[0]); }
inline __attribute__((always_inline)) kernel void test(global int *out, int one, int zero) {
  out[0] = 21 * one;
  f(out);
  out[0] -= 42;
}

// Names that the library's functions have, and names that PTX forbids.
//: kernels "_;_Z13get_global_idj;__ups_lane;add;a$b;WARP_SZ;café;cafè;f;f$edges;memcpy" -cl-std=CL1.2 | -cl-std=CL3.0
kernel void _(global int *a) { a[0] = 1; }
kernel void _Z13get_global_idj(global int *a);
kernel void _Z13get_global_idj(global int *a) { a[get_global_id(0)] = 2; }
kernel void __ups_lane(global int *a) { a[get_global_id(0)] = 3; }
kernel void add(global int *a) { a[0] = 4; }
kernel void a$b(global int *a) { a[0] = 5; }
kernel void WARP_SZ(global int *a) { a[0] = 6; }
kernel void café(global int *a) { a[0] = 7; }
kernel void cafè(global int *a) { a[0] = 8; }
kernel __attribute__((reqd_work_group_size(32, 1, 1))) void f(global int *a) { a[get_global_id(0)] = get_local_size(0); }
kernel void f$edges(global int *a) { a[0] = 9; }
kernel void memcpy(global int *a) { a[0] = 10; }
//: runs -cl-std=CL3.0 | -cl-std=CL3.0 -cl-opt-disable
kernel void _Z13get_global_idj(global int *a) { a[0] = 7; }
kernel void _Z14get_local_sizej(global int *a, uint b) { a[b] = 8; }
kernel void __ups_lane(global int *a) { a[0] += 9; }
kernel void _Z3absi(global int *a) { _Z13get_global_idj(a); }
TEST {
  CHECK(get_global_id(0) == 0 && get_local_size(0) == 1 && get_sub_group_local_id() == 0 && abs(-one) == 1);
  if (out[0] == 0) {
    _Z3absi(out);
    __ups_lane(out);
    out[0] = out[0] == 16 ? 0 : __LINE__;
  }
}
