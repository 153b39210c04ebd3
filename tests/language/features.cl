// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optional features and extensions, each disabled (-cl-ext=-NAME): its macro is undefined, its use is refused, and the rest
// works.

//: runs -cl-std=CL3.0 | -cl-std=CLC++2021
#if !defined(__opencl_c_atomic_order_acq_rel) || !defined(__opencl_c_atomic_order_seq_cst) ||                                  \
    !defined(__opencl_c_atomic_scope_device) || !defined(__opencl_c_atomic_scope_all_devices) ||                               \
    !defined(__opencl_c_generic_address_space) || !defined(__opencl_c_fp64) || !defined(__opencl_c_int64) ||                   \
    !defined(__opencl_c_program_scope_global_variables) || !defined(__opencl_c_subgroups) ||                                   \
    !defined(__opencl_c_work_group_collective_functions)
#error a feature of the device
#endif
#if !defined(__opencl_c_pipes)
#error a feature of pipes
#endif
#if !defined(__opencl_c_images) || !defined(__opencl_c_3d_image_writes) || !defined(__opencl_c_read_write_images)
#error a feature of images
#endif
TEST {}

//: runs -cl-std=CL1.2 -cl-ext=-cl_khr_fp64 | -cl-std=CL3.0 -cl-ext=-cl_khr_fp64 | -cl-std=CLC++2021 -cl-ext=-cl_khr_fp64
#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)
#error taken away
#endif
// Constants without a suffix are then floats.
TEST {
  float x = 0.1 * one;
  CHECK(sizeof(1.0) == 4 && x == 0.1f && fabs(sin(x) - 0.0998334f) < 1e-6f && convert_int_rte(2.5f * one) == 2);
}
//: refused "use of type 'double' requires cl_khr_fp64" -cl-std=CL1.2 -cl-ext=-cl_khr_fp64
kernel void f(global double *a) { a[0] = 1; }
//: refused "use of type 'double' requires cl_khr_fp64 and __opencl_c_fp64" -cl-std=CL3.0 -cl-ext=-__opencl_c_fp64
kernel void f(global double *a) { a[0] = 1; }
//: refused "undeclared identifier 'convert_double'" -cl-std=CL3.0 -cl-ext=-cl_khr_fp64
kernel void f(global float *a) { a[0] = convert_double(a[0]); }

//: runs -cl-std=CL3.0 -cl-ext=-cl_khr_fp16 | -cl-std=CL1.2 -cl-ext=-cl_khr_fp16
#ifdef cl_khr_fp16
#error taken away
#endif
// Halves can still be stored and loaded.
TEST {
  ushort list[4];
  vstore_half((float)one / 3, 1, (half *)list);
  CHECK(vload_half(1, (half *)list) == 0x1.554p-2f && list[1] == 0x3555);
}
//: refused "half" -cl-std=CL3.0 -cl-ext=-cl_khr_fp16 | -cl-std=CL1.2 -cl-ext=-cl_khr_fp16
kernel void f(global half *a) { half x = a[0]; }

//: runs -cl-std=CL3.0 -cl-ext=-cl_ext_float_atomics | -cl-std=CL2.0 -cl-ext=-cl_ext_float_atomics
#if defined(cl_ext_float_atomics) || defined(__opencl_c_ext_fp16_global_atomic_load_store) ||                                  \
    defined(__opencl_c_ext_fp32_global_atomic_add) || defined(__opencl_c_ext_fp64_local_atomic_min_max)
#error taken away
#endif
// Loads, stores and exchanges of floats belong to OpenCL C.
kernel void other(global atomic_float *a) { atomic_store(a, atomic_load(a) + atomic_exchange(a, 1.0f)); }
TEST { CHECK(one == 1); }
//: builds -cl-std=CL3.0 -cl-ext=-cl_khr_fp16
#if defined(__opencl_c_ext_fp16_global_atomic_load_store) || defined(__opencl_c_ext_fp16_local_atomic_add)
#error taken away with half
#endif
kernel void f(global int *a) { a[0] = 1; }
//: builds -cl-std=CL3.0 -cl-ext=-cl_khr_fp64
#if defined(__opencl_c_ext_fp64_global_atomic_add) || defined(__opencl_c_ext_fp64_local_atomic_min_max)
#error taken away with double
#endif
kernel void f(global int *a) { a[0] = 1; }
//: builds -cl-std=CL1.2
#if defined(cl_ext_float_atomics) || defined(__opencl_c_ext_fp32_global_atomic_add)
#error atomic functions belong to OpenCL C 2.0
#endif
kernel void f(global int *a) { a[0] = 1; }
//: refused "call to 'atomic_fetch_add' is ambiguous" -cl-std=CL3.0 -cl-ext=-__opencl_c_ext_fp32_global_atomic_add
kernel void f(global atomic_float *a) { atomic_fetch_add(a, 1.0f); }
// Clang 19 declares minima and maxima by generic pointers in any case.
//: refused "call to 'atomic_fetch_add' is ambiguous" -cl-std=CL3.0 -cl-ext=-cl_ext_float_atomics | -cl-std=CL2.0
//: -cl-ext=-cl_ext_float_atomics
kernel void f(local atomic_double *a) { atomic_fetch_add(a, 1.0); }

//: runs -cl-std=CL3.0 -cl-ext=-cl_khr_kernel_clock
#if defined(cl_khr_kernel_clock) || defined(__opencl_c_kernel_clock_scope_device) ||                                           \
    defined(__opencl_c_kernel_clock_scope_work_group) || defined(__opencl_c_kernel_clock_scope_sub_group)
#error taken away
#endif
TEST { CHECK(one == 1); }
//: refused "undeclared identifier 'clock_read_device'" -cl-std=CL3.0 -cl-ext=-cl_khr_kernel_clock
kernel void f(global ulong *a) { a[0] = clock_read_device(); }
//: refused "undeclared identifier 'clock_read_hilo_sub_group'" -cl-std=CL3.0 -cl-ext=-__opencl_c_kernel_clock_scope_sub_group
kernel void f(global uint2 *a) { a[0] = clock_read_hilo_sub_group(); }

//: runs -cl-std=CL3.0 -cl-ext=-__opencl_c_generic_address_space | -cl-std=CLC++2021 -cl-ext=-__opencl_c_generic_address_space
#ifdef __opencl_c_generic_address_space
#error taken away
#endif
// Functions with pointers have an overload for each named space.
kernel void other(global float *g, local float *l) {
  float p;
  int n;
  fract(g[0], g), fract(g[0], l), fract(g[0], &p);
  modf(g[0], g), modf(g[0], l), modf(g[0], &p), sincos(g[0], g), sincos(g[0], l);
  frexp(g[0], (global int *)g), frexp(g[0], (local int *)l), frexp(g[0], &n), remquo(g[0], g[1], (global int *)g);
  lgamma_r(g[0], (local int *)l);
  vstore4(vload4(0, g) + vload4(0, l), 1, g), vstore_half(g[0], 0, (local half *)l), vload_half4(0, (global half *)g);
  async_work_group_copy(l, g, 4, 0);
  prefetch(g, 4);
}
TEST {
  float x = 2.5f * one, whole;
  float rest = fract(x, &whole);
  CHECK(rest == 0.5f && whole == 2 && atomic_add(out, 0) == 0);
}
//: refused "changes address space of pointer" -cl-std=CL3.0 -cl-ext=-__opencl_c_generic_address_space
void g(int *p) { *p = 1; }
kernel void f(global int *a) { g(a); }
//: refused "generic" -cl-std=CL3.0 -cl-ext=-__opencl_c_generic_address_space
kernel void f(global int *a) { generic int *p; }
//: refused "undeclared identifier 'to_global'" -cl-std=CL3.0 -cl-ext=-__opencl_c_generic_address_space
kernel void f(global int *a) { to_global(a); }

//: builds -cl-std=CL3.0 -cl-ext=-__opencl_c_program_scope_global_variables
#ifdef __opencl_c_program_scope_global_variables
#error taken away
#endif
constant int three = 3;
kernel void f(global int *a) {
  constant static int four = 4;
  a[0] = three + four;
}
//: refused "program scope variable must reside in constant" -cl-std=CL3.0 -cl-ext=-__opencl_c_program_scope_global_variables
global int counter;
kernel void f(global int *a) { a[0] = ++counter; }
//: refused "static local variable must reside in constant" -cl-std=CL3.0 -cl-ext=-__opencl_c_program_scope_global_variables
kernel void f(global int *a) {
  static global int counter;
  a[0] = ++counter;
}

//: builds -cl-std=CL3.0 -cl-ext=-__opencl_c_subgroups | -cl-std=CL3.0 -cl-ext=-cl_khr_subgroups
#if defined(__opencl_c_subgroups) || defined(cl_khr_subgroups)
#error taken away
#endif
kernel void f(global int *a) { a[0] = work_group_reduce_add(1); }
//: refused "undeclared identifier 'sub_group_reduce_add'" -cl-std=CL3.0 -cl-ext=-__opencl_c_subgroups,-cl_intel_subgroups
kernel void f(global int *a) { a[0] = sub_group_reduce_add(1); }
//: refused "undeclared identifier 'get_sub_group_size'" -cl-std=CL3.0 -cl-ext=-__opencl_c_subgroups,-cl_intel_subgroups
kernel void f(global int *a) { a[0] = get_sub_group_size(); }

//: builds -cl-std=CL3.0 -cl-ext=-__opencl_c_work_group_collective_functions
#ifdef __opencl_c_work_group_collective_functions
#error taken away
#endif
kernel void f(global int *a) { a[0] = sub_group_reduce_add(1); }
//: refused "undeclared identifier 'work_group_reduce_add'" -cl-std=CL3.0 -cl-ext=-__opencl_c_work_group_collective_functions
kernel void f(global int *a) { a[0] = work_group_reduce_add(1); }
//: refused "undeclared identifier 'work_group_all'" -cl-std=CL3.0 -cl-ext=-__opencl_c_work_group_collective_functions
kernel void f(global int *a) { a[0] = work_group_all(1); }

//: builds -cl-std=CL3.0 -cl-ext=-__opencl_c_atomic_order_seq_cst | -cl-std=CLC++2021 -cl-ext=-__opencl_c_atomic_order_seq_cst
#ifdef __opencl_c_atomic_order_seq_cst
#error taken away
#endif
kernel void f(global atomic_int *a, local atomic_int *b) {
  atomic_fetch_add_explicit(a, 1, memory_order_acq_rel, memory_scope_device);
  atomic_store_explicit(b, atomic_load_explicit(a, memory_order_acquire, memory_scope_work_group), memory_order_release,
                        memory_scope_work_group);
  int expected = 0;
  atomic_compare_exchange_strong_explicit(a, &expected, 1, memory_order_relaxed, memory_order_relaxed, memory_scope_device);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
}
//: builds -cl-std=CL3.0 -cl-ext=-__opencl_c_generic_address_space
kernel void f(global atomic_int *a, local atomic_int *b) {
  atomic_fetch_add(a, atomic_load(b));
  atomic_store_explicit(b, 1, memory_order_release, memory_scope_work_group);
  int expected = 0;
  atomic_compare_exchange_strong(a, &expected, 1);
}
//: refused "undeclared identifier 'atomic_fetch_add'" -cl-std=CL3.0 -cl-ext=-__opencl_c_atomic_order_seq_cst
kernel void f(global atomic_int *a) { atomic_fetch_add(a, 1); }
//: refused "undeclared identifier 'memory_order_seq_cst'" -cl-std=CL3.0 -cl-ext=-__opencl_c_atomic_order_seq_cst
kernel void f(global atomic_int *a) { atomic_load_explicit(a, memory_order_seq_cst, memory_scope_device); }

//: builds -cl-std=CL3.0 -cl-ext=-__opencl_c_atomic_scope_device
#ifdef __opencl_c_atomic_scope_device
#error taken away
#endif
kernel void f(global atomic_int *a) { atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_work_group); }
//: refused "undeclared identifier 'memory_scope_all_devices'" -cl-std=CL3.0 -cl-ext=-__opencl_c_atomic_scope_all_devices
kernel void f(global atomic_int *a) { atomic_load_explicit(a, memory_order_relaxed, memory_scope_all_devices); }

//: builds -cl-std=CL3.0 -cl-ext=-__opencl_c_atomic_order_acq_rel
#ifdef __opencl_c_atomic_order_acq_rel
#error taken away
#endif
kernel void f(global atomic_int *a) { atomic_fetch_add(a, 1); }

//: refused "undeclared identifier 'sub_group_shuffle'" -cl-std=CL3.0 -cl-ext=-cl_khr_subgroup_shuffle
kernel void f(global int *a) { a[0] = sub_group_shuffle(a[1], 0); }
//: refused "undeclared identifier 'sub_group_shuffle_up'" -cl-std=CL3.0 -cl-ext=-cl_khr_subgroup_shuffle_relative
kernel void f(global int *a) { a[0] = sub_group_shuffle_up(a[1], 1); }
//: refused "undeclared identifier 'sub_group_rotate'" -cl-std=CL3.0 -cl-ext=-cl_khr_subgroup_rotate
kernel void f(global int *a) { a[0] = sub_group_rotate(a[1], 1); }
//: refused "undeclared identifier 'sub_group_ballot'" -cl-std=CL3.0 -cl-ext=-cl_khr_subgroup_ballot
kernel void f(global uint4 *a) { a[0] = sub_group_ballot(1); }
//: refused "undeclared identifier 'sub_group_elect'" -cl-std=CL3.0 -cl-ext=-cl_khr_subgroup_non_uniform_vote
kernel void f(global int *a) { a[0] = sub_group_elect(); }
//: refused "undeclared identifier 'sub_group_clustered_reduce_add'" -cl-std=CL3.0 -cl-ext=-cl_khr_subgroup_clustered_reduce
kernel void f(global int *a) { a[0] = sub_group_clustered_reduce_add(a[1], 4); }
//: refused "'sub_group_non_uniform_reduce_add'" -cl-std=CL3.0 -cl-ext=-cl_khr_subgroup_non_uniform_arithmetic
kernel void f(global int *a) { a[0] = sub_group_non_uniform_reduce_add(a[1]); }
//: refused "'sub_group_broadcast'" -cl-std=CL3.0 -cl-ext=-cl_khr_subgroup_extended_types
kernel void f(global char4 *a) { a[0] = sub_group_broadcast(a[1], 0); }
//: refused "incompatible pointer types" -cl-std=CL1.2 -Werror -cl-ext=-cl_khr_int64_base_atomics
kernel void f(global long *a) { atom_add(a, 1); }
//: builds -cl-std=CL1.2 -cl-ext=-cl_khr_byte_addressable_store,-cl_khr_global_int32_base_atomics
#if defined(cl_khr_byte_addressable_store) || defined(cl_khr_global_int32_base_atomics)
#error taken away
#endif
kernel void f(global int *a, global char *b) { a[0] = atomic_add(a, 1), b[1] = b[0]; }
