// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of a call's elements, and its initial value: from the host, or from device memory, read when the call runs.
//
//     up::inclusive_sum(x, out, n, queue);
//     up::inclusive_sum(x, out, up::count_at(kept, n), queue);   // behind a selection of at most n
//     up::exclusive_scan(x, out, n, up::plus{}, up::initial_at(total), queue);
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/array.h>

#include <optional>

namespace upsweep::opencl {

// The integer at `at`, which is at least 0 and counts as `at_most` if it is larger. Arrays have room for `at_most` elements.
struct count_at {
  array at;
  std::uint64_t at_most;
  count_at(array number, std::uint64_t most) : at(std::move(number)), at_most(most) {}
};

struct element_count {
  std::uint64_t most;
  std::optional<array> at;

  template <class N>
    requires std::is_integral_v<N>
  element_count(N n) : most(static_cast<std::uint64_t>(n)) {}
  element_count(const count_at &count) : most(count.at_most), at(count.at) {}
};

// The initial value at `at`, which is read when the call runs; its type is that of totals.
struct initial_at {
  array at;
  explicit initial_at(array element) : at(std::move(element)) {}
};

// An initial value, from the host or in device memory.
struct initial_value : value {
  std::optional<array> at;

  template <class T, class = std::enable_if_t<std::is_trivially_copyable_v<T>>, class = decltype(type_of<T>::value())>
  initial_value(const T &element) : value(element) {}
  initial_value(const value &element) : value(element) {}
  initial_value(const initial_at &place) : value(place.at.type, std::array<unsigned char, kMaxBytes>().data()), at(place.at) {}
};

}  // namespace upsweep::opencl
#endif
