// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a call in one table, which is checked before anything is written. No array is null, and an array that is
// written overlaps no other array.
//
//     require_arrays({reads("keys", keys, n), reads("the input", in, n, kTogether), writes("the output", out, n, kTogether)});
//
// Arrays of one group may be the same: they begin at the same address and have elements of the same size. The check compares
// contiguous arrays alone, and only the first element of an output whose number of elements depends on values (writes_some).
#pragma once

#include <upsweep/common/call_arrays.h>
#include <upsweep/cpu/detail/arguments.h>

#include <stdexcept>
#include <string>

namespace upsweep::cpu::detail {

using common::CallArray, common::kApart, common::kTogether, common::kValuesTogether;

template <class It>
CallArray call_array(const char *name, It it, std::uint64_t n, bool is_written, unsigned group) {
  require_array(it, n, name);
  CallArray array{name, 0, 0, 0, is_written, group};
  if constexpr (is_contiguous<It>) {
    if (n > 0) {
      array.begin = reinterpret_cast<std::uintptr_t>(address(it));
      array.element_bytes = sizeof(*it);
      if (n > (~std::uintptr_t(0) - array.begin) / sizeof(*it)) {
        throw std::invalid_argument(std::string("upsweep::cpu: ") + name + " exceeds the address space");
      }
      array.bytes = n * sizeof(*it);
    }
  }
  return array;
}

template <class It>
CallArray reads(const char *name, It it, std::uint64_t n, unsigned group = kApart) {
  return call_array(name, it, n, false, group);
}
template <class It>
CallArray writes(const char *name, It it, std::uint64_t n, unsigned group = kApart) {
  return call_array(name, it, n, true, group);
}
// An output with room for the elements that the call writes, n at most.
template <class It>
CallArray writes_some(const char *name, It it, std::uint64_t n, unsigned group = kApart) {
  return writes(name, it, n > 0 ? 1 : 0, group);
}

inline void require_arrays(std::initializer_list<CallArray> arrays) {
  if (const auto [a, b] = common::find_overlap(arrays); a != nullptr) {
    throw std::invalid_argument(std::string("upsweep::cpu: ") + a->name + " and " + b->name + " overlap; they must be apart" +
                                (a->group != 0 && a->group == b->group ? " or the same array" : ""));
  }
}

// The place for the total that an option of the call asks for, if any.
template <class... Options>
CallArray total_array(const Options &...options) {
  const auto option = find_option<total_to>(0, options...);
  if constexpr (std::is_same_v<std::remove_const_t<decltype(option)>, int>) {
    return {"the total"};
  } else {
    return writes("the total", option.to, 1);
  }
}

// The group of flags, a stencil or keys that belong to an input: if one is the input itself, the output may overwrite it.
template <class Marked, class In>
unsigned group_with_input(Marked marked, In in) {
  if constexpr (is_contiguous<Marked> && is_contiguous<In>) {
    return is_same_array(marked, in) && sizeof(*marked) == sizeof(*in) ? kTogether : kApart;
  } else {
    return kApart;
  }
}

}  // namespace upsweep::cpu::detail
