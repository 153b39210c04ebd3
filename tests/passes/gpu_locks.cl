// A lock on a GPU: the loop that waits contains no vote, and the protected work stays behind it. The sub-group function
// includes all existing lanes, without a vote at the loop's exit.
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

// The store that frees the lock stays before the barrier, where the threads of a warp meet.
// CHECK-LABEL: .entry freed_by_a_store(
// CHECK:       atom.relaxed.gpu{{.*}}.cas.b32
// CHECK:       st.volatile.global.u32
// CHECK:       fence.acq_rel.cta;
// CHECK:       st.release.gpu{{.*}}.b32
// CHECK-NOT:   {{shfl|redux|bar\.}}
// CHECK:       fence.acq_rel.cta;
// CHECK:       bar.sync
kernel void freed_by_a_store(volatile global atomic_int *lock, volatile global int *sum) {
  int expected = 0;
  while (!atomic_compare_exchange_strong_explicit(lock, &expected, 1, memory_order_acquire, memory_order_relaxed,
                                                  memory_scope_device))
    expected = 0;
  *sum += 1;
  atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
  barrier(CLK_GLOBAL_MEM_FENCE);
  sum[get_global_id(0) + 1] = sub_group_reduce_add(*sum);
}

// The loop that waits may be in another function.
// CHECK-LABEL: .entry taken_by_a_function(
// CHECK:       call.uni
// CHECK:       st.volatile.global.u32
// CHECK:       st.release.gpu{{.*}}.b32
// CHECK-NOT:   {{shfl|redux|bar\.}}
// CHECK:       fence.acq_rel.cta;
// CHECK:       bar.sync
__attribute__((noinline)) void take(volatile global atomic_int *lock) {
  int expected = 0;
  while (!atomic_compare_exchange_strong_explicit(lock, &expected, 1, memory_order_acquire, memory_order_relaxed,
                                                  memory_scope_device))
    expected = 0;
}
kernel void taken_by_a_function(volatile global atomic_int *lock, volatile global int *sum) {
  take(lock);
  *sum += 1;
  atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
  barrier(CLK_GLOBAL_MEM_FENCE);
  sum[get_global_id(0) + 1] = sub_group_reduce_add(*sum);
}

// A kernel needs no fence for a call of a function without a loop that waits.
// CHECK-LABEL: .entry calls_without_a_wait(
// CHECK-NOT:   fence
// CHECK:       call.uni
// CHECK-NOT:   fence
// CHECK:       st.volatile.global.u32
// CHECK-NOT:   fence
// CHECK:       bar.sync
__attribute__((noinline)) int successor(int number) { return number + 1; }
kernel void calls_without_a_wait(volatile global int *flag, global int *out) {
  *flag = successor(*flag);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sub_group_reduce_add(1);
}

// A kernel without a wait has no such fence.
// CHECK-LABEL: .entry without_a_wait(
// CHECK-NOT:   fence
// CHECK:       st.volatile.global.u32
// CHECK-NOT:   fence
// CHECK:       bar.sync
kernel void without_a_wait(volatile global int *flag, global int *out) {
  *flag = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sub_group_reduce_add(1);
}
