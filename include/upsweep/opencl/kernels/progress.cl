// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the progress that look-back needs from a device: a waiting work-group must let an earlier one continue. Each
// work-group takes a ticket, passes a barrier, waits for the word of the previous ticket, and sets its own word. A wait ends
// after `limit` reads, so that the test ends on every device; words[1] counts these waits.
//
// This file is read behind look_back.cl with a state of one uint.
UPS_KERNEL ups_progress(volatile global ulong *words, uint limit) {
  local uint ticket;
  volatile global uint *given_up = (volatile global uint *)(words + 1);
  if (get_local_id(0) == 0) ticket = atomic_inc((volatile global uint *)words);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    uint looks = 0;
    while (ticket > 0 && ups_load_word(words + 1 + ticket) == 0) {
      if (++looks == limit) atomic_inc(given_up);
      if (looks >= limit || (looks % 1024 == 0 && atomic_add(given_up, 0) != 0)) break;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == UPS_GROUP - 1) ups_store_word(words + 2 + ticket, 1);
}
