// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a call in one table, as in the CPU library. An array that is written overlaps no other array.
//
//     are_apart_in({reads(keys, n), reads(in, n, kTogether), writes(out, n, kTogether)})
//
// Arrays of one group may be the same: they begin at the same address and have elements of the same size. The check compares
// pointers alone, and only the first element of an output whose number of elements depends on values (writes_some).
#pragma once

#include <upsweep/common/call_arrays.h>
#include <upsweep/cuda/version.cuh>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

namespace upsweep::cuda::detail {

using common::CallArray, common::kApart, common::kTogether, common::kValuesTogether;

template <class It>
CallArray call_array(It it, std::uint64_t n, bool is_written, unsigned group) {
  if constexpr (std::is_pointer_v<It>) {
    if constexpr (!std::is_void_v<std::remove_pointer_t<It>>) {
      return {nullptr, reinterpret_cast<std::uintptr_t>(it), it == nullptr ? 0 : n * sizeof(*it), sizeof(*it), is_written,
              group};
    }
  }
  return {};
}
template <class It>
CallArray reads(It it, std::uint64_t n, unsigned group = kApart) {
  return call_array(it, n, false, group);
}
template <class It>
CallArray writes(It it, std::uint64_t n, unsigned group = kApart) {
  return call_array(it, n, true, group);
}
// An output with room for the elements that the call writes, n at most.
template <class It>
CallArray writes_some(It it, std::uint64_t n, unsigned group = kApart) {
  return writes(it, n > 0 ? 1 : 0, group);
}

inline bool are_apart_in(std::initializer_list<CallArray> arrays) { return common::find_overlap(arrays).first == nullptr; }

// Marks that are the input itself are written with it.
template <class Marks, class In>
unsigned group_with_input(Marks marks, In in) {
  if constexpr (std::is_pointer_v<Marks> && std::is_pointer_v<In>) {
    const bool is_input = static_cast<const volatile void *>(marks) == static_cast<const volatile void *>(in);
    return is_input && sizeof(*marks) == sizeof(*in) ? kTogether : kApart;
  } else {
    return kApart;
  }
}

}  // namespace upsweep::cuda::detail
