// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of selections and partitions on CPUs (compact.cl), in place of tiles.cl, by one work-item without branches on marks.
// The first pass over a tile leaves its marks as bits for the second.
//
// Each element is stored at the place of the next kept one, and the place advances if the element is kept. An element that is
// not kept is overwritten, if a later element of the tile belongs there. The last elements are stored one by one.
#define UPS_WORD 32u
#define UPS_KEPT 1
#define UPS_STAGED ((UPS_ITEMS + 31) / 32)

uint ups_bits_of(UPS_PARAMETERS, ulong i, uint count) {
  uint bits = 0;
  if (count == UPS_WORD) {
#pragma unroll
    for (uint k = 0; k < UPS_WORD; ++k) bits |= (uint)ups_read(UPS_ARGUMENTS, i + k).mark << k;
  } else {
    for (uint k = 0; k < count; ++k) bits |= (uint)ups_read(UPS_ARGUMENTS, i + k).mark << k;
  }
  return bits;
}

ups_state ups_up(UPS_PARAMETERS, ulong base, uint count, ups_element *kept, local ups_state *stage, local ups_state *memory,
                 ups_state *before) {
  ups_state total = ups_none();
  *before = total;
  for (uint k = 0; k < count; k += UPS_WORD) {
    const uint bits = ups_bits_of(UPS_ARGUMENTS, base + k, min(UPS_WORD, count - k));
    stage[k / UPS_WORD] = bits;
    total += popcount(bits);
  }
  return total;
}

// Element i, with `run` kept elements before it.
void ups_keep(UPS_PARAMETERS, ulong i, ulong run) {
  out[UPS_OUT_PLACE(run)] = UPS_TO_OUT(in[UPS_IN_PLACE(i)]);
#if UPS_REJECTS == 3
  second[second_at + run] = UPS_TO_SECOND(stencil[UPS_STENCIL_PLACE(i)]);
#endif
}
void ups_reject(UPS_PARAMETERS, ulong i, ulong run) {
#if UPS_REJECTS == 1
  second[second_at + (i - run)] = UPS_TO_SECOND(in[UPS_IN_PLACE(i)]);
#elif UPS_REJECTS == 2
  out[UPS_OUT_PLACE(last - (i - run))] = UPS_TO_OUT(in[UPS_IN_PLACE(i)]);
#endif
}
#define UPS_HAS_REJECTS (UPS_REJECTS == 1 || UPS_REJECTS == 2)

void ups_down(UPS_PARAMETERS, ulong base, uint count, const ups_element *kept, local ups_state *stage, local ups_state *memory,
              ups_state prefix, ups_state before) {
  ups_state total = ups_none();
  for (uint w = 0; w * UPS_WORD < count; ++w) total += popcount((uint)stage[w]);
  ulong run = prefix, rejected = base - run;
  const ulong last_run = run + total, last_rejected = rejected + (count - total);
  for (uint k = 0; k < count; k += UPS_WORD) {
    uint bits = (uint)stage[k / UPS_WORD];
    const uint some = min(UPS_WORD, count - k), of_word = popcount(bits);
    // Elements that are not kept are overwritten by later words, if there are any.
    bool is_by_word = some == UPS_WORD && run + of_word < last_run;
#if UPS_HAS_REJECTS
    is_by_word = is_by_word && rejected + (some - of_word) < last_rejected;
#else
    is_by_word = is_by_word && of_word > UPS_WORD / 4;
#endif
    rejected += some - of_word;
    if (is_by_word) {
      ulong to = run;
#pragma unroll
      for (uint j = 0; j < UPS_WORD; ++j) {
        ups_keep(UPS_ARGUMENTS, base + (k + j), to);
        ups_reject(UPS_ARGUMENTS, base + (k + j), to);
        to += bits >> j & 1;
      }
      run += of_word;  // known before `to` is, so that words do not wait for each other
      continue;
    }
#if UPS_HAS_REJECTS
    for (uint j = 0; j < some; ++j, bits >>= 1) {
      if (bits & 1) {
        ups_keep(UPS_ARGUMENTS, base + (k + j), run++);
      } else {
        ups_reject(UPS_ARGUMENTS, base + (k + j), run);
      }
    }
#else
    for (; bits != 0; bits &= bits - 1) ups_keep(UPS_ARGUMENTS, base + (k + popcount(~bits & (bits - 1))), run++);
#endif
  }
}
