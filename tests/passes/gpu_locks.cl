// A lock on a GPU: no vote is in the loop that waits, and the protected work stays behind it. The lanes of the sub-group
// function are all that exist, without a vote on the way out of the loop.
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_80 -o - %s | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 -cl-opt-disable --target=cuda --cpu=sm_80 -o - %s | FileCheck %s

// CHECK-LABEL: .entry lock(
// CHECK:       {{^}}[[LOOP:\$L__BB[0-9_]+]]:
// CHECK-NOT:   {{vote|activemask|bar\.}}
// CHECK:       atom.relaxed.gpu.global.cas.b32
// CHECK-NOT:   {{vote|activemask|bar\.}}
// CHECK:       bra {{.*}}[[LOOP]];
// CHECK:       st.volatile.global.u32
// CHECK:       atom.relaxed.gpu.global.exch.b32
// CHECK-NOT:   {{vote|activemask}}
// CHECK:       shfl.sync
kernel void lock(volatile global int *lock, volatile global int *sum, global int *out) {
  while (atomic_cmpxchg(lock, 0, 1)) {
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  *sum += get_local_id(0);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
  out[get_global_id(0)] = sub_group_broadcast(*sum, 3);
}
