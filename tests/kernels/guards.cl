// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards on numbers that step from work-item to work-item, with every comparison. The numbers are all on one side of the
// limit, on both sides, or wrap between two work-items.
#include "guards.h"

#define GUARD(place, condition)                                                                                                \
  if (condition)                                                                                                               \
    out[SLOTS * i + place] += value;                                                                                           \
  else                                                                                                                         \
    out[SLOTS * i + place] = 3 * value;

kernel void guards(global int *out, int limit, int start) {
  int value = out[SLOTS * get_global_id(0)];
  uint i = get_global_id(0);
  uint up = (uint)start + i, far = (uint)start + 5 * i, down = (uint)start - i;
  ulong wide = (ulong)(long)start + get_global_id(0);
  EACH_GUARD
}
