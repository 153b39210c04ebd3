// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common code of reductions of many parts (reduce_segments.cl, reduce_columns.cl): the total of neighbouring elements by
// one work-item, and the conversion of a total to a result.
//
// UPS_TO_T(x, i)     element i as a total.
// UPS_TO_OUT(x)      a total as an output's element.
// UPS_COMMUTES       1: operands may change places.
// UPS_HAS_INITIAL    1: `initial` is the first operand.
// UPS_FROM_BEGIN     1: totals have a member `index`, which counts from the part's begin.
#define UPS_CHAINS 32u  // as in reduce.cl: loads and operations overlap
#define UPS_SLICES 8u   // for operators that do not commute

// The total of from[begin] to from[end - 1].
ups_maybe ups_total_of(global const UPS_IN *from, ulong begin, ulong end) {
  ups_maybe total = ups_nothing();
  ulong i = begin;
  if (end <= begin) return total;  // also where offsets fall
#if UPS_COMMUTES
  if (end - begin >= 2 * UPS_CHAINS) {
    ups_maybe sums[UPS_CHAINS];
    for (uint c = 0; c < UPS_CHAINS; ++c) sums[c] = ups_some(UPS_TO_T(from[i + c], i + c));
    for (i += UPS_CHAINS; i + UPS_CHAINS <= end; i += UPS_CHAINS) {
#pragma unroll
      for (uint c = 0; c < UPS_CHAINS; ++c) sums[c] = ups_apply_maybe(sums[c], ups_some(UPS_TO_T(from[i + c], i + c)));
    }
    for (uint width = UPS_CHAINS / 2; width > 0; width /= 2) {
      for (uint c = 0; c < width; ++c) sums[c] = ups_apply_maybe(sums[c], sums[c + width]);
    }
    total = sums[0];
  }
#else
  if (end - begin >= 32 * UPS_SLICES) {
    const ulong slice = (end - begin) / UPS_SLICES;
    ups_maybe sums[UPS_SLICES];
    for (uint c = 0; c < UPS_SLICES; ++c) sums[c] = ups_nothing();
    for (ulong k = 0; k < slice; ++k) {
#pragma unroll
      for (uint c = 0; c < UPS_SLICES; ++c) {
        const ulong place = begin + c * slice + k;
        sums[c] = ups_apply_maybe(sums[c], ups_some(UPS_TO_T(from[place], place)));
      }
    }
    for (uint c = 0; c < UPS_SLICES; ++c) total = ups_apply_maybe(total, sums[c]);
    i += UPS_SLICES * slice;
  }
#endif
  for (; i < end; ++i) total = ups_apply_maybe(total, ups_some(UPS_TO_T(from[i], i)));
  return total;
}

UPS_OUT ups_result_of(ups_maybe total, UPS_INITIAL_PARAMETERS, ulong begin) {
#if UPS_FROM_BEGIN
  UPS_T best = ups_value(total);
  if (best.index != ULONG_MAX) best.index -= begin;
  return best;
#elif UPS_HAS_INITIAL
  return UPS_TO_OUT(ups_value(ups_apply_maybe(ups_some(UPS_INITIAL), total)));
#else
  return UPS_TO_OUT(ups_value(total));
#endif
}
