// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Room for the records of printf. The launch's buffer is a counter of the bytes asked for so far, then the records
// (src/targets/cuda/kernel_abi.h).
#include "nvptx.h"

/// Null when less than `bytes` of `capacity` are left. Counting goes on then, so that just one work-item finds that a part of the
/// rest is its own: its mark ends the records.
__global ulong *__ups_printf_room(ulong bytes, ulong capacity) {
  __global ulong *buffer = __ups_printf_buffer();
  ulong start;
  __asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;" : "=l"(start) : "l"(buffer), "l"(bytes) : "memory");
  __global ulong *room = buffer + 1 + start / 8;
  if (start + bytes <= capacity) return room;
  if (start < capacity) *room = 0;
  return 0;
}
