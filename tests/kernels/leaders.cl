// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaders of work-groups, rows or columns take one lock. `words` has the lock, the number of leaders, and where MEETS is 1 the
// number of work-items whose sub-groups met.
#ifndef LEADER  // where a compiler takes the file as it is
#define LEADER get_local_id(0) == 0
#define MEETS 1
#endif
#define FENCE atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)

kernel void leaders(volatile global int *words) {
  if (LEADER) {
    while (atomic_cmpxchg(words, 0, 1)) {
    }
    FENCE;
    words[1] += 1;
    FENCE;
    atomic_xchg(words, 0);
  }
  if (MEETS) {
    const int present = sub_group_reduce_add(1);
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_add(words + 2, present == get_sub_group_size());
  }
}
