// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of partitions in three ways (tiles.cl): a state has the number of elements of the first part in its low 32 bits, and
// of the second part in the high ones.
//
// UPS_IS_FIRST(x), UPS_IS_SECOND(x)   the predicates; the second is asked where the first is false.
#define UPS_PARAMETERS                                                                                                         \
  global const UPS_IN *in, ulong in_at, global UPS_OUT *first_part, ulong first_at, global UPS_SECOND *second_part,            \
      ulong second_at, global UPS_THIRD *third_part, ulong third_at, global UPS_NUMBER *numbers, ulong numbers_at
#define UPS_ARGUMENTS in, in_at, first_part, first_at, second_part, second_at, third_part, third_at, numbers, numbers_at

ups_state ups_first(UPS_PARAMETERS) { return ups_none(); }
ups_element ups_read(UPS_PARAMETERS, ulong i) {
  const UPS_IN x = in[in_at + i];
  return ups_marked(x, UPS_IS_FIRST(x) ? 0 : UPS_IS_SECOND(x) ? 1 : 2);
}

ups_state ups_state_of(UPS_PARAMETERS, ulong i, ups_element element) {
  return element.mark == 0 ? 1 : element.mark == 1 ? 1UL << 32 : 0;
}

void ups_write(UPS_PARAMETERS, ulong i, ups_element element, ups_state before) {
  const ulong firsts = (uint)before, seconds = before >> 32;
  if (element.mark == 0) {
    first_part[first_at + firsts] = UPS_TO_OUT(element.x);
  } else if (element.mark == 1) {
    second_part[second_at + seconds] = UPS_TO_SECOND(element.x);
  } else {
    third_part[third_at + (i - firsts - seconds)] = UPS_TO_THIRD(element.x);
  }
}

void ups_finish(UPS_PARAMETERS, ups_state total) {
  numbers[numbers_at] = (UPS_NUMBER)(uint)total;
  numbers[numbers_at + 1] = (UPS_NUMBER)(total >> 32);
}
