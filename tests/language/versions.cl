// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The features that each -cl-std= allows.

//: builds -cl-std=CL1.0 | -cl-std=CL1.1 | -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0 | -cl-std=CL3.1
kernel void f(global int *a, constant float4 *b, local short *c) {
  size_t i = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = (int)dot(b[i], b[i]) + atomic_add(a, 1) + c[i] + mad24(1, 2, 3);
  atom_add(a, 1);
}

//: builds -cl-std=CL1.1 | -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0 | -cl-std=CL3.1
kernel void f(global int3 *a, global float *b) {
  a[0] = clamp(a[1], 0, 5);
  vstore3(vload3(0, b), 1, b);
}

//: builds -cl-std=CL1.2 | -cl-std=CL2.0 | -cl-std=CL3.0 | -cl-std=CL3.1
static constant int c = 1;
kernel void f(global double *a, global int *b) {
  a[0] = fma(a[1], a[2], a[3]);
  b[0] = popcount(b[1]) + c;
  printf("%d\n", b[0]);
}

//: builds -cl-std=CL2.0 | -cl-std=CL3.0 | -cl-std=CL3.1
kernel void f(global int *a, global atomic_int *b) {
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  a[0] = work_group_scan_inclusive_add(a[get_global_linear_id()]) + sub_group_reduce_add(1) + ctz(a[1]);
  atomic_store_explicit(b, atomic_load(b) + 1, memory_order_release, memory_scope_device);
  atomic_fetch_add(b, 1);
  atomic_init(b, 1);
  int expected = 1;
  atomic_compare_exchange_strong(b, &expected, 2);
  a[1] = (int)get_enqueued_local_size(0);
}

// The core of 3.1.
//: runs -cl-std=CL3.1
TEST {
  CHECK(__OPENCL_C_VERSION__ == 310 && CL_VERSION_3_1 == 310 && CL_VERSION_3_0 == 300);
  CHECK(bit_reverse((uchar)(one + 4)) == 0xa0 && bitfield_insert(0xffffu, (uint)zero, 4, 8) == 0xf00f);
  CHECK(bitfield_extract_signed(0x0f0 * one, 4, 4) == -1 && bitfield_extract_unsigned(0x0f0 * one, 4, 4) == 15u);
  CHECK(dot_4x8packed_us_int(0x01020304u * one, 0xffffffffu) == -10);
  CHECK(sub_group_shuffle(one + 6, 0) == 7 && sub_group_rotate((short)(one + 7), 0) == 8);
  CHECK(sub_group_reduce_add((char)(one + 1)) == 2 * (int)get_sub_group_size());
}

//: refused "work_group_scan_inclusive_add" -cl-std=CL1.2
kernel void f(global int *a) { a[0] = work_group_scan_inclusive_add(a[1]); }
//: refused "unknown type name 'atomic_int'" -cl-std=CL1.2
kernel void f(global atomic_int *a) { atomic_fetch_add(a, 1); }
//: refused "use of undeclared identifier 'sub_group_barrier'" -cl-std=CL1.2 -cl-ext=-cl_intel_subgroups
kernel void f(global int *a) { sub_group_barrier(CLK_LOCAL_MEM_FENCE); }
//: builds -cl-std=CL1.2
kernel void f(global int *a) { sub_group_barrier(CLK_LOCAL_MEM_FENCE); }
//: refused "does not support the 'pipe' type qualifier" -cl-std=CL3.0 -cl-ext=-__opencl_c_pipes
kernel void f(read_only pipe int p) {}
//: refused "use of undeclared identifier 'queue_t'" -cl-std=CL3.0 -cl-ext=-__opencl_c_device_enqueue
kernel void f(global int *a) { queue_t q = get_default_queue(); }
//: refused "use of undeclared identifier 'queue_t'" -cl-std=CL1.2
kernel void f(global int *a) { queue_t q; }
//: refused "no matching function for call to 'read_imagef'" -cl-std=CL3.0
kernel void f(global int *a, global float *b, sampler_t s) { b[0] = read_imagef(a, s, 1).x; }
