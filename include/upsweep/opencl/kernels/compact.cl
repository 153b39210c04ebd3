// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of selections and partitions (tiles.cl): the scan of how many elements are kept.
//
// UPS_MARKS      which are kept: 1 by UPS_PREDICATE(x[i]), 2 by flags, 3 by bits of words of 32, 4 by
//                UPS_PREDICATE(stencil[i]), 5 the first of each run of elements of the stencil that are UPS_EQUAL
// UPS_REJECTS    the others: 0 dropped, 1 to `second`, 2 to the end of `out`, backward; 3: dropped, and the stencil's elements
//                that are kept go to `second`
// UPS_STENCIL    type of the stencil's elements, UPS_SECOND that of `second`'s, UPS_NUMBER that of the count
#define UPS_PARAMETERS                                                                                                         \
  UPS_IN_PARAMETERS, UPS_STENCIL_PARAMETERS, UPS_OUT_PARAMETERS, global UPS_SECOND *second, ulong second_at,                   \
      global UPS_NUMBER *number, ulong number_at, ulong last
#define UPS_ARGUMENTS UPS_IN_ARGUMENTS, UPS_STENCIL_ARGUMENTS, UPS_OUT_ARGUMENTS, second, second_at, number, number_at, last

#undef UPS_SET_LAST
#define UPS_SET_LAST last = n - 1;

ups_state ups_first(UPS_PARAMETERS) { return ups_none(); }

ups_element ups_read(UPS_PARAMETERS, ulong i) {
  const UPS_IN x = in[UPS_IN_PLACE(i)];
#if UPS_MARKS == 1
  return ups_marked(x, UPS_PREDICATE(x) ? 1 : 0);
#elif UPS_MARKS == 2
  return ups_marked(x, stencil[UPS_STENCIL_PLACE(i)] != 0 ? 1 : 0);
#elif UPS_MARKS == 3
  return ups_marked(x, stencil[UPS_STENCIL_PLACE(i / 32)] >> (i % 32) & 1);
#elif UPS_MARKS == 4
  return ups_marked(x, UPS_PREDICATE(stencil[UPS_STENCIL_PLACE(i)]) ? 1 : 0);
#else
  return ups_marked(x, i == 0 || !UPS_EQUAL(stencil[UPS_STENCIL_PLACE(i - 1)], stencil[UPS_STENCIL_PLACE(i)]) ? 1 : 0);
#endif
}

ups_state ups_state_of(UPS_PARAMETERS, ulong i, ups_element element) { return element.mark; }

void ups_write(UPS_PARAMETERS, ulong i, ups_element element, ups_state before) {
  if (element.mark) {
    out[UPS_OUT_PLACE(before)] = UPS_TO_OUT(element.x);
#if UPS_REJECTS == 3
    second[second_at + before] = UPS_TO_SECOND(stencil[UPS_STENCIL_PLACE(i)]);
#endif
  } else {
#if UPS_REJECTS == 1
    second[second_at + (i - before)] = UPS_TO_SECOND(element.x);
#elif UPS_REJECTS == 2
    out[UPS_OUT_PLACE(last - (i - before))] = UPS_TO_OUT(element.x);
#endif
  }
}

void ups_finish(UPS_PARAMETERS, ups_state total) { number[number_at] = (UPS_NUMBER)total; }

// Of rows.cl.
#define UPS_MOVE(from, to)                                                                                                     \
  in_at += from;                                                                                                               \
  stencil_at += from;                                                                                                          \
  out_at += to;
ups_state ups_first_of(UPS_PARAMETERS, ulong row) { return ups_none(); }
void ups_finish_column(UPS_PARAMETERS, ulong row, ups_state total) { number[number_at + row] = (UPS_NUMBER)total; }
