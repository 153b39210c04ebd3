// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One collective function per program, so that a platform without it fails only there. TYPE is the element type and
// COLLECTIVE the function of one value; without it the kernel is the plain copy that the others are compared with. GROUP is the
// work-group's size. A platform without these functions gets collectives_emulated.cl before this file.
#ifdef USES_HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

// The broadcasts take the lane as well; any but the first shows that it is honoured.
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

// Many calls for each element, so that it is the function that takes the time: of the element and of one minus it in turns.
// Keeps the greatest result; of integers the sum, since the greatest of 64-bit ones would take more than some functions. No
// compiler may see that every other call is the same.
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
