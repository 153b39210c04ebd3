// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first row and the first column of exclusive summed-area tables: `each` elements, the first `across` of which form the
// row.
UPS_KERNEL ups_clear_borders(global UPS_OUT *out, ulong out_at, ulong across, ulong each, ulong all, ulong channels,
                             ulong pitch, ulong stride) {
  const ulong begin = get_group_id(0) * (ulong)UPS_TILE, end = min(begin + UPS_TILE, all);
  for (ulong i = begin + get_local_id(0); i < end; i += UPS_GROUP) {
    const ulong image = i / each, place = i % each;
    const ulong below = place < across ? 0 : place - across;
    const ulong at = place < across ? place : (below / channels + 1) * pitch + below % channels;
    out[out_at + image * stride + at] = 0;
  }
}
