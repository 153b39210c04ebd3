// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sales of which each rank has some days: the running sum, the total of each shop, and the largest sales. The ranks are threads
// in threads.cpp, and processes in processes.cpp.
#ifndef UPSWEEP_EXAMPLES_DISTRIBUTED_SALES_H
#define UPSWEEP_EXAMPLES_DISTRIBUTED_SALES_H

#include <upsweep/distributed/place.h>
#include <upsweep/distributed/reduce_by_key.h>
#include <upsweep/distributed/scan.h>
#include <upsweep/distributed/sort.h>
#include <upsweep/distributed/top_k.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace up = upsweep::distributed;

inline void expect(bool is_right) {
  if (!is_right) {
    throw std::runtime_error("wrong result");
  }
}

template <class Ranks>
void count_sales(Ranks &ranks) {
  // Sale i is of shop i % 3, and its amount is i + 1. This rank has rank + 1 times 10 of them.
  std::vector<std::uint32_t> shops(10 * (ranks.rank() + 1));
  std::vector<std::int64_t> amounts(shops.size()), sums(shops.size());
  const up::part_place place = up::place_of(ranks, shops.size());
  for (std::size_t i = 0; i < shops.size(); ++i) {
    shops[i] = static_cast<std::uint32_t>((place.begin + i) % 3);
    amounts[i] = static_cast<std::int64_t>(place.begin + i + 1);
  }

  up::inclusive_sum(ranks, amounts.data(), sums.data(), amounts.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    expect(sums[i] == amounts[i] * (amounts[i] + 1) / 2);
  }

  // Sorted by shop, with as many sales on each rank. A shop's total is on the rank where its sales begin.
  const std::uint64_t n = up::equal_part(ranks, shops.size());
  std::vector<std::uint32_t> sorted_shops(n), totalled_shops(n);
  std::vector<std::int64_t> sorted_amounts(n), totals(n);
  up::sort_pairs(ranks, shops.data(), sorted_shops.data(), amounts.data(), sorted_amounts.data(), shops.size(), up::part_of(n));
  std::uint64_t runs = 0;
  up::reduce_by_key(ranks, sorted_shops.data(), sorted_amounts.data(), totalled_shops.data(), totals.data(), &runs, n,
                    up::plus{});
  for (std::uint64_t r = 0; r < runs; ++r) {
    std::int64_t total = 0;
    for (std::uint64_t i = totalled_shops[r]; i < place.all; i += 3) {
      total += static_cast<std::int64_t>(i + 1);
    }
    expect(totals[r] == total);
  }

  std::int64_t largest[3] = {};
  up::top_k_keys(ranks, amounts.data(), largest, amounts.size(), 3, up::descending);
  expect(largest[0] == static_cast<std::int64_t>(place.all) && largest[2] == largest[0] - 2);
}

#endif
