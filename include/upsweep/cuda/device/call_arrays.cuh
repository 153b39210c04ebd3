// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a call in one table, as in the CPU library. An array that is written overlaps no other array.
//
//     are_apart_in({reads(keys, n), reads(in, n, kTogether), writes(out, n, kTogether)})
//
// Arrays of one group may be the same: they begin at the same address and have elements of the same size. The check compares
// pointers alone, and only the first element of an output whose number of elements depends on values (writes_some).
#pragma once

#include <upsweep/cuda/device/arguments.cuh>

#include <initializer_list>

namespace upsweep::cuda::detail {

struct CallArray {
  std::uintptr_t begin = 0;
  std::uint64_t bytes = 0;  // 0: no array
  std::size_t element_bytes = 0;
  bool is_written = false;
  unsigned group = 0;
};

inline constexpr unsigned kApart = 0, kTogether = 1, kOthersTogether = 2;

template <class It>
CallArray call_array(It it, std::uint64_t n, bool is_written, unsigned group) {
  if constexpr (std::is_pointer_v<It>) {
    if constexpr (!std::is_void_v<std::remove_pointer_t<It>>) {
      return {reinterpret_cast<std::uintptr_t>(it), it == nullptr ? 0 : n * sizeof(*it), sizeof(*it), is_written, group};
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

inline bool are_apart_in(std::initializer_list<CallArray> arrays) {
  for (const CallArray *a = arrays.begin(); a != arrays.end(); ++a) {
    for (const CallArray *b = a + 1; b != arrays.end(); ++b) {
      const bool may_be_same =
          a->group != 0 && a->group == b->group && a->begin == b->begin && a->element_bytes == b->element_bytes;
      if ((a->is_written || b->is_written) && a->bytes > 0 && b->bytes > 0 && a->begin < b->begin + b->bytes &&
          b->begin < a->begin + a->bytes && !may_be_same) {
        return false;
      }
    }
  }
  return true;
}

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
