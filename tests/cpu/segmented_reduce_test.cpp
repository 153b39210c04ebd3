// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of segments, rows and axes against plain loops.
#include "check.h"

#include <upsweep/cpu/segmented_reduce.h>

#include <cmath>

namespace upsweep::cpu::test {

// Offsets from `begin` on of segments with up to `longest` elements, some of them empty.
std::vector<std::uint64_t> random_offsets(std::size_t segments, unsigned longest, std::uint64_t begin) {
  std::mt19937_64 random(segments + longest);
  std::vector<std::uint64_t> offsets = {begin};
  for (std::size_t k = 0; k < segments; ++k) {
    offsets.push_back(offsets.back() + (random() % 5 == 0 ? 0 : random() % (longest + 1)));
  }
  return offsets;
}

template <class T, class Op>
void check_segments(std::size_t segments, unsigned longest, Op op, T initial) {
  thread_pool pool(3);
  const auto offsets = random_offsets(segments, longest, 7);
  const auto in = random_elements<T>(offsets.back(), longest);
  Guarded<T> out(segments, 1);
  reduce_of_segments(in.data(), out.data(), offsets.data(), segments, op, initial, pool);
  for (std::size_t k = 0; k < segments; ++k) {
    T wanted = initial;
    for (std::uint64_t i = offsets[k]; i < offsets[k + 1]; ++i) {
      wanted = op(wanted, in[i]);
    }
    ASSERT_EQ(out.data()[k], wanted) << segments << " " << longest << " " << k;
  }
  EXPECT_TRUE(out.is_intact());
}

TEST(CpuSegmentedReduce, GivenSegments_WhenReduced_ThenAsByALoop) {
  with_all_instructions([] {
    for (const auto &[segments, longest] : {std::pair<std::size_t, unsigned>{0, 9},
                                            {1, 0},
                                            {1, 300000},
                                            {3, 200000},
                                            {1000, 40},
                                            {100000, 3},
                                            {50000, 0},
                                            {300, 5000}}) {
      check_segments<std::uint32_t>(segments, longest, plus{}, 5U);
      check_segments<double>(segments, longest, plus{}, 0.5);
      check_segments<std::int16_t>(segments, longest, minimum{}, std::int16_t(30000));
      check_segments<Affine>(segments, longest, Compose(), Affine{3, 4});
    }
  });
}

TEST(CpuSegmentedReduce, GivenRowsAndIndices_WhenReduced_ThenAsByALoop) {
  thread_pool pool(3);
  for (const auto &[rows, length] : {std::pair<std::uint64_t, std::uint64_t>{1, 200000}, {1000, 33}, {100, 0}, {7, 20001}}) {
    const auto in = random_elements<std::uint8_t>(rows * length, rows);
    std::vector<std::uint64_t> sums(rows);
    transform_reduce_of_rows(
        in.data(), sums.data(), rows, length, plus{}, [](std::uint8_t x, std::uint64_t i) { return x * i; }, std::uint64_t(1),
        pool);
    std::vector<indexed<std::uint8_t>> least(rows), largest(rows);
    arg_min_of_rows(in.data(), least.data(), rows, length, pool);
    arg_max_of_rows(in.data(), largest.data(), rows, length, pool);
    for (std::uint64_t row = 0; row < rows; ++row) {
      std::uint64_t sum = 1;
      const auto begin = in.begin() + static_cast<std::ptrdiff_t>(row * length),
                 end = begin + static_cast<std::ptrdiff_t>(length);
      for (std::uint64_t i = row * length; i < (row + 1) * length; ++i) {
        sum += in[i] * i;
      }
      ASSERT_EQ(sums[row], sum);
      if (length == 0) {
        ASSERT_EQ(least[row].index, ~std::uint64_t(0));
      } else {
        ASSERT_EQ(static_cast<std::ptrdiff_t>(least[row].index), std::min_element(begin, end) - begin);
        ASSERT_EQ(static_cast<std::ptrdiff_t>(largest[row].index), std::max_element(begin, end) - begin);
      }
    }
  }
}

TEST(CpuSegmentedReduce, GivenAxes_WhenReduced_ThenAsByALoop) {
  thread_pool pool(3);
  with_all_instructions([&] {
    for (const axis &of : {axis{3, 100, 1, {}, {}}, axis{2, 5000, 3, {}, {}}, axis{1, 2049, 1100, {}, {}},
                           axis{4, 0, 5, {}, {}}, axis{2, 9, 3, {40, 4}, {}}, axis{300, 40, 7, {}, {}}}) {
      const auto in_strides = full_strides(of, of.in);
      const auto in = random_elements<std::uint32_t>(of.length == 0 ? 1 : elements_of(of, in_strides), 1);
      Guarded<std::uint32_t> out(of.batches * of.inner, 1);
      reduce_of_axis(in.data(), out.data(), of, plus{}, std::uint32_t(3), pool);
      for (std::uint64_t batch = 0; batch < of.batches; ++batch) {
        for (std::uint64_t i = 0; i < of.inner; ++i) {
          std::uint32_t sum = 3;
          for (std::uint64_t row = 0; row < of.length; ++row) {
            sum += in[batch * in_strides.batch + row * in_strides.along + i];
          }
          ASSERT_EQ(out.data()[batch * of.inner + i], sum);
        }
      }
      EXPECT_TRUE(out.is_intact());
    }
  });
}

TEST(CpuSegmentedReduce, GivenInexactSums_WhenThreadsAndInstructionsDiffer_ThenTheSameBits) {
  const auto offsets = random_offsets(3000, 900, 0);
  std::vector<float> in(offsets.back()), wanted(3000);
  std::mt19937_64 random(1);
  for (float &x : in) {
    x = static_cast<float>(random()) / 7e18F - 1;
  }
  sum_of_segments(in.data(), wanted.data(), offsets.data(), wanted.size(), calling_thread());
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    double sum = 0, sizes = 0;
    for (auto i = offsets[s]; i < offsets[s + 1]; ++i) {
      sum += static_cast<double>(in[i]);
      sizes += std::fabs(static_cast<double>(in[i]));
    }
    ASSERT_NEAR(static_cast<double>(wanted[s]), sum, sizes * static_cast<double>(offsets[s + 1] - offsets[s]) / (1 << 24)) << s;
  }
  with_all_instructions([&] {
    for (const unsigned threads : {1, 5, 64}) {
      thread_pool pool(threads);
      std::vector<float> out(wanted.size());
      sum_of_segments(in.data(), out.data(), offsets.data(), out.size(), pool);
      EXPECT_EQ(std::memcmp(out.data(), wanted.data(), out.size() * sizeof(float)), 0);
    }
  });
  int *null = nullptr;
  EXPECT_THROW(sum_of_rows(null, null, 3, 3), std::invalid_argument);
}

}  // namespace upsweep::cpu::test
