// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Space for the records of printf. The launch's buffer starts with a counter of the requested bytes; the records follow
// (src/targets/cuda/kernel_abi.h).
#include "nvptx.h"

/// Null if less than `bytes` of `capacity` are left. The counter still increases, so exactly one work-item owns the start of the
/// remaining space: its mark ends the records.
__global ulong *__ups_printf_room(ulong bytes, ulong capacity) {
  __global ulong *buffer = __ups_printf_buffer();
  ulong start;
  __asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;" : "=l"(start) : "l"(buffer), "l"(bytes) : "memory");
  __global ulong *room = buffer + 1 + start / 8;
  if (start + bytes <= capacity) return room;
  if (start < capacity) *room = 0;
  return 0;
}
