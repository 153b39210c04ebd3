// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Totals of parts that may have no element.
#pragma once

namespace upsweep::distributed::detail {

template <class T>
struct PartTotal {
  T value{};
  bool is_known = false;
};

template <class T, class Op>
PartTotal<T> join(const PartTotal<T> &left, const PartTotal<T> &right, const Op &op) {
  if (!left.is_known) {
    return right;
  }
  return right.is_known ? PartTotal<T>{static_cast<T>(op(left.value, right.value)), true} : left;
}

}  // namespace upsweep::distributed::detail
