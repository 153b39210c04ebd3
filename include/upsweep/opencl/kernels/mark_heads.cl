// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags at the beginnings of segments, which need not be sorted; offsets of n and more, which empty segments at the end have,
// are none.
UPS_KERNEL ups_mark_heads(global const UPS_IN *offsets, ulong offsets_at, ulong segments, ulong n, global uchar *flags) {
  const ulong k = get_global_id(0);
  if (k < segments && (ulong)offsets[offsets_at + k] < n) flags[offsets[offsets_at + k]] = 1;
}
