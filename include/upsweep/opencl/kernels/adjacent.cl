// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UPS_DIFFERENCE(x, before) of each element and its predecessor. The first element is copied.
UPS_KERNEL ups_adjacent(global const UPS_IN *in, ulong in_at, global UPS_OUT *out, ulong out_at, UPS_N_PARAMETERS) {
  UPS_SET_N
  const ulong begin = get_group_id(0) * UPS_TILE + get_local_id(0);
#pragma unroll
  for (uint k = 0; k < UPS_ITEMS; ++k) {
    const ulong i = begin + k * UPS_GROUP;
    if (i < n) out[out_at + i] = i == 0 ? UPS_TO_OUT(in[in_at]) : UPS_DIFFERENCE(in[in_at + i], in[in_at + i - 1]);
  }
}
