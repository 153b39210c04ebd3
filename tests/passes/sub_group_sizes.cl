// clang-format off
// Sub-groups of a required size on GPUs: parts of warps, each with its own mask, whose shuffles keep the upper bits of the
// lane.
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_80 -o - %s | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 -cl-opt-disable --target=cuda --cpu=sm_80 -o - %s | FileCheck %s --check-prefix=ALL
// RUN: not %upsweepc -cl-std=CL3.0 -DSIZE=4 --target=cuda --cpu=sm_80 -o - %s 2>&1 | FileCheck %s --check-prefix=WRONG

// ALL-NOT: activemask
// WRONG: kernel 'wrong' requires sub-groups of 4 work-items; the GPU supports 8, 16 and 32

#define SIZED(n) __attribute__((intel_reqd_sub_group_size(n)))
#ifdef SIZE
SIZED(SIZE) kernel void wrong(global int *out) { *out = 0; }
#endif

// Bits 8 to 12 of the bounds are the bits of a lane's number that stay: 0x10 and 0x18. The mask has 16 and 8 lanes.
// CHECK-LABEL: .entry sum_of_16(
// CHECK:         mov.b32 [[HALF:%r[0-9]+]], 65535;
// CHECK:         shl.b32 {{%r[0-9]+}}, [[HALF]],
// CHECK:         shfl.sync.up.b32 {{.*}}, 1, 4096, [[MASK:%r[0-9]+]];
// CHECK:         shfl.sync.up.b32 {{.*}}, 2, 4096, [[MASK]];
// CHECK:         shfl.sync.up.b32 {{.*}}, 4, 4096, [[MASK]];
// CHECK:         shfl.sync.up.b32 {{.*}}, 8, 4096, [[MASK]];
// CHECK-NOT:     shfl.sync.up
// CHECK:         ret;
SIZED(16) kernel void sum_of_16(global int *out) {
  size_t i = get_global_id(0);
  out[i] = sub_group_reduce_add(out[i]);
}

// CHECK-LABEL: .entry scan_of_8(
// CHECK:         mov.b32 [[QUARTER:%r[0-9]+]], 255;
// CHECK:         shl.b32 {{%r[0-9]+}}, [[QUARTER]],
// CHECK:         shfl.sync.up.b32 {{.*}}, 1, 6144, [[MASK:%r[0-9]+]];
// CHECK:         shfl.sync.up.b32 {{.*}}, 2, 6144, [[MASK]];
// CHECK:         shfl.sync.up.b32 {{.*}}, 4, 6144, [[MASK]];
// CHECK:         shfl.sync.up.b32 {{.*}}, 1, 6144, [[MASK]];
// CHECK-NOT:     shfl.sync.up
// CHECK:         ret;
SIZED(8) kernel void scan_of_8(global float *out) {
  size_t i = get_global_id(0);
  out[i] = sub_group_scan_exclusive_max(out[i]);
}

// Two words of a long, and the vote of the branch as the mask.
// CHECK-LABEL: .entry moves_of_16(
// CHECK:         vote.sync.ballot.b32 [[TAKEN:%r[0-9]+]],
// CHECK:         shfl.sync.idx.b32 {{.*}}, 4127, [[TAKEN]];
// CHECK:         shfl.sync.idx.b32 {{.*}}, 4127, [[TAKEN]];
// CHECK:         ret;
SIZED(16) kernel void moves_of_16(global long *out, global const int *in) {
  size_t i = get_global_id(0);
  if (in[i] != 0) out[i] = sub_group_shuffle_xor(out[i], 3);
}

// Bit 0 of a ballot is the sub-group's first lane.
// CHECK-LABEL: .entry ballot_of_8(
// CHECK:         vote.sync.ballot.b32 [[VOTES:%r[0-9]+]], {{%p[0-9]+}}, [[MASK:%r[0-9]+]];
// CHECK:         shr.u32 {{%r[0-9]+}}, [[VOTES]],
// CHECK:         ret;
SIZED(8) kernel void ballot_of_8(global uint *out) {
  size_t i = get_global_id(0);
  out[i] = sub_group_ballot(out[i] > 5).x;
}

// CHECK-LABEL: .entry votes_of_8(
// CHECK-COUNT-2: vote.sync.ballot.b32
// CHECK:         ret;
SIZED(8) kernel void votes_of_8(global int *out) {
  size_t i = get_global_id(0);
  out[i] = sub_group_all(out[i] > 5) + 2 * sub_group_any(out[i] > 7);
}

// CHECK-LABEL: .entry barrier_of_16(
// CHECK:         and.b32 [[PART:%r[0-9]+]], {{%r[0-9]+}}, 16;
// CHECK:         bar.warp.sync
// CHECK:         ret;
SIZED(16) kernel void barrier_of_16(global int *out, local int *memory) {
  size_t i = get_global_id(0), l = get_local_id(0);
  memory[l] = out[i];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = memory[l ^ 1];
}

// A work-group's functions use whole warps, whatever the size of sub-groups.
// CHECK-LABEL: .entry work_group_of_8(
// CHECK:         redux.sync.add.s32
// CHECK:         ret;
SIZED(8) kernel void work_group_of_8(global int *out) { out[get_global_id(0)] = work_group_reduce_add(out[get_global_id(0)]); }

// A warp keeps its own code.
// CHECK-LABEL: .entry sum_of_32(
// CHECK-NOT:     laneid
// CHECK:         redux.sync.add.s32
// CHECK:         ret;
SIZED(32) kernel void sum_of_32(global int *out) {
  size_t i = get_global_id(0);
  out[i] = sub_group_reduce_add(out[i]);
}
