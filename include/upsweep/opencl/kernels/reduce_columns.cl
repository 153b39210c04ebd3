// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions along an axis with neighbours behind it; included behind reduction.cl. Columns are counted over all batches; a
// part of a column is `per` rows. Totals of parts have the layout of the elements: contiguous rows of neighbouring columns in
// each batch, so that the same kernel reduces them. Brackets depend on the shape and the device alone.
//
// UPS_COLUMNS   neighbouring columns of a work-group; with UPS_GROUP 1 the most columns, all of one batch.
// indices       the distance of the indices of the first elements of successive batches.

#if UPS_GROUP == 1
// UPS_TOGETHER rows are read together, so that totals are loaded and stored once for all of them.
#define UPS_TOGETHER 4u
void ups_reduce_strip(global const UPS_IN *from, global UPS_OUT *out, UPS_INITIAL_PARAMETERS, ulong begin, ulong end,
                      ulong along, ulong index, uint width) {
  ups_maybe sums[UPS_COLUMNS];
  for (uint c = 0; c < width; ++c) sums[c] = ups_some(UPS_TO_T(from[begin * along + c], index + begin));
  ulong row = begin + 1;
  for (; row + UPS_TOGETHER <= end; row += UPS_TOGETHER) {
    global const UPS_IN *at = from + row * along;
    for (uint c = 0; c < width; ++c) {
      const ups_maybe first =
          ups_apply_maybe(ups_some(UPS_TO_T(at[c], index + row)), ups_some(UPS_TO_T(at[along + c], index + row + 1)));
      const ups_maybe second = ups_apply_maybe(ups_some(UPS_TO_T(at[2 * along + c], index + row + 2)),
                                               ups_some(UPS_TO_T(at[3 * along + c], index + row + 3)));
      sums[c] = ups_apply_maybe(sums[c], ups_apply_maybe(first, second));
    }
  }
  for (; row < end; ++row) {
    for (uint c = 0; c < width; ++c) {
      sums[c] = ups_apply_maybe(sums[c], ups_some(UPS_TO_T(from[row * along + c], index + row)));
    }
  }
  for (uint c = 0; c < width; ++c) out[c] = ups_result_of(sums[c], UPS_INITIAL_ARGUMENTS, 0);
}

#else
#define UPS_LANES (UPS_GROUP / UPS_COLUMNS)
#define UPS_ROWS_AT_ONCE 4u

// The total of a work-item's rows: each UPS_LANES-th row, or neighbours if operands keep their order.
ups_maybe ups_total_of_rows(global const UPS_IN *from, ulong begin, ulong end, ulong along, ulong index, uint lane) {
  ups_maybe total = ups_nothing();
#if UPS_COMMUTES
  ups_maybe sums[UPS_ROWS_AT_ONCE];
  for (uint k = 0; k < UPS_ROWS_AT_ONCE; ++k) sums[k] = ups_nothing();
  ulong row = begin + lane;
  for (; row + (UPS_ROWS_AT_ONCE - 1) * UPS_LANES < end; row += UPS_ROWS_AT_ONCE * UPS_LANES) {
#pragma unroll
    for (uint k = 0; k < UPS_ROWS_AT_ONCE; ++k) {
      const ulong at = row + k * UPS_LANES;
      sums[k] = ups_apply_maybe(sums[k], ups_some(UPS_TO_T(from[at * along], index + at)));
    }
  }
  for (; row < end; row += UPS_LANES) total = ups_apply_maybe(total, ups_some(UPS_TO_T(from[row * along], index + row)));
  for (uint k = 0; k < UPS_ROWS_AT_ONCE; ++k) total = ups_apply_maybe(total, sums[k]);
#else
  const ulong rows = (end - begin + UPS_LANES - 1) / UPS_LANES, last = min(end, begin + (lane + 1) * rows);
  for (ulong row = begin + lane * rows; row < last; ++row) {
    total = ups_apply_maybe(total, ups_some(UPS_TO_T(from[row * along], index + row)));
  }
#endif
  return total;
}
#endif

UPS_KERNEL ups_reduce_columns(global const UPS_IN *in, ulong in_at, global UPS_OUT *out, ulong out_at, UPS_INITIAL_PARAMETERS,
                              ulong batches, ulong length, ulong inner, ulong in_batch, ulong in_along, ulong parts, ulong per,
                              ulong indices) {
#if UPS_GROUP == 1
  const ulong strips = (inner + UPS_COLUMNS - 1) / UPS_COLUMNS, all = batches * strips * parts;
  const ulong share = (all + get_num_groups(0) - 1) / get_num_groups(0);
  const ulong first = get_group_id(0) * share;
  for (ulong piece = first; piece < min(first + share, all); ++piece) {
    const ulong part = piece / strips % parts, batch = piece / strips / parts, column = piece % strips * UPS_COLUMNS;
    const ulong begin = part * per, end = min(begin + per, length);
    global const UPS_IN *from = in + in_at + batch * in_batch + column;
    global UPS_OUT *to = out + out_at + (batch * parts + part) * inner + column;
    if (column + UPS_COLUMNS <= inner) {
      ups_reduce_strip(from, to, UPS_INITIAL_ARGUMENTS, begin, end, in_along, batch * indices, UPS_COLUMNS);
    } else {
      ups_reduce_strip(from, to, UPS_INITIAL_ARGUMENTS, begin, end, in_along, batch * indices, (uint)(inner - column));
    }
  }
#else
  local ups_maybe memory[UPS_GROUP];
  const uint item = get_local_id(0), lane = item / UPS_COLUMNS;
  const ulong columns = batches * inner, strips = (columns + UPS_COLUMNS - 1) / UPS_COLUMNS;
  const ulong part = get_group_id(0) / strips, column = get_group_id(0) % strips * UPS_COLUMNS + item % UPS_COLUMNS;
  const ulong begin = part * per, end = column < columns ? min(begin + per, length) : begin;
  const ulong batch = column / inner, place = column % inner;
  memory[item] = ups_total_of_rows(in + in_at + batch * in_batch + place, begin, end, in_along, batch * indices, lane);
  for (uint distance = 1; distance < UPS_LANES; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane % (2 * distance) == 0) memory[item] = ups_apply_maybe(memory[item], memory[item + distance * UPS_COLUMNS]);
  }
  if (lane == 0 && column < columns) {
    out[out_at + (batch * parts + part) * inner + place] = ups_result_of(memory[item], UPS_INITIAL_ARGUMENTS, 0);
  }
#endif
}
