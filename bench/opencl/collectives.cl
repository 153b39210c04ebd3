// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One collective function per program, so that a platform without it fails only there. TYPE is the element type and
// COLLECTIVE the function of one value; without it the kernel is the plain copy that the others are compared with.
#ifdef USES_HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

// The broadcasts take the lane as well; any but the first shows that it is honoured.
#define work_group_broadcast_3(x) work_group_broadcast(x, 3)
#define sub_group_broadcast_3(x) sub_group_broadcast(x, 3)

#ifndef COLLECTIVE
#define COLLECTIVE(x) (x)
#endif

kernel void collective(global const TYPE *in, global TYPE *out) {
  size_t i = get_global_id(0);
  out[i] = COLLECTIVE(in[i]);
}
