// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SIMD blocks, ranges and views of several axes against plain loops, with only public headers.
#include "check.h"

#include <upsweep/cpu/mdspan.h>
#include <upsweep/cpu/ranges.h>
#include <upsweep/cpu/simd.h>

#include <array>
#include <deque>
#include <numeric>

namespace upsweep::cpu::test {

template <class T, class Op>
void check_blocks(std::size_t n, Op op) {
  const auto in = random_elements<T>(n, n + sizeof(T));
  std::vector<std::uint64_t> marks(simd::marks_of(n) + 1);
  const auto is_marked = [](const T &x) { return static_cast<std::int64_t>(x) % 5 == 0; };
  simd::mark_if(in.data(), n, marks.data(), is_marked);
  Guarded<T> scanned(n, 1), since(n, 2);
  T carry = T(3), running = T(3);
  simd::scan(in.data(), scanned.data(), n, carry, op);
  T carry_since = T(3), total_since = T(3);
  simd::scan_marked(in.data(), marks.data(), since.data(), n, carry_since, op);
  std::vector<T> kept;
  std::vector<std::uint32_t> at;
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_head = is_marked(in[i]);
    ASSERT_EQ(marks[i / 64] >> (i % 64) & 1, is_head ? 1 : 0);
    if (is_head) {
      kept.push_back(in[i]);
      at.push_back(static_cast<std::uint32_t>(i));
    }
    running = op(running, in[i]);
    total_since = is_head ? in[i] : op(total_since, in[i]);
    ASSERT_EQ(scanned.data()[i], running) << n << " " << i;
    ASSERT_EQ(since.data()[i], total_since) << n << " " << i;
  }
  EXPECT_EQ(carry, running);
  EXPECT_EQ(carry_since, total_since);
  EXPECT_TRUE(scanned.is_intact() && since.is_intact());
  EXPECT_EQ(op(T(3), simd::reduce(in.data(), n, op)), running);
  EXPECT_EQ(simd::count_marks(marks.data(), n), kept.size());
  std::vector<T> compacted(n + 64);
  std::vector<std::uint32_t> places(n + 8);
  EXPECT_EQ(simd::compact(in.data(), marks.data(), n, compacted.data()), kept.size());
  EXPECT_TRUE(std::equal(kept.begin(), kept.end(), compacted.begin()));
  EXPECT_EQ(simd::places(marks.data(), n, places.data()), at.size());
  EXPECT_TRUE(std::equal(at.begin(), at.end(), places.begin()));
}

TEST(CpuBlocks, GivenElements_WhenScannedAndCompacted_ThenAsByALoop) {
  with_all_instructions([] {
    for (const std::size_t n : {0, 1, 7, 15, 16, 63, 64, 65, 511, 512, 513, 1000, 3000}) {
      check_blocks<std::uint8_t>(n, plus{});
      check_blocks<std::int16_t>(n, maximum{});
      check_blocks<std::uint32_t>(n, bit_xor{});
      check_blocks<float>(n, plus{});
      check_blocks<double>(n, minimum{});
      check_blocks<std::uint64_t>(n, multiplies{});
    }
  });
}

TEST(CpuBlocks, GivenKeys_WhenDistributedByDigits_ThenSorted) {
  auto keys = random_elements<std::uint16_t>(5000, 1);
  auto wanted = keys;
  std::sort(wanted.begin(), wanted.end());
  std::vector<std::uint16_t> other(keys.size());
  for (const unsigned shift : {0, 8}) {
    const auto digit = [&](std::uint16_t key) { return static_cast<std::size_t>(key >> shift & 255); };
    std::array<std::uint32_t, 256> counts{}, places{};
    simd::count_digits(keys.data(), keys.size(), counts.data(), digit);
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0U);
    simd::distribute(keys.data(), keys.size(), other.data(), places.data(), digit);
    keys.swap(other);
  }
  EXPECT_EQ(keys, wanted);
}

TEST(CpuRanges, GivenRanges_WhenCalled_ThenAsWithIterators) {
  const std::vector<int> in = {3, 3, 4, 1, 1, 1, 2, 6};
  std::vector<int> out(8), wanted(8);
  std::deque<long> wide(8);
  std::inclusive_scan(in.begin(), in.end(), wanted.begin());
  ranges::inclusive_sum(in, out);
  EXPECT_EQ(out, wanted);
  ranges::inclusive_scan(std::span(in), wide, maximum{}, calling_thread());
  EXPECT_EQ(wide[7], 6);
  ranges::exclusive_sum(in, out, backward);
  EXPECT_EQ(out[0], 18);
  ranges::exclusive_scan(in, out, plus{}, 10);
  EXPECT_EQ(out[1], 13);
  EXPECT_EQ(ranges::select_if(in, out, [](int x) { return x > 2; }), 4U);
  EXPECT_EQ(ranges::unique(in, out), 5U);
  EXPECT_EQ(ranges::reduce(in, plus{}, 0), 21);
  ranges::sort_keys(in, out, descending);
  EXPECT_EQ(out[0], 6);
  ranges::merge_sort(in, out);
  EXPECT_EQ(out[0], 1);
  std::vector<int> less(7);
  EXPECT_THROW(ranges::inclusive_sum(in, less), std::invalid_argument);
}

// The members of std::mdspan that the library uses.
template <class T, std::size_t kRank>
struct View {
  T *data;
  std::array<std::size_t, kRank> extents, strides;
  static constexpr std::size_t rank() { return kRank; }
  std::size_t extent(std::size_t d) const { return extents[d]; }
  std::size_t stride(std::size_t d) const { return strides[d]; }
  T *data_handle() const { return data; }
};

TEST(CpuViews, GivenLayouts_WhenScannedAlongEachAxis_ThenAsByALoop) {
  const std::array<std::size_t, 3> extents = {5, 6, 7};
  for (const std::array<std::size_t, 3> &strides :
       {std::array<std::size_t, 3>{42, 7, 1}, {1, 5, 30}, {60, 8, 1}, {60, 10, 1}, {7, 35, 1}}) {
    for (std::size_t scanned = 0; scanned < 3; ++scanned) {
      const auto in = random_elements<std::uint32_t>(400, scanned);
      std::vector<std::uint32_t> out(400, 9), wanted(400, 9);
      for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          for (std::size_t k = 0; k < 7; ++k) {
            const std::size_t at = i * strides[0] + j * strides[1] + k * strides[2];
            const std::size_t place[] = {i, j, k};
            wanted[at] = in[at] + (place[scanned] > 0 ? wanted[at - strides[scanned]] : 0);
          }
        }
      }
      const View<const std::uint32_t, 3> from{in.data(), extents, strides};
      const View<std::uint32_t, 3> to{out.data(), extents, strides};
      try {
        inclusive_sum_of_axis(from, to, scanned);
        EXPECT_EQ(out, wanted) << strides[0] << " " << scanned;
      } catch (const std::invalid_argument &) {
        EXPECT_EQ(out, std::vector<std::uint32_t>(400, 9));
        EXPECT_TRUE(strides[0] == 60) << "padded axes alone cannot be joined: " << strides[0] << " " << scanned;
      }
    }
  }
  std::vector<int> x(12);
  const View<int, 2> a{x.data(), {3, 4}, {4, 1}}, b{x.data(), {4, 3}, {3, 1}}, c{x.data(), {3, 4}, {1, 3}};
  EXPECT_THROW(inclusive_sum_of_axis(a, b, 0), std::invalid_argument);
  EXPECT_THROW(inclusive_sum_of_axis(a, a, 2), std::invalid_argument);
  EXPECT_THROW(inclusive_sum_of_axis(a, c, 0), std::invalid_argument);
}

}  // namespace upsweep::cpu::test
