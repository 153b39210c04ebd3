// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments as head flags: an element that is a head starts a new segment. A segmented scan is a plain scan of pairs (value,
// head) under an operator that drops the total before a head, which is associative but does not commute. The calls by key, by
// flag and of segments are faster; this is for operators of one's own. C++17.
// Source: Schwartz 1980 and Blelloch 1990, "Prefix Sums and Their Applications", section 1.5.
#pragma once

#include <upsweep/common/standard.h>

namespace upsweep::common {

// A value, and whether a segment starts at it; of a run of elements: the total of its last segment, and whether a segment
// starts anywhere in the run.
template <class T>
struct flagged {
  T value;
  bool head;
};

// The operator on runs of elements that stand next to each other.
template <class Op>
struct segmented {
  Op op;

  template <class T>
  UPSWEEP_HOST_DEVICE constexpr flagged<T> operator()(const flagged<T> &left, const flagged<T> &right) const {
    return {right.head ? right.value : op(left.value, right.value), left.head || right.head};
  }
};
template <class Op>
segmented(Op) -> segmented<Op>;

}  // namespace upsweep::common
