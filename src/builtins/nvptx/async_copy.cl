// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between global and local memory by all work-items of a work-group, without registers between where the device can.
#include "nvptx.h"

/// Whether the device has `cp.async`: a constant, known when the kernel is compiled.
UPSWEEP_PURE bool __ups_has_async_copy(void);

HELPER bool are_aligned(__local const char *l, __global const char *g, uint bytes) {
  return (((uint)(size_t)l | (uint)(size_t)g) & (bytes - 1)) == 0;
}

// `i` runs over this work-item's pieces. Local memory has less than 4 GiB.
#define SHARE_OUT(n) for (uint i = linear_thread(), step = threads(); i < n; i += step)

/// The hardware copies 16 bytes past the first-level cache, or 4 through it. What is left over, or not aligned, goes by bytes.
void __ups_copy_to_local(__local char *to, __global const char *from, uint bytes) {
  uint done = 0;
  if (__ups_has_async_copy() && are_aligned(to, from, 16)) {
    SHARE_OUT(bytes / 16)
    __asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "l"(to + 16 * i), "l"(from + 16 * i) : "memory");
    done = bytes / 16 * 16;
  } else if (__ups_has_async_copy() && are_aligned(to, from, 4)) {
    SHARE_OUT(bytes / 4)
    __asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "l"(to + 4 * i), "l"(from + 4 * i) : "memory");
    done = bytes / 4 * 4;
  }
  SHARE_OUT(bytes - done) to[done + i] = from[done + i];
}

void __ups_copy_to_global(__global char *to, __local const char *from, uint bytes) {
  uint done = 0;
  if (are_aligned(from, to, 16)) {
    SHARE_OUT(bytes / 16)((__global uint4 *)to)[i] = ((__local const uint4 *)from)[i];
    done = bytes / 16 * 16;
  } else if (are_aligned(from, to, 4)) {
    SHARE_OUT(bytes / 4)((__global uint *)to)[i] = ((__local const uint *)from)[i];
    done = bytes / 4 * 4;
  }
  SHARE_OUT(bytes - done) to[done + i] = from[done + i];
}

void __ups_wait_for_copies(void) {
  if (__ups_has_async_copy()) __asm volatile("cp.async.wait_all;" : : : "memory");
  block_barrier();
}
