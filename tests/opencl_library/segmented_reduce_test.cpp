// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of segments, of rows and along axes against plain loops.
#include "check.h"

#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/segmented_reduce.h>

namespace upsweep::opencl::test {

namespace {

std::int32_t add(std::int32_t a, std::int32_t b) { return static_cast<std::int32_t>(std::uint32_t(a) + std::uint32_t(b)); }

// Lengths of segments: about `usual`, with some empty and some long segments.
std::vector<std::uint32_t> offsets_of(std::size_t segments, std::size_t usual, std::size_t first, std::mt19937_64 &random) {
  std::vector<std::uint32_t> offsets{static_cast<std::uint32_t>(first)};
  for (std::size_t k = 0; k < segments; ++k) {
    const auto kind = random() % 50;
    const std::size_t length = kind == 0 ? random() % (20 * usual + 1) : kind < 8 ? 0 : random() % (2 * usual + 1);
    offsets.push_back(static_cast<std::uint32_t>(offsets.back() + length));
  }
  return offsets;
}

const operation kFirst("first_of", "int first_of(int a, int b) { return a != 0 ? a : b; }");
const function kWeighted("weighted", "int weighted(int x, ulong i) { return (int)((uint)x * (uint)(i + 1)); }");

}  // namespace

class OpenclSegmentedReduce : public OpenclLibrary {
protected:
  std::vector<plan> ways() const {
    const unsigned group = known_.max_group < 64 ? 1 : 64;
    return {{}, {0, 120, 0, 0, 0}, {0, 120, 0, group, 3}, {0, 0, 2, group, 5}};
  }

  void reduces(std::size_t segments, std::size_t usual, const plan &how) {
    SCOPED_TRACE(testing::Message() << segments << " segments of about " << usual << ", " << how);
    std::mt19937_64 random(test_seed() + segments + usual);
    const auto offsets = offsets_of(segments, usual, random() % 5, random);
    auto in = random_elements<std::int32_t>(offsets.back(), segments);
    for (auto &x : in) x = x % 3 == 0 ? 0 : x;  // for kFirst
    std::vector<std::int32_t> sums(segments, 5), firsts(segments, 0), weighted(segments, 0);
    std::vector<indexed<std::int32_t>> least(segments, {0, UINT64_MAX});
    for (std::size_t k = 0; k < segments; ++k) {
      for (std::size_t i = offsets[k]; i < offsets[k + 1]; ++i) {
        sums[k] = add(sums[k], in[i]);
        firsts[k] = firsts[k] != 0 ? firsts[k] : in[i];
        weighted[k] = add(weighted[k], static_cast<std::int32_t>(std::uint32_t(in[i]) * std::uint32_t(i + 1)));
        if (least[k].index == UINT64_MAX || in[i] < least[k].value) least[k] = {in[i], i - offsets[k]};
      }
    }
    Guarded<std::int32_t> source(in, 3), a(segments, 1), b(segments), c(segments, 2);
    Guarded<indexed<std::int32_t>> d(segments);
    Guarded<std::uint32_t> ends(offsets, 1);
    EXPECT_CL(reduce_of_segments(source.view(), a.view(), ends.view(), segments, plus{}, 5, queue_, how));
    EXPECT_CL(reduce_of_segments(source.view(), b.view(), ends.view(), segments, kFirst, 0, queue_, how));
    EXPECT_CL(transform_reduce_of_segments(source.view(), c.view(), ends.view(), segments, plus{}, with_index(kWeighted), 0,
                                           queue_, how));
    EXPECT_CL(arg_min_of_segments(source.view(), d.view(), ends.view(), segments, queue_, how));
    ASSERT_EQ(a.read(), sums);
    ASSERT_EQ(b.read(), firsts);
    ASSERT_EQ(c.read(), weighted);
    const auto found = d.read();
    for (std::size_t k = 0; k < segments; ++k) {
      ASSERT_EQ(found[k].index, least[k].index) << k;
      ASSERT_EQ(found[k].value, least[k].value) << k;
    }
  }

  void reduces_axis(const axis &of, const plan &how) {
    SCOPED_TRACE(testing::Message() << of.batches << " x " << of.length << " x " << of.inner << ", " << how);
    const std::size_t columns = of.batches * of.inner, along = of.in.along == 0 ? of.inner : of.in.along,
                      batch = of.in.batch == 0 ? of.length * along : of.in.batch;
    const std::size_t all = of.length == 0 ? 0 : (of.batches - 1) * batch + (of.length - 1) * along + of.inner;
    auto in = random_elements<std::int32_t>(all, all + of.inner);
    for (auto &x : in) x = x % 3 == 0 ? 0 : x % 1000;
    std::vector<std::int32_t> sums(columns, 5), firsts(columns, 0);
    std::vector<std::int64_t> weighted(columns, 0);
    std::vector<indexed<std::int32_t>> largest(columns, {0, UINT64_MAX});
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t l = 0; l < of.length; ++l) {
        const std::size_t at = column / of.inner * batch + l * along + column % of.inner;
        sums[column] = add(sums[column], in[at]);
        firsts[column] = firsts[column] != 0 ? firsts[column] : in[at];
        const std::size_t index = of.inner == 1 ? column * of.length + l : l;
        weighted[column] += std::int64_t(in[at]) * static_cast<std::int64_t>(index);
        if (largest[column].index == UINT64_MAX || largest[column].value < in[at]) largest[column] = {in[at], l};
      }
    }
    Guarded<std::int32_t> source(in, 1), a(columns, 1), b(columns);
    Guarded<std::int64_t> c(columns, 1), zero(std::vector<std::int64_t>{0});
    Guarded<indexed<std::int32_t>> d(columns);
    const function by_index("by_index", "long by_index(int x, ulong i) { return (long)x * (long)i; }");
    EXPECT_CL(reduce_of_axis(source.view(), a.view(), of, plus{}, 5, queue_, how));
    EXPECT_CL(reduce_of_axis(source.view(), b.view(), of, kFirst, 0, queue_, how));
    EXPECT_CL(transform_reduce_of_axis(source.view(), c.view(), of, plus{}, with_index(by_index), initial_at(zero.view()),
                                       queue_, how));
    EXPECT_CL(arg_max_of_axis(source.view(), d.view(), of, queue_, how));
    ASSERT_EQ(a.read(), sums);
    ASSERT_EQ(b.read(), firsts);
    ASSERT_EQ(c.read(), weighted);
    const auto found = d.read();
    for (std::size_t k = 0; k < columns; ++k) {
      ASSERT_EQ(found[k].index, largest[k].index) << k;
      ASSERT_EQ(found[k].value, largest[k].value) << k;
    }
  }
};

TEST_F(OpenclSegmentedReduce, GivenSegmentsOfAllLengths_WhenReduced_ThenAsALoop) {
  for (const plan &how : ways()) {
    for (const std::size_t segments : {0, 1, 2, 63, 64, 65, 1000}) {
      for (const std::size_t usual : {0, 1, 5, 190, 3000}) {
        if (segments * usual < 300000) reduces(segments, usual, how);
      }
    }
  }
  reduces(3, 400000, {});
  reduces(70000, 4, {});
}

TEST_F(OpenclSegmentedReduce, GivenRows_WhenReduced_ThenAsALoop) {
  for (const plan &how : ways()) {
    for (const auto &[rows, length] : std::vector<std::pair<std::size_t, std::size_t>>{
             {0, 5}, {1, 1}, {5, 0}, {1, 100000}, {100000, 1}, {7, 1024}, {700, 33}, {3, 50001}}) {
      const std::size_t n = rows * length;
      const auto in = random_elements<std::uint8_t>(n, n);
      std::vector<std::uint64_t> sums(rows);
      std::vector<float> most(rows, -1), wanted(rows, -1);
      for (std::size_t i = 0; i < n; ++i) {
        sums[i / length] += in[i];
        most[i / length] = std::max(most[i / length], float(in[i]));
      }
      Guarded<std::uint8_t> source(in, 1);
      Guarded<std::uint64_t> a(rows, 1);
      Guarded<float> b(rows);
      EXPECT_CL(sum_of_rows(source.view(), a.view(), rows, length, queue_, how));
      EXPECT_CL(reduce_of_rows(source.view(), b.view(), rows, length, maximum{}, -1.0F, queue_, how));
      ASSERT_EQ(a.read(), sums) << rows << " x " << length << ", " << how;
      ASSERT_EQ(b.read(), most) << rows << " x " << length << ", " << how;
    }
  }
}

TEST_F(OpenclSegmentedReduce, GivenAxes_WhenReduced_ThenAsALoop) {
  // Reductions along an axis use no functions of work-groups.
  for (const plan &how : {plan{}, ways()[2]}) {
    for (const axis &of : {axis{1, 1, 1}, axis{3, 0, 4}, axis{3, 5, 1}, axis{2, 9001, 1}, axis{1, 70000, 2}, axis{2, 4000, 3},
                           axis{3, 333, 7}, axis{1, 5000, 32}, axis{5, 65, 33}, axis{2, 97, 130}, axis{1, 17, 4097},
                           axis{3000, 3, 2}, axis{1, 2000, 1100}, axis{3, 40, 31, {1300, 32}, {}}, axis{4, 50, 1, {60, 1}, {}},
                           axis{3, 20, 2, {2, 6}, {}}, axis{2, 30, 1, {100, 3}, {}}}) {
      reduces_axis(of, how);
    }
  }
}

TEST_F(OpenclSegmentedReduce, GivenACountOnTheDevice_WhenReduced_ThenSoManySegments) {
  const std::size_t n = 20000, most = 900;
  const auto in = random_elements<float>(n, 7);
  std::vector<std::int64_t> offsets;
  for (std::size_t k = 0; k <= most; ++k) offsets.push_back(static_cast<std::int64_t>(k * k % 22 + 20 * k));
  Guarded<float> source(in);
  Guarded<std::int64_t> ends(offsets);
  for (const std::uint32_t number : {0, 1, 500, 900, 5000}) {
    Guarded<std::uint32_t> count(std::vector<std::uint32_t>{number});
    Guarded<float> out(most);
    const std::size_t segments = std::min<std::size_t>(number, most);
    EXPECT_CL(sum_of_segments(source.view(), out.view(), ends.view(), count_at(count.view(), most), queue_));
    const auto sums = out.read(segments);
    for (std::size_t k = 0; k < segments; ++k) {
      float sum = 0;
      for (auto i = offsets[k]; i < offsets[k + 1]; ++i) sum += in[static_cast<std::size_t>(i)];
      ASSERT_EQ(sums[k], sum) << k << " of " << segments;
    }
  }
}

// Sums of structs, and a whole reduction with a transform that takes the index.
TEST_F(OpenclSegmentedReduce, GivenTypesOfText_WhenReduced_ThenAsALoop) {
  struct Pair {
    float a, b;
  };
  const std::size_t n = 6000;
  const auto in = random_elements<float>(2 * n, 8);
  const element_type pair("pair", "typedef struct { float a, b; } pair;", 8, 4);
  const operation both("both", "pair both(pair x, pair y) { x.a += y.a; x.b += y.b; return x; }");
  const Pair zeros{};
  Guarded<float> source(in), out(2 * 3);
  EXPECT_CL(reduce_of_rows(source.view_as(pair), out.view_as(pair), 3, n / 3, both, value(pair, &zeros), queue_));
  const auto sums = out.read();
  for (std::size_t k = 0; k < 6; ++k) {
    float sum = 0;
    for (std::size_t i = k % 2; i < 2 * n / 3; i += 2) sum += in[k / 2 * (2 * n / 3) + i];
    EXPECT_EQ(sums[k], sum);
  }
  const auto numbers = random_elements<std::int32_t>(n, 9);
  std::int32_t wanted = 0;
  for (std::size_t i = 0; i < n; ++i)
    wanted = add(wanted, static_cast<std::int32_t>(std::uint32_t(numbers[i]) * std::uint32_t(i + 1)));
  Guarded<std::int32_t> whole(numbers, 2), total(1);
  EXPECT_CL(transform_reduce(whole.view(), total.view(), n, plus{}, with_index(kWeighted), 0, queue_));
  EXPECT_EQ(total.read()[0], wanted);
}

TEST_F(OpenclSegmentedReduce, GivenWrongArguments_WhenReduced_ThenErrors) {
  Guarded<std::int32_t> in(100), out(100);
  Guarded<float> floats(100);
  const array x = in.view(), y = out.view();
  Guarded<std::uint32_t> ends(std::vector<std::uint32_t>{0, 50, 1000, 2000000});
  EXPECT_EQ(sum_of_segments(x, y, floats.view(), 3, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(sum_of_segments(x, y, ends.view(), 4000, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(sum_of_segments(x, y, y, 3, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(sum_of_rows(x, x, 10, 10, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(sum_of_rows(x, y, 10, 50, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(sum_of_rows(x, y, 10, std::uint64_t(1) << 40, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(sum_of_axis(x, y, {2, 10, 5, {49, 5}, {}}, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(sum_of_axis(x, x, {2, 10, 5}, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(arg_min_of_rows(x, y, 10, 10, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(reduce_of_rows(floats.view(), y, 10, 10, bit_and{}, 1.0F, queue_), CL_INVALID_VALUE);
  out.read(0);
  // Offsets beyond the buffer's end count as its end.
  Guarded<std::int32_t> room(3);
  EXPECT_CL(sum_of_segments(x, room.view(), ends.view(), 3, queue_));
  EXPECT_EQ(room.read()[2], 0);
}

}  // namespace upsweep::opencl::test
