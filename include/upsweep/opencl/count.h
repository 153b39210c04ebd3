// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of a call's elements: a number, or one that the device reads when the call runs.
//
//     up::inclusive_sum(x, out, n, queue);
//     up::inclusive_sum(x, out, up::count_at(kept, n), queue);   // behind a selection of at most n
#pragma once

#include <upsweep/opencl/array.h>

#include <optional>

namespace upsweep::opencl {

// The integer at `at`, which is at least 0; above `at_most` it counts as that. Arrays have room for `at_most` elements.
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

}  // namespace upsweep::opencl
