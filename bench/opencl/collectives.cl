// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each program has one collective function, so that a platform without it fails only there. TYPE is the element type and
// COLLECTIVE the function of one value. Without COLLECTIVE the kernel is the plain copy for comparison. GROUP is the
// work-group's size. collectives_emulated.cl precedes this file on platforms without these functions.
#ifdef USES_HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

// Broadcasts also take the lane; a lane other than the first shows that it is used.
#define work_group_broadcast_3(x) work_group_broadcast(x, 3)
#define sub_group_broadcast_3(x) sub_group_broadcast(x, 3)

#ifndef COLLECTIVE
#define COLLECTIVE(x) (x)
#endif
#ifndef EMULATION_MEMORY
#define EMULATION_MEMORY
#endif

kernel void collective(global const TYPE *in, global TYPE *out) {
  EMULATION_MEMORY
  size_t i = get_global_id(0);
  out[i] = COLLECTIVE(in[i]);
}

// Many calls for each element, so that the function dominates the time. Arguments alternate between the element and one minus
// it, so that no compiler sees that every second call is the same. The greatest result is kept; for integers the sum, since
// the greatest of 64-bit integers would take longer than some functions.
#ifdef INTEGER
#define KEEP(kept, result) ((kept) + (result))
#define OTHER(x, count) ((TYPE)((x) * (TYPE)((count) | 1) + 1) & 1)
#else
#define KEEP(kept, result) ((result) > (kept) ? (result) : (kept))
#define OTHER(x, count) (1 - (x))
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void rounds(global const TYPE *in, global TYPE *out, int count) {
  EMULATION_MEMORY
  size_t i = get_global_id(0);
  TYPE x = in[i], kept = 0;
  for (int round = 0; round < count; ++round) {
    TYPE result = COLLECTIVE(x);
    kept = KEEP(kept, result);
    x = OTHER(x, count);
  }
  out[i] = kept;
}
