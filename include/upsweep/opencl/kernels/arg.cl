// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The least (UPS_LEAST 1) or largest element of an array and its index, the first of equal ones: first in parts, then among
// the parts' results.
//
// UPS_INDEXED   a struct of UPS_IN value, ulong index; an index of ULONG_MAX stands for no element.
#define UPS_CHAINS (UPS_GROUP == 1 ? 32 : 8)
#if UPS_LEAST
#define UPS_IS_BEFORE(a, b) ((a) < (b))
#else
#define UPS_IS_BEFORE(a, b) ((b) < (a))
#endif
// A number precedes a NaN.
#ifdef UPS_IN_UNSIGNED
#define UPS_IS_BETTER(a, b) UPS_IS_BEFORE(a, b)
#else
#define UPS_IS_BETTER(a, b) (UPS_IS_BEFORE(a, b) || ((b) != (b) && (a) == (a)))
#endif

UPS_INDEXED ups_better(UPS_INDEXED a, UPS_INDEXED b) {
  if (b.index == ULONG_MAX) return a;
  if (a.index == ULONG_MAX || UPS_IS_BETTER(b.value, a.value)) return b;
  return !UPS_IS_BETTER(a.value, b.value) && b.index < a.index ? b : a;
}

// The result of a work-group, in its first work-item.
UPS_INDEXED ups_best_of_group(UPS_INDEXED mine, local UPS_INDEXED *memory) {
  const uint item = get_local_id(0);
  memory[item] = mine;
  for (uint width = UPS_GROUP / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < width) memory[item] = ups_better(memory[item], memory[item + width]);
  }
  return memory[0];
}

UPS_KERNEL ups_arg_of_parts(UPS_IN_PARAMETERS, UPS_N_PARAMETERS, ulong per, global UPS_INDEXED *parts) {
  local UPS_INDEXED memory[UPS_GROUP];
  UPS_SET_N
  const ulong begin = min(get_group_id(0) * per * UPS_TILE, n), end = min(begin + per * UPS_TILE, n);
  const uint item = get_local_id(0);
  UPS_INDEXED best;
  best.index = ULONG_MAX;
  if (begin < end) {
    UPS_IN values[UPS_CHAINS];
    uint rows[UPS_CHAINS];  // index; UINT_MAX: the first of the part
    for (uint c = 0; c < UPS_CHAINS; ++c) {
      values[c] = in[UPS_IN_PLACE(begin)];
      rows[c] = UINT_MAX;
    }
    ulong i = begin;
    for (uint row = 0; i + UPS_CHAINS * UPS_GROUP <= end; ++row, i += UPS_CHAINS * UPS_GROUP) {
#pragma unroll
      for (uint c = 0; c < UPS_CHAINS; ++c) {
        const UPS_IN x = in[UPS_IN_PLACE(i + (c * UPS_GROUP + item))];
        const bool is_better = UPS_IS_BETTER(x, values[c]);
        values[c] = is_better ? x : values[c];
        rows[c] = is_better ? row : rows[c];
      }
    }
    for (uint c = 0; c < UPS_CHAINS; ++c) {
      UPS_INDEXED other;
      other.value = values[c];
      other.index = rows[c] == UINT_MAX ? begin : begin + (ulong)rows[c] * (UPS_CHAINS * UPS_GROUP) + (c * UPS_GROUP + item);
      best = ups_better(best, other);
    }
    for (i += item; i < end; i += UPS_GROUP) {
      UPS_INDEXED other;
      other.value = in[UPS_IN_PLACE(i)];
      other.index = i;
      best = ups_better(best, other);
    }
  }
  best = ups_best_of_group(best, memory);
  if (item == 0) parts[get_group_id(0)] = best;
}

UPS_KERNEL ups_arg_of_all(global const UPS_INDEXED *parts, ulong count, global UPS_INDEXED *out, ulong out_at) {
  local UPS_INDEXED memory[UPS_GROUP];
  UPS_INDEXED best;
  best.index = ULONG_MAX;
  for (ulong i = get_local_id(0); i < count; i += UPS_GROUP) best = ups_better(best, parts[i]);
  best = ups_best_of_group(best, memory);
  if (get_local_id(0) == 0 && best.index != ULONG_MAX) out[out_at] = best;
}
