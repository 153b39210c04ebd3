// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base of the OpenCL C library: functions without a body that the passes of each target replace.
// The library includes it; nothing else may call these. OpenCL C.
//
// "uniform" means one value for the whole sub-group. Sub-group functions act on the work-items that are active where they are
// called; all of them are convergent (clang marks every OpenCL function so) and touch no memory unless noted.
#pragma once
#define UPSWEEP_PURE __attribute__((const))

// Of the launch and the work-group; `dim` is 0, 1 or 2 (the caller checks). Uniform.
UPSWEEP_PURE ulong __ups_global_size(uint dim);
UPSWEEP_PURE ulong __ups_global_offset(uint dim);
UPSWEEP_PURE ulong __ups_enqueued_local_size(uint dim);
UPSWEEP_PURE ulong __ups_num_groups(uint dim);
UPSWEEP_PURE ulong __ups_group_id(uint dim);
UPSWEEP_PURE ulong __ups_local_size(uint dim);
UPSWEEP_PURE uint __ups_work_dim(void);

// Of the work-item.
UPSWEEP_PURE ulong __ups_local_id(uint dim);
UPSWEEP_PURE uint __ups_lane(void);                // position in the sub-group

// Of the sub-group; sub-groups are runs of consecutive linear local ids. Uniform.
UPSWEEP_PURE uint __ups_max_sub_group_size(void);  // the lanes, a compile-time constant
UPSWEEP_PURE uint __ups_sub_group_id(void);
// (sub_group_size, num_sub_groups, enqueued_num_sub_groups follow from the sizes above: the library computes them.)

// Waiting. flags: cl_mem_fence_flags. Every active work-item of the (work-group, sub-group) must arrive.
void __ups_work_group_barrier(uint flags);
void __ups_sub_group_barrier(uint flags);

// Address spaces of a generic pointer.
bool __ups_is_local(const void *p);
bool __ups_is_private(const void *p);

// Scratch memory of the work-group for its collectives (UPSWEEP_SCRATCH_BYTES); uniform.
UPSWEEP_PURE __local void *__ups_scratch(void);
// True when the sub-groups of a work-group run in the order of their ids between two barriers (a constant, known after inlining):
// then a running total needs no barrier. False in scalar code, where the lanes of all sub-groups take turns.
UPSWEEP_PURE bool __ups_in_order(void);
// A work-group barrier for scratch memory: all units are past every earlier use of the running total. May be dropped where no other
// __ups_scratch_barrier can have been executed since the last barrier or the kernel's start.
void __ups_scratch_barrier(void);

// Sub-group collectives: for each type T in i8 i16 i32 i64 f16 f32 f64 (C types char short int long half float double)
//   T __ups_sg_reduce_OP_T(T x)              uniform
//   T __ups_sg_scan_inclusive_OP_T(T x)
//   T __ups_sg_scan_exclusive_OP_T(T x)      the first active lane gets the identity
//   T __ups_sg_clustered_reduce_OP_T(T x, uint cluster)   cluster: a constant power of two
//     OP: add mul and or xor smin smax umin umax (integers), fadd fmul fmin fmax (floating point)
//     identities: as the specification's scan_exclusive tables; fmin +inf, fmax -inf
//   T __ups_sg_shuffle_T(T x, uint lane)     value of x in `lane` (undefined when that lane is inactive)
//   T __ups_sg_broadcast_T(T x, uint lane)   the same with a uniform lane; uniform
// and
UPSWEEP_PURE ulong __ups_sg_ballot(int predicate); // bit i: lane i is active and its predicate is not 0; uniform
