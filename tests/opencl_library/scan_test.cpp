// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans against plain loops: operators, types, lengths, options, and every plan.
#include "check.h"

#include <upsweep/opencl/scan.h>

#include <cmath>

namespace upsweep::opencl::test {

struct Affine {
  std::uint32_t factor, offset;
  bool operator==(const Affine &) const = default;
};

const element_type kAffine("affine", "typedef struct { uint factor, offset; } affine;", sizeof(Affine), alignof(Affine));
const char *const kCompose = "affine compose(affine a, affine b) {\n"
                             "  affine both;\n"
                             "  both.factor = a.factor * b.factor;\n"
                             "  both.offset = a.offset * b.factor + b.offset;\n"
                             "  return both;\n"
                             "}";

Affine compose(const Affine &a, const Affine &b) { return {a.factor * b.factor, a.offset * b.factor + b.offset}; }

template <class T>
T add(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  } else {
    return a + b;
  }
}

template <class T, class Op>
std::vector<T> scanned(const std::vector<T> &in, Op op) {
  std::vector<T> out(in);
  for (std::size_t i = 1; i < in.size(); ++i) out[i] = op(out[i - 1], in[i]);
  return out;
}

template <class T, class Op>
std::vector<T> scanned_from(const std::vector<T> &in, T running, Op op) {
  std::vector<T> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = running;
    running = op(running, in[i]);
  }
  return out;
}

class OpenclScan : public OpenclLibrary {
protected:
  template <class T>
  void sums(std::size_t n, const plan &how) {
    SCOPED_TRACE(testing::Message() << n << " elements, " << how);
    const std::vector<T> in = random_elements<T>(n, test_seed() + n);
    Guarded<T> source(in, n % 5), inclusive(n, n % 3), exclusive(n);
    EXPECT_CL(inclusive_sum(source.view(), inclusive.view(), n, queue_, how));
    EXPECT_CL(exclusive_scan(source.view(), exclusive.view(), n, plus{}, T(3), queue_, how));
    ASSERT_EQ(inclusive.read(), scanned(in, add<T>));
    ASSERT_EQ(exclusive.read(), scanned_from(in, T(3), add<T>));
    ASSERT_EQ(source.read(), in);
  }
};

TEST_F(OpenclScan, GivenEveryWayAndLength_WhenSummed_ThenAsALoop) {
  for (const plan &how : plans(known_)) {
    for (const std::size_t n : lengths(how.group != 0 ? how.group * how.items : 192)) sums<std::int32_t>(n, how);
  }
}

TEST_F(OpenclScan, GivenTheLibrarysChoice_WhenLengthsAreAroundItsTiles_ThenAsALoop) {
  for (const std::size_t tile : {3840, 8192, 16384}) {
    for (const std::size_t n : {tile - 1, tile, tile + 1, 16 * tile, 17 * tile + 5}) sums<std::int32_t>(n, {});
  }
  sums<std::int32_t>(1000003, {});
  sums<std::uint64_t>(300007, {});
}

// The outputs begin at cache lines, and at elements next to them.
TEST_F(OpenclScan, GivenArraysBeyondTheCaches_WhenSummed_ThenAsALoop) {
  for (const std::size_t n : {kStreamedItems, kStreamedItems + 5}) sums<std::int32_t>(n, {});
  const std::size_t n = kStreamedItems + 5;
  const auto in = random_elements<std::int32_t>(n, test_seed());
  auto wanted = scanned(std::vector<std::int32_t>(in.rbegin(), in.rend()), [](auto a, auto b) { return std::max(a, b); });
  std::reverse(wanted.begin(), wanted.end());
  Guarded<std::int32_t> source(in), out(n, 2);
  EXPECT_CL(inclusive_scan(source.view(), out.view(), n, maximum{}, queue_, backward));
  ASSERT_TRUE(out.read() == wanted);
}

TEST_F(OpenclScan, GivenEveryType_WhenSummed_ThenAsALoop) {
  for (const plan &how : {plan{}, plan{3, 0, -1, 0, 0}, plan{0, 0, -1, 32, 5}}) {
    sums<std::int8_t>(5000, how);
    sums<std::uint8_t>(5001, how);
    sums<std::int16_t>(5002, how);
    sums<std::uint16_t>(5003, how);
    sums<std::uint32_t>(5004, how);
    sums<std::int64_t>(5005, how);
    sums<float>(20000, how);
    if (known_.has_double) sums<double>(20001, how);
  }
}

// Chunks of 16 bytes, with arrays that begin at chunks, at equal distances from them, and at different ones.
TEST_F(OpenclScan, GivenChunks_WhenArraysBeginAnywhere_ThenAsALoop) {
  const auto test = [&]<class T>(T) {
    const plan how{0, 0, -1, 32, static_cast<unsigned>(3 * 16 / sizeof(T))};
    for (const std::size_t n : {4999, 20000}) {
      const std::vector<T> in = random_elements<T>(n, test_seed() + n);
      for (const auto &[from, to] : {std::pair{0, 0}, std::pair{1, 1}, std::pair{3, 3}, std::pair{0, 1}, std::pair{5, 2}}) {
        SCOPED_TRACE(testing::Message() << type_of<T>::value().name << " from " << from << " to " << to);
        Guarded<T> source(in, from), out(n, to), reversed(n, to);
        EXPECT_CL(inclusive_sum(source.view(), out.view(), n, queue_, how));
        EXPECT_CL(inclusive_sum(source.view(), reversed.view(), n, queue_, how, backward));
        ASSERT_EQ(out.read(), scanned(in, add<T>));
        std::vector<T> expected = scanned(std::vector<T>(in.rbegin(), in.rend()), add<T>);
        std::reverse(expected.begin(), expected.end());
        ASSERT_EQ(reversed.read(), expected);
      }
    }
  };
  test(std::uint8_t());
  test(std::int16_t());
  test(float());
  test(std::int64_t());
}

TEST_F(OpenclScan, GivenOperatorsAndTypes_WhenScanned_ThenAsALoop) {
  const std::size_t n = 3001;
  const auto test = [&]<class T>(const operation &op, auto reference, T) {
    SCOPED_TRACE(op.name + " of " + type_of<T>::value().name);
    const std::vector<T> in = random_elements<T>(n, test_seed());
    for (const unsigned group : {0U, 32U}) {
      Guarded<T> source(in), out(n);
      EXPECT_CL(inclusive_scan(source.view(), out.view(), n, op, queue_, plan{0, 0, -1, group, group == 0 ? 0U : 3U}));
      ASSERT_EQ(out.read(), scanned(in, [&](T a, T b) { return static_cast<T>(reference(a, b)); }));
    }
  };
  const auto all = [&]<class T>(T zero) {
    test(minimum{}, [](T a, T b) { return b < a ? b : a; }, zero);
    test(maximum{}, [](T a, T b) { return a < b ? b : a; }, zero);
    if constexpr (std::is_integral_v<T>) {
      test(multiplies{}, [](T a, T b) { return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b); }, zero);
      test(bit_and{}, [](T a, T b) { return a & b; }, zero);
      test(bit_or{}, [](T a, T b) { return a | b; }, zero);
      test(bit_xor{}, [](T a, T b) { return a ^ b; }, zero);
    }
  };
  all(std::int8_t());
  all(std::uint16_t());
  all(std::int32_t());
  all(std::uint64_t());
  all(float());
  if (known_.has_double) all(double());
}

TEST_F(OpenclScan, GivenNansAndZeros_WhenScanned_ThenNoIdentityShows) {
  const float nan = std::nanf("");
  const std::vector<float> in = {nan, nan, 3, nan, 1};
  Guarded<float> source(in), out(5), sum(2), zeros(std::vector<float>{-0.0F, -0.0F});
  EXPECT_CL(inclusive_scan(source.view(), out.view(), 5, minimum{}, queue_));
  EXPECT_CL(inclusive_sum(zeros.view(), sum.view(), 2, queue_));
  const std::vector<float> least = out.read(), sums = sum.read();
  EXPECT_TRUE(std::isnan(least[0]) && std::isnan(least[1]));
  EXPECT_EQ(std::vector<float>(least.begin() + 2, least.end()), (std::vector<float>{3, 3, 1}));
  EXPECT_TRUE(std::signbit(sums[0]) && std::signbit(sums[1]));
}

TEST_F(OpenclScan, GivenAStructAndAnOperatorThatDoesNotCommute_WhenScanned_ThenInOrder) {
  for (const std::size_t n : {1, 100, 4097, 50001}) {
    std::mt19937_64 random(test_seed());
    std::vector<Affine> in(n);
    for (Affine &a : in) a = {static_cast<std::uint32_t>(random() | 1), static_cast<std::uint32_t>(random())};
    for (const char *identity : {"", "(affine){1, 0}"}) {
      const operation op("compose", kCompose, identity);
      for (plan how : plans(known_)) {
        SCOPED_TRACE(testing::Message() << n << " maps, " << how);
        Guarded<Affine> source(in), out(n), exclusive(n, 2);
        const Affine initial{7, 9};
        EXPECT_CL(inclusive_scan(source.view_as(kAffine), out.view_as(kAffine), n, op, queue_, how));
        EXPECT_CL(
            exclusive_scan(source.view_as(kAffine), exclusive.view_as(kAffine), n, op, value(kAffine, &initial), queue_, how));
        ASSERT_EQ(out.read(), scanned(in, compose));
        ASSERT_EQ(exclusive.read(), scanned_from(in, initial, compose));
      }
    }
  }
}

TEST_F(OpenclScan, GivenOptions_WhenScanned_ThenAsALoop) {
  const std::size_t n = 20011;
  const std::vector<std::int32_t> in = random_elements<std::int32_t>(n, test_seed());
  std::vector<std::int32_t> reversed(in.rbegin(), in.rend());
  std::vector<std::int32_t> wanted = scanned(reversed, add<std::int32_t>);
  std::reverse(wanted.begin(), wanted.end());
  Guarded<std::int32_t> source(in), out(n), total(1);
  EXPECT_CL(inclusive_sum(source.view(), out.view(), n, queue_, backward, total_to(total.view())));
  EXPECT_EQ(out.read(), wanted);
  EXPECT_EQ(total.read()[0], wanted[0]);

  // n + 1 offsets of 64 bits, made from bytes.
  const std::vector<std::uint8_t> lengths_in = random_elements<std::uint8_t>(n, 5);
  std::vector<std::uint64_t> offsets(n + 1);
  for (std::size_t i = 0; i < n; ++i) offsets[i + 1] = offsets[i] + lengths_in[i];
  Guarded<std::uint8_t> bytes(lengths_in, 3);
  Guarded<std::uint64_t> sums(n + 1);
  EXPECT_CL(exclusive_sum(bytes.view(), sums.view(), n, queue_, total_to(buffer<std::uint64_t>(sums.memory(), n))));
  EXPECT_EQ(sums.read(), offsets);

  Guarded<std::int64_t> squares(n);
  EXPECT_CL(inclusive_sum(bytes.view(), squares.view(), n, queue_, accumulator<std::int64_t>(),
                          transform_input(function("square", "long square(uchar x) { return (long)x * x; }")),
                          transform_output(function("negated", "long negated(long x) { return -x; }"))));
  std::vector<std::int64_t> of_squares(n);
  std::int64_t running = 0;
  for (std::size_t i = 0; i < n; ++i) of_squares[i] = -(running += std::int64_t(lengths_in[i]) * lengths_in[i]);
  EXPECT_EQ(squares.read(), of_squares);
}

TEST_F(OpenclScan, GivenNoElements_WhenTheTotalIsWanted_ThenTheInitialValue) {
  Guarded<std::int32_t> total(1);
  for (const plan &how : plans(known_)) {
    EXPECT_CL(exclusive_scan(total.view(), total.view(), 0, plus{}, 5, queue_, total_to(total.view()), how));
    EXPECT_EQ(total.read()[0], 5);
  }
}

TEST_F(OpenclScan, GivenTheSameArray_WhenScannedInPlace_ThenAsALoop) {
  const std::size_t n = 100003;
  const std::vector<std::int32_t> in = random_elements<std::int32_t>(n, test_seed());
  for (const plan &how : plans(known_)) {
    Guarded<std::int32_t> both(in, 1);
    EXPECT_CL(exclusive_scan(both.view(), both.view(), n, plus{}, 1, queue_, how));
    ASSERT_EQ(both.read(), scanned_from(in, 1, add<std::int32_t>));
  }
}

}  // namespace upsweep::opencl::test
