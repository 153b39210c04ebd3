// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions into three parts, selections of rows, decoded runs and compensated sums, against plain loops.
#include "check.h"

#include <upsweep/cpu/options.h>
#include <upsweep/opencl/compensated.h>
#include <upsweep/opencl/run_length_decode.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/select_of_rows.h>
#include <upsweep/opencl/three_way_partition.h>

#include <cmath>

namespace upsweep::opencl::test {

using OpenclParts = OpenclLibrary;

namespace {

// The vocabulary is the CPU library's.
static_assert(std::is_same_v<descending_t, cpu::descending_t> && std::is_same_v<key_bits, cpu::key_bits>);
static_assert(std::is_same_v<backward_t, cpu::backward_t> && std::is_same_v<repeated, cpu::repeated>);

// A typed buffer is an array whose type the compiler checks.
template <class T, class Given>
constexpr bool kTakes = requires(void (*call)(const buffer<T> &), const Given &given) { call(given); };
static_assert(std::is_same_v<buffer<int>::value_type, int> && std::is_convertible_v<buffer<int>, array>);
static_assert(kTakes<int, buffer<int>> && kTakes<int, cl_mem>);
static_assert(!kTakes<int, buffer<float>> && !kTakes<int, array> && !kTakes<int, int *>);

constexpr std::size_t kLengths[] = {0, 1, 2, 191, 192, 193, 5000, 100003};

}  // namespace

TEST_F(OpenclParts, GivenTypedBuffer_WhenMadeFromElement_ThenItIsThatArrayOfItsType) {
  Guarded<std::int16_t> memory(std::vector<std::int16_t>{1, 2, 3, 4}, 0);
  const array whole = memory.view();
  const buffer<std::int16_t> x(whole.memory, whole.offset + 1);
  EXPECT_TRUE(x.type == type_of<std::int16_t>::value());
  EXPECT_EQ(x.offset, whole.offset + 1);
  EXPECT_CL(inclusive_sum(x, x, 3, queue_, backward));  // of elements 1 to 3, from the last on
  EXPECT_EQ(memory.read(), (std::vector<std::int16_t>{1, 9, 7, 4}));
}

TEST_F(OpenclParts, GivenTwoPredicates_WhenPartitioned_ThenEachPartInOrder) {
  const function is_first("is_low", "bool is_low(int x) { return x < -1000000000; }");
  const function is_second("is_odd", "bool is_odd(int x) { return x & 1; }");
  for (const plan &how : plans(known_)) {
    for (const std::size_t n : kLengths) {
      const auto in = random_elements<std::int32_t>(n, n);
      std::vector<std::int32_t> a, b, c;
      for (const std::int32_t x : in) (x < -1000000000 ? a : (x & 1) != 0 ? b : c).push_back(x);
      Guarded<std::int32_t> source(in, n % 5), first(n, 1), second(n), third(n, 2);
      Guarded<std::uint32_t> kept(2, 3);
      EXPECT_CL(stable_partition_in_three(source.view(), first.view(), second.view(), third.view(), kept.view(), n, is_first,
                                          is_second, queue_, how));
      ASSERT_EQ(kept.read(), (std::vector<std::uint32_t>{std::uint32_t(a.size()), std::uint32_t(b.size())})) << how;
      ASSERT_EQ(first.read(a.size()), a) << n << ", " << how;
      ASSERT_EQ(second.read(b.size()), b) << n << ", " << how;
      ASSERT_EQ(third.read(c.size()), c) << n << ", " << how;
    }
  }
  Guarded<std::int32_t> x(8), y(8);
  Guarded<std::uint32_t> kept(2);
  EXPECT_EQ(stable_partition_in_three(x.view(), y.view(), y.view(), x.view(), kept.view(), 8, is_first, is_second, queue_),
            CL_MEM_COPY_OVERLAP);
}

TEST_F(OpenclParts, GivenRows_WhenSelected_ThenEachRowToItsFront) {
  const function is_odd("is_odd", "bool is_odd(int x) { return x & 1; }");
  constexpr std::size_t kShapes[][2] = {{0, 5}, {3, 0}, {1, 1}, {200, 7}, {3, 1000}, {17, 4099}, {2, 140001}};
  for (const plan &how : plans(known_)) {
    for (const auto &[rows, length] : kShapes) {
      const auto in = random_elements<std::int32_t>(rows * length, rows + length);
      std::vector<std::uint8_t> marks(rows * length);
      std::vector<std::int32_t> wanted(rows * length);
      std::vector<std::uint32_t> numbers(rows);
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = row * length; i < (row + 1) * length; ++i) {
          marks[i] = (in[i] & 1) != 0 ? 9 : 0;
          if (marks[i] != 0) wanted[row * length + numbers[row]++] = in[i];
        }
      }
      // The output starts as a copy of the input, so that the elements behind the kept ones are known.
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = numbers[row]; i < length; ++i) wanted[row * length + i] = in[row * length + i];
      }
      Guarded<std::int32_t> source(in, 1), both(in, 2), out(in);
      Guarded<std::uint8_t> flags(marks, 3);
      Guarded<std::uint32_t> kept(rows, 1), kept_too(rows);
      EXPECT_CL(select_if_of_rows(both.view(), both.view(), kept.view(), rows, length, is_odd, queue_, how));
      EXPECT_CL(select_by_flag_of_rows(source.view(), flags.view(), out.view(), kept_too.view(), rows, length, queue_, how));
      ASSERT_EQ(kept.read(), numbers) << how;
      ASSERT_EQ(kept_too.read(), numbers) << how;
      ASSERT_EQ(both.read(), wanted) << rows << " x " << length << ", " << how;
      ASSERT_EQ(out.read(), wanted) << rows << " x " << length << ", " << how;
    }
  }
}

TEST_F(OpenclParts, GivenLengths_WhenDecoded_ThenTheElements) {
  std::mt19937_64 random(test_seed());
  for (const plan &how : plans(known_)) {
    for (const std::size_t longest : {1, 3, 700, 50000}) {
      for (const std::size_t runs : {0, 1, 2, 63, 1000}) {
        if (runs * longest > 3000000) continue;
        const auto values = random_elements<std::int16_t>(runs, runs);
        std::vector<std::uint32_t> lengths(runs), offsets = {0};
        std::vector<std::int32_t> wanted;
        for (std::size_t k = 0; k < runs; ++k) {
          lengths[k] = static_cast<std::uint32_t>(random() % (longest + 1));
          offsets.push_back(offsets.back() + lengths[k]);
          wanted.insert(wanted.end(), lengths[k], values[k]);
        }
        Guarded<std::int16_t> from(values, 1);
        Guarded<std::uint32_t> of_lengths(lengths, 2), of_offsets(offsets);
        Guarded<std::int32_t> a(wanted.size() + 1, 1), b(wanted.size() + 1);
        Guarded<std::uint64_t> total(1, 1), most(std::vector<std::uint64_t>{runs});
        EXPECT_CL(run_length_decode(from.view(), of_lengths.view(), count_at(most.view(), runs), a.view(), total.view(), queue_,
                                    how));
        EXPECT_CL(repeat(from.view(), of_offsets.view(), runs, b.view(), queue_, how));
        ASSERT_EQ(total.read()[0], wanted.size());
        ASSERT_EQ(a.read(wanted.size()), wanted) << runs << " runs of up to " << longest << ", " << how;
        ASSERT_EQ(b.read(wanted.size()), wanted) << runs << " runs of up to " << longest << ", " << how;
      }
    }
  }
}

TEST_F(OpenclParts, GivenABufferThatIsTooShort_WhenDecoded_ThenNothingBeyondIt) {
  unique_handle<cl_mem> memory(clCreateBuffer(context_, CL_MEM_READ_WRITE, 40, nullptr, nullptr));
  Guarded<std::int32_t> values(std::vector<std::int32_t>{5, 6});
  Guarded<std::uint32_t> lengths(std::vector<std::uint32_t>{7, 100000}), total(1);
  EXPECT_CL(run_length_decode(values.view(), lengths.view(), 2, buffer<std::int32_t>(memory.get()), total.view(), queue_));
  std::vector<std::int32_t> now(10);
  EXPECT_CL(clEnqueueReadBuffer(queue_, memory.get(), CL_TRUE, 0, 40, now.data(), 0, nullptr, nullptr));
  EXPECT_EQ(now, (std::vector<std::int32_t>{5, 5, 5, 5, 5, 5, 5, 6, 6, 6}));
  EXPECT_EQ(total.read()[0], 100007U);
  EXPECT_EQ(repeat(values.view(), values.view_as(type_of<float>::value()), 1, values.view(), queue_), CL_INVALID_VALUE);
}

TEST_F(OpenclParts, GivenManySmallNumbers_WhenSummedWithCompensation_ThenNoErrorGrows) {
  const std::size_t n = 200001;
  std::vector<float> in(n);
  std::vector<double> exact(n);
  std::mt19937_64 random(test_seed());
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = i == 0 ? 1e8F : static_cast<float>(static_cast<double>(random() % 1000000) * 1e-6);
    exact[i] = sum += in[i];
  }
  for (const plan &how : plans(known_)) {
    Guarded<float> source(in, 1), inclusive(n, 2), exclusive(n), total(1, 1), backwards(n);
    EXPECT_CL(inclusive_compensated_sum(source.view(), inclusive.view(), n, queue_, how));
    EXPECT_CL(exclusive_compensated_sum(source.view(), exclusive.view(), n, queue_, how));
    EXPECT_CL(inclusive_compensated_sum(source.view(), backwards.view(), n, queue_, backward, how));
    EXPECT_CL(compensated_sum(source.view(), total.view(), n, queue_, how));
    const auto a = inclusive.read(), b = exclusive.read();
    ASSERT_EQ(b[0], 0);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_NEAR(a[i], exact[i], exact[i] * 6e-8) << i << ", " << how;
      if (i > 0) ASSERT_EQ(b[i], a[i - 1]) << i << ", " << how;
    }
    ASSERT_NEAR(total.read()[0], exact[n - 1], exact[n - 1] * 6e-8);
    ASSERT_NEAR(backwards.read()[0], exact[n - 1], exact[n - 1] * 6e-8);
  }
  Guarded<std::int32_t> integers(4);
  EXPECT_EQ(compensated_sum(integers.view(), integers.view(), 4, queue_), CL_INVALID_VALUE);
}

}  // namespace upsweep::opencl::test
