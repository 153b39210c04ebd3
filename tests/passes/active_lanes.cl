// The lanes for which a sub-group function waits on GPUs.
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_80 -o - %s | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 -cl-opt-disable --target=cuda --cpu=sm_80 -o - %s | FileCheck %s --check-prefix=ALL

// ALL-NOT: activemask

// If all work-items arrive, after any loop, the program's vote is the only one.
// CHECK-LABEL: .entry together(
// CHECK:         vote.sync.ballot.b32 {{%r[0-9]+}}, {{%p[0-9]+|1}},
// CHECK-NOT:     vote
// CHECK:         ret;
kernel void together(global uint *out, global const uint *in) {
  uint i = get_global_id(0);
  for (uint k = 0; k < (i & 3); ++k) out[i + 32 * k] = in[k];
  out[i] = sub_group_ballot((int)in[i]).x;
}

// The vote about the branch is the mask of the function in it.
// CHECK-LABEL: .entry in_branch(
// CHECK:         vote.sync.ballot.b32 [[TAKEN:%r[0-9]+]], [[CONDITION:%p[0-9]+]],
// CHECK:         bra
// CHECK:         shfl.sync.idx.b32 {{.*}}, [[TAKEN]];
// CHECK:         ret;
kernel void in_branch(global uint *out, global const uint *in) {
  uint i = get_global_id(0);
  if (in[i] != 0) out[i] = sub_group_shuffle(out[i], 3);
}

// A uniform branch needs no vote.
// CHECK-LABEL: .entry in_common_branch(
// CHECK-NOT:     vote
// CHECK:         shfl.sync.idx.b32
// CHECK:         ret;
kernel void in_common_branch(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0);
  if (n != 0) out[i] = sub_group_shuffle(in[i], 3);
}

// A condition that lanes read at different times may differ among them.
// CHECK-LABEL: .entry behind_a_flag(
// CHECK:         vote.sync.ballot.b32
// CHECK:         shfl.sync.idx.b32
// CHECK:         ret;
kernel void behind_a_flag(global uint *out, global const uint *in, volatile global uint *flag) {
  uint i = get_global_id(0);
  if (*flag != 0) out[i] = sub_group_shuffle(in[i], 3);
}

// CHECK-LABEL: .entry in_tangle(
// CHECK-NOT:     activemask
// CHECK:         shfl.sync.idx.b32
// CHECK:         ret;
kernel void in_tangle(global uint *out, global const uint *in) {
  uint i = get_global_id(0);
  for (uint k = 0; k < in[i]; ++k)
    if (in[i + k] == 3 || out[in[i]] == i) return;
  switch (in[i + 1]) {
  case 0: out[i + 1] = 0;
  case 1: out[i] = sub_group_shuffle(in[i], 3); break;
  default: break;
  }
}

// The same in a user's function, which all lanes call: the two places have different lanes.
// CHECK-LABEL: .entry in_function(
// CHECK:         vote.sync.ballot.b32 [[ODD:%r[0-9]+]],
// CHECK:         bra
// CHECK:         shfl.sync.idx.b32 {{.*}}, [[ODD]];
// CHECK:         ret;
void shuffle_twice(global uint *out, uint i, uint x) {
  out[i] = sub_group_shuffle(x, 3);
  if (x & 1) out[i + 1000] = sub_group_shuffle(x + 1, 3);
}
kernel void in_function(global uint *out, global const uint *in) { shuffle_twice(out, get_global_id(0), in[get_global_id(0)]); }
