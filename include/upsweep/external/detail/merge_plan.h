// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks of a merge, and the number of runs that one pass merges.
#pragma once

#include <upsweep/external/detail/form_runs.h>

#include <stdexcept>
#include <string>

namespace upsweep::external::detail {

struct merge_plan {
  std::uint64_t least = 0;   // elements of the smallest block
  std::uint64_t most = 0;    // elements of the largest block: longer ones are no faster
  std::uint64_t memory = 0;  // elements

  // The output has two blocks of twice the length, and each run has two blocks.
  std::uint64_t fan_in() const { return (memory / least - 4) / 2; }
  std::uint64_t block(std::uint64_t runs) const { return std::clamp(memory / (2 * runs + 4) / least * least, least, most); }
};

inline constexpr std::uint64_t kMostBlock = std::uint64_t(4) << 20;  // bytes

template <class T>
constexpr std::uint64_t whole_granules(std::uint64_t bytes) {
  return std::max<std::uint64_t>(1, bytes / sizeof(T) / kGranule<T>) * kGranule<T>;
}

template <class T>
merge_plan plan_of(std::uint64_t memory, std::uint64_t least_block) {
  merge_plan plan;
  plan.least = whole_granules<T>(least_block);
  plan.most = std::max(plan.least, whole_granules<T>(kMostBlock) / plan.least * plan.least);
  plan.memory = memory / sizeof(T);
  if (plan.memory < 8 * plan.least) {
    throw std::invalid_argument("upsweep::external: a memory of " + std::to_string(memory) +
                                " bytes is too small for merges; " + std::to_string(8 * plan.least * sizeof(T)) +
                                " bytes are the least");
  }
  return plan;
}

// Merges neighbouring runs until one pass can merge all: merge(first, n) makes one run of n runs. As few elements as possible
// are moved once more.
template <class Run, class Merge>
void reduce_runs(std::vector<Run> &runs, std::uint64_t fan_in, const Merge &merge) {
  while (runs.size() > fan_in) {
    std::vector<Run> fewer;
    for (std::size_t i = 0; i < runs.size();) {
      const std::uint64_t too_many = fewer.size() + runs.size() - i - fan_in;  // may wrap below 0 only if none is too many
      const bool is_enough = fewer.size() + runs.size() - i <= fan_in;
      const std::uint64_t n = is_enough ? 1 : std::min<std::uint64_t>({fan_in, too_many + 1, runs.size() - i});
      fewer.push_back(n == 1 ? runs[i] : merge(&runs[i], n));
      i += n;
    }
    runs = std::move(fewer);
  }
}

}  // namespace upsweep::external::detail
