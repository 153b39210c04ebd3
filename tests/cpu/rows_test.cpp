// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections of rows, arrays by index, segments as pairs, and the least elements along an axis, against plain loops.
#include "check.h"

#include <upsweep/cpu/gather.h>
#include <upsweep/cpu/partition.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/segment.h>
#include <upsweep/cpu/segmented_reduce.h>
#include <upsweep/cpu/select_of_rows.h>

#include <deque>
#include <numeric>
#include <stdexcept>

namespace upsweep::cpu::test {

struct IsOdd {
  bool operator()(std::uint32_t x) const { return x % 2 == 1; }
};

void check_rows(std::size_t rows, std::size_t length, thread_pool &pool) {
  SCOPED_TRACE(testing::Message() << rows << " x " << length);
  const std::size_t n = rows * length;
  const auto in = random_elements<std::uint32_t>(n, n);
  std::vector<std::uint8_t> flags(n);
  for (std::size_t i = 0; i < n; ++i) {
    flags[i] = in[i] % 2 == 1 ? 3 : 0;
  }
  Guarded<std::uint32_t> out(n, 3), by_flag(n, 1), in_place(n, 2);
  in_place.fill(in);
  std::vector<std::uint32_t> kept(rows), kept_by_flag(rows), kept_in_place(rows);
  std::deque<std::uint32_t> queue(in.begin(), in.end());
  select_if_of_rows(in.data(), out.data(), kept.data(), rows, length, IsOdd(), pool);
  select_by_flag_of_rows(queue.begin(), flags.data(), by_flag.data(), kept_by_flag.data(), rows, length, pool);
  select_if_of_rows(in_place.data(), in_place.data(), kept_in_place.data(), rows, length, IsOdd(), pool);
  const Guarded<std::uint32_t> untouched(1);
  std::uint32_t poison;
  std::memset(&poison, 0xa5, sizeof(poison));
  for (std::size_t r = 0; r < rows; ++r) {
    std::size_t count = 0;
    for (std::size_t i = r * length; i < (r + 1) * length; ++i) {
      if (in[i] % 2 == 1) {
        const std::size_t place = r * length + count++;
        ASSERT_EQ(out.data()[place], in[i]);
        ASSERT_EQ(by_flag.data()[place], in[i]);
        ASSERT_EQ(in_place.data()[place], in[i]);
      }
    }
    ASSERT_EQ(kept[r], count);
    ASSERT_EQ(kept_by_flag[r], count);
    ASSERT_EQ(kept_in_place[r], count);
    for (std::size_t i = r * length + count; i < (r + 1) * length; ++i) {
      ASSERT_EQ(out.data()[i], poison);  // the rest is unchanged
    }
  }
  EXPECT_TRUE(out.is_intact() && by_flag.is_intact() && in_place.is_intact());
}

TEST(CpuSelectOfRows, GivenRows_WhenSelected_ThenEachGoesToTheFrontOfItsRow) {
  thread_pool pool(3);
  with_all_instructions([&] {
    for (const std::size_t length : {0, 1, 7, 63, 64, 65, 511, 512, 3000}) {
      for (const std::size_t rows : {0, 1, 40, 300}) {
        check_rows(rows, length, pool);
      }
    }
    check_rows(2, 100003, pool);  // by all threads
  });
  std::vector<int> in(10);
  std::vector<std::uint64_t> kept(2);
  EXPECT_THROW(select_if_of_rows(in.data(), in.data() + 1, kept.data(), 2, 4, IsOdd()), std::invalid_argument);
}

TEST(CpuGather, GivenIndices_WhenScannedAndSelected_ThenInTheirOrder) {
  thread_pool pool(3);
  for (const std::size_t n : {1, 1000, 70000}) {
    const auto in = random_elements<std::uint32_t>(n, n);
    std::vector<std::uint32_t> order(n), out(n), kept_elements(n);
    std::iota(order.begin(), order.end(), 0);
    std::mt19937_64 random(n);
    std::shuffle(order.begin(), order.end(), random);
    inclusive_sum(gathered(in.data(), order.data()), out.data(), n, pool);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(out[i], sum += in[order[i]]);
    }
    exclusive_sum(in.data(), scattered(out.data(), order.data()), n, pool);
    sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(out[order[i]], sum);
      sum += in[i];
    }
    std::uint64_t kept = 0;
    select_if(gathered(in.data(), order.data()), scattered(kept_elements.data(), order.data()), &kept, n, IsOdd(), pool);
    std::size_t place = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (in[order[i]] % 2 == 1) {
        ASSERT_EQ(kept_elements[order[place++]], in[order[i]]);
      }
    }
    EXPECT_EQ(kept, place);
    partition_if(in.data(), scattered(out.data(), order.data()), &kept, n, IsOdd(), pool);
    EXPECT_TRUE(kept == 0 || out[order[0]] % 2 == 1);
  }
}

TEST(CpuSegment, GivenPairsWithHeads_WhenScanned_ThenAsByFlag) {
  const std::size_t n = 50000;
  const auto in = random_elements<std::uint32_t>(n, 1);
  std::vector<std::uint8_t> flags(n);
  std::vector<flagged<std::uint32_t>> pairs(n), out(n);
  for (std::size_t i = 0; i < n; ++i) {
    flags[i] = in[i] % 50 == 0 ? 1 : 0;
    pairs[i] = {in[i], flags[i] != 0};
  }
  inclusive_scan(pairs.data(), out.data(), n, segmented{plus{}});
  std::vector<std::uint32_t> by_flag(n);
  inclusive_scan_by_flag(flags.data(), in.data(), by_flag.data(), n, plus{});
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum = flags[i] != 0 ? in[i] : sum + in[i];
    ASSERT_EQ(out[i].value, sum);
    ASSERT_EQ(by_flag[i], sum);
  }
}

TEST(CpuArgOfAxis, GivenAnyAxis_WhenTheLeastIsWanted_ThenTheFirstOfSeveral) {
  thread_pool pool(3);
  for (const axis of :
       {axis{1, 0, 3}, axis{3, 5, 1}, axis{1, 3000, 70}, axis{4, 33, 50}, axis{2, 4000, 1}, axis{3, 7, 4, {40, 5}}}) {
    const std::uint64_t along = of.in.along != 0 ? of.in.along : of.inner,
                        batch = of.in.batch != 0 ? of.in.batch : of.length * along;
    std::vector<std::int32_t> in = random_elements<std::int32_t>(of.batches * batch + 100, 1);
    for (std::int32_t &x : in) {
      x %= 50;  // several are equal
    }
    std::vector<indexed<std::int32_t>> least(of.batches * of.inner), most(least.size());
    arg_min_of_axis(in.data(), least.data(), of, pool);
    arg_max_of_axis(in.data(), most.data(), of, pool);
    for (std::uint64_t b = 0; b < of.batches; ++b) {
      for (std::uint64_t i = 0; i < of.inner; ++i) {
        std::uint64_t low = ~std::uint64_t(0), high = low;
        for (std::uint64_t l = 0; l < of.length; ++l) {
          const auto at = [&](std::uint64_t k) { return in[b * batch + k * along + i]; };
          low = l == 0 || at(l) < at(low) ? l : low;
          high = l == 0 || at(l) > at(high) ? l : high;
        }
        ASSERT_EQ(least[b * of.inner + i].index, low);
        ASSERT_EQ(most[b * of.inner + i].index, high);
        if (of.length > 0) {
          ASSERT_EQ(least[b * of.inner + i].value, in[b * batch + low * along + i]);
        }
      }
    }
  }
}

}  // namespace upsweep::cpu::test
