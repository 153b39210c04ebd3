// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags at the beginnings of segments, which need not be sorted. Offsets of n and more, as in empty segments at the end, get
// no flag.
UPS_KERNEL ups_mark_heads(global const UPS_IN *offsets, ulong offsets_at, ulong segments, ulong n, global uchar *flags) {
  const ulong k = get_global_id(0);
  if (k < segments && (ulong)offsets[offsets_at + k] < n) flags[offsets[offsets_at + k]] = 1;
}
