// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments that device-wide calls have in common, and the checks of them.
#pragma once

#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/options.cuh>
#include <upsweep/cuda/workspace.cuh>

namespace upsweep::cuda::detail {

// A word for each tile of at least two warps.
constexpr std::size_t words_workspace_bytes(std::uint64_t n, std::size_t total, std::size_t largest) {
  const std::uint64_t tiles = n / (2 * fewest_warp_items(largest)) + 1;
  const std::uint64_t groups = (tiles + kGroup - 1) / kGroup;
  return kStateBytes + groups * kGroup * word_bytes(total);
}

inline constexpr std::uint64_t kMostElements = 1ull << 40;
inline constexpr std::uint64_t kFarthestElement = 1ull << 50;  // with gaps between rows

struct Count {
  std::uint64_t most;
  const std::uint64_t *pointer;
  bool is_null;  // a pointer was given, which is null
};
inline Count count_of(std::uint64_t n) { return {n, nullptr, false}; }
inline Count count_of(const count_at &n) { return {n.at_most, n.pointer, n.pointer == nullptr}; }

// True unless both are pointers to arrays that overlap without being the same.
template <class In, class Out>
bool may_be_together(In in, Out out, std::uint64_t n) {
  if constexpr (is_contiguous<In> && is_contiguous<Out>) {
    const auto in_begin = reinterpret_cast<std::uintptr_t>(in);
    const auto out_begin = reinterpret_cast<std::uintptr_t>(out);
    const std::uintptr_t in_end = in_begin + n * sizeof(*in);
    const std::uintptr_t out_end = out_begin + n * sizeof(*out);
    return in_end <= out_begin || out_end <= in_begin || (in_begin == out_begin && sizeof(*in) == sizeof(*out));
  } else {
    return true;
  }
}

template <class Iterator>
bool is_null(Iterator iterator) {
  if constexpr (std::is_pointer_v<Iterator>) {
    return iterator == nullptr;
  } else {
    return false;
  }
}

}  // namespace upsweep::cuda::detail
