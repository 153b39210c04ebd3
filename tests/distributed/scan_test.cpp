// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans over ranks, compared with plain loops over the whole array.
#include "parts.h"

#include <upsweep/distributed/scan.h>

#include <algorithm>

namespace upsweep::distributed::test {

namespace {

// The plain loop: results of an inclusive or exclusive scan, from the first element to the last or backward.
template <class T, class Op>
std::vector<T> scanned(std::vector<T> x, const Op &op, bool is_inclusive, bool is_backward, T initial, T &total) {
  if (is_backward) {
    std::reverse(x.begin(), x.end());
  }
  std::vector<T> results;
  bool has_any = !is_inclusive;
  T running = initial;
  for (const T &element : x) {
    if (!is_inclusive) {
      results.push_back(running);
    }
    running = has_any ? op(running, element) : element;
    has_any = true;
    if (is_inclusive) {
      results.push_back(running);
    }
  }
  total = running;
  if (is_backward) {
    std::reverse(results.begin(), results.end());
  }
  return results;
}

template <class T, class Op, class Make>
void compare_scans(const Op &op, T initial, const Make &make) {
  std::mt19937_64 random(7);
  for (const unsigned size : {1U, 2U, 3U, 8U}) {
    for (const Division division : kDivisions) {
      for (const std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(100), std::size_t(70000)}) {
        SCOPED_TRACE(testing::Message() << size << " ranks, division " << static_cast<int>(division) << ", n " << n);
        std::vector<T> x(n);
        for (T &element : x) {
          element = make(random);
        }
        const auto lengths = lengths_of(n, size, division, random);
        Parts<T> in(x, lengths), inclusive(lengths), exclusive(lengths), inclusive_back(lengths), exclusive_back(lengths);
        std::vector<T> totals(size), totals_back(size);
        run_ranks(size, [&](thread_communicator &ranks) {
          const unsigned r = ranks.rank();
          thread_pool pool(2);
          const T *from = in[r].data();
          inclusive_scan(ranks, from, inclusive[r].data(), lengths[r], op, pool);
          exclusive_scan(ranks, from, exclusive[r].data(), lengths[r], op, initial, pool, total_to(&totals[r]));
          inclusive_scan(ranks, from, inclusive_back[r].data(), lengths[r], op, pool, backward);
          exclusive_scan(ranks, from, exclusive_back[r].data(), lengths[r], op, initial, backward, total_to(&totals_back[r]),
                         pool);
        });
        T total, total_back, none;
        expect_same(inclusive.whole(), scanned(x, op, true, false, initial, none));
        expect_same(exclusive.whole(), scanned(x, op, false, false, initial, total));
        expect_same(inclusive_back.whole(), scanned(x, op, true, true, initial, none));
        expect_same(exclusive_back.whole(), scanned(x, op, false, true, initial, total_back));
        expect_same(totals, std::vector<T>(size, total));
        expect_same(totals_back, std::vector<T>(size, total_back));
      }
    }
  }
}

}  // namespace

TEST(DistributedScan, GivenSums_WhenScannedOverRanks_ThenAsOnOne) {
  compare_scans<std::int64_t>(plus{}, 5, [](std::mt19937_64 &random) { return static_cast<std::int64_t>(random()) >> 8; });
}

TEST(DistributedScan, GivenOperatorThatDoesNotCommute_WhenScannedOverRanks_ThenAsOnOne) {
  compare_scans<Affine>(Compose{}, Affine{3, 4}, [](std::mt19937_64 &random) {
    return Affine{static_cast<std::uint32_t>(random() | 1), static_cast<std::uint32_t>(random())};
  });
}

}  // namespace upsweep::distributed::test
