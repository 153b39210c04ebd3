// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions of an array into parts.
#pragma once

#include <upsweep/distributed/detail/call.h>

#include <numeric>

namespace upsweep::distributed::detail {

inline std::uint64_t sum_of(const std::vector<std::uint64_t> &lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t(0));
}

inline void require_sum(const std::vector<std::uint64_t> &wanted, const std::vector<std::uint64_t> &given) {
  if (sum_of(wanted) != sum_of(given)) {
    throw std::invalid_argument("upsweep::distributed: the ranks have " + std::to_string(sum_of(given)) +
                                " elements together, but ask for " + std::to_string(sum_of(wanted)));
  }
}

// The elements that part `a` of one division shares with part `b` of another.
inline std::uint64_t common_elements(const std::vector<std::uint64_t> &lengths, unsigned a,
                                     const std::vector<std::uint64_t> &others, unsigned b) {
  const auto begin_of = [](const std::vector<std::uint64_t> &all, unsigned part) {
    return std::accumulate(all.begin(), all.begin() + part, std::uint64_t(0));
  };
  const std::uint64_t a_begin = begin_of(lengths, a), b_begin = begin_of(others, b);
  const std::uint64_t begin = std::max(a_begin, b_begin), end = std::min(a_begin + lengths[a], b_begin + others[b]);
  return end > begin ? end - begin : 0;
}

}  // namespace upsweep::distributed::detail
