// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges and sorts by comparisons against the standard library's.
#include "check.h"

#include <upsweep/opencl/merge.h>

#include <algorithm>
#include <numeric>

namespace upsweep::opencl::test {

namespace {

struct Pixel {
  std::uint8_t red, green, blue;
  bool operator==(const Pixel &) const = default;
};

const element_type kPixel("pixel", "typedef struct { uchar red, green, blue; } pixel;", 3, 1);
// Pixels with the same green are equal.
const function kGreener("greener", "bool greener(pixel x, pixel y) { return x.green > y.green; }");

bool greener(const Pixel &x, const Pixel &y) { return x.green > y.green; }

// Keys with few values, so that many are equal.
template <class T>
std::vector<T> few_keys(std::size_t n, std::uint64_t seed) {
  std::vector<T> keys = random_elements<T>(n, seed);
  for (std::size_t i = 0; i < n; i += 2) keys[i] = static_cast<T>(i % 7);
  return keys;
}

std::vector<Pixel> pixels(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Pixel> all(n);
  for (Pixel &p : all) p = {static_cast<std::uint8_t>(random()), static_cast<std::uint8_t>(random() % 40), 3};
  return all;
}

std::vector<std::uint64_t> numbers(std::size_t n, std::uint64_t first) {
  std::vector<std::uint64_t> all(n);
  std::iota(all.begin(), all.end(), first);
  return all;
}

// The order of a stable sort by `less`, as indices.
template <class T, class Less>
std::vector<std::uint64_t> order_of(const std::vector<T> &keys, const Less &less) {
  std::vector<std::uint64_t> order = numbers(keys.size(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::uint64_t x, std::uint64_t y) { return less(keys[x], keys[y]) || (x < y && !less(keys[y], keys[x])); });
  return order;
}

template <class T>
std::vector<T> in_order(const std::vector<T> &keys, const std::vector<std::uint64_t> &order) {
  std::vector<T> sorted(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) sorted[i] = keys[order[i]];
  return sorted;
}

constexpr std::pair<std::size_t, std::size_t> kCounts[] = {
    {0, 0},   {0, 1},    {1, 0},    {1, 1},    {191, 1},     {1, 191},     {96, 97},     {192, 192},
    {0, 385}, {2047, 1}, {4095, 2}, {8191, 1}, {8192, 8193}, {30000, 177}, {177, 30000}, {50001, 49999}};
constexpr std::size_t kLengths[] = {0, 1, 2, 15, 16, 17, 191, 192, 193, 383, 385, 769, 8191, 8192, 8193, 16385, 70001};

}  // namespace

class OpenclMerge : public OpenclLibrary {
protected:
  // The library's own choice, tiles with edges everywhere, and a single work-item with runs that do not double to a tile.
  std::vector<plan> shapes() const {
    return {{}, {0, 120, -1, static_cast<unsigned>(known_.max_group < 64 ? 1 : 64), 3}, {0, 0, -1, 1, 37}};
  }

  // The elements of `b` follow all elements of `a`, so that a stable sort of both equals their merge.
  template <class T, class Less>
  void merges(std::vector<T> a, std::vector<T> b, const element_type &type, const Less &less, const function &text,
              const plan &how) {
    SCOPED_TRACE(testing::Message() << a.size() << " and " << b.size() << " of " << type.name << ", " << how);
    a = in_order(a, order_of(a, less));
    b = in_order(b, order_of(b, less));
    std::vector<T> both = a;
    both.insert(both.end(), b.begin(), b.end());
    const std::vector<std::uint64_t> order = order_of(both, less);
    const std::size_t n = both.size();
    Guarded<T> as(a, 1), bs(b, 2), out(n, 3), keys_out(n);
    Guarded<std::uint64_t> a_values(numbers(a.size(), 0)), b_values(numbers(b.size(), a.size()), 1), values_out(n, 2);
    const array x = as.view_as(type), y = bs.view_as(type);
    EXPECT_CL(merge(x, y, out.view_as(type), a.size(), b.size(), text, queue_, how));
    ASSERT_EQ(out.read(), in_order(both, order));
    EXPECT_CL(merge_pairs(x, a_values.view(), y, b_values.view(), keys_out.view_as(type), values_out.view(), a.size(), b.size(),
                          text, queue_, how));
    ASSERT_EQ(keys_out.read(), in_order(both, order));
    ASSERT_EQ(values_out.read(), order);
    ASSERT_EQ(as.read(), a);
  }

  template <class T, class Less>
  void sorts(const std::vector<T> &in, const element_type &type, const Less &less, const function &text, const plan &how) {
    SCOPED_TRACE(testing::Message() << in.size() << " of " << type.name << ", " << how);
    const std::size_t n = in.size();
    const std::vector<std::uint64_t> order = order_of(in, less);
    const std::vector<T> sorted = in_order(in, order);
    Guarded<T> keys(in, 1), out(n, 2), both(in), keys_out(n, 3);
    Guarded<std::uint64_t> values(numbers(n, 0), 1), values_out(n);
    EXPECT_CL(merge_sort(keys.view_as(type), out.view_as(type), n, text, queue_, how));
    ASSERT_EQ(out.read(), sorted);
    EXPECT_CL(
        merge_sort_pairs(keys.view_as(type), keys_out.view_as(type), values.view(), values_out.view(), n, text, queue_, how));
    ASSERT_EQ(keys_out.read(), sorted);
    ASSERT_EQ(values_out.read(), order);
    ASSERT_EQ(keys.read(), in);
    EXPECT_CL(merge_sort_pairs(both.view_as(type), both.view_as(type), values.view(), values.view(), n, text, queue_, how));
    ASSERT_EQ(both.read(), sorted);
    ASSERT_EQ(values.read(), order);
  }

  template <class T>
  void numbers_of(const plan &how) {
    const element_type type = type_of<T>::value();
    merges(few_keys<T>(3000, 1), few_keys<T>(5001, 2), type, std::less<>(), {}, how);
    sorts(few_keys<T>(20003, 3), type, std::less<>(), {}, how);
  }
};

TEST_F(OpenclMerge, GivenEveryLengthAndShape_WhenMerged_ThenStable) {
  for (const plan &how : shapes()) {
    for (const auto &[a, b] : kCounts) {
      merges(few_keys<std::int32_t>(a, a + b), few_keys<std::int32_t>(b, a), type_of<std::int32_t>::value(), std::less<>(), {},
             how);
      merges(pixels(a, a), pixels(b, a + b), kPixel, greener, kGreener, how);
    }
  }
}

TEST_F(OpenclMerge, GivenEveryLengthAndShape_WhenSorted_ThenStable) {
  for (const plan &how : shapes()) {
    for (const std::size_t n : kLengths) {
      sorts(few_keys<std::uint32_t>(n, n), type_of<std::uint32_t>::value(), std::less<>(), {}, how);
      sorts(pixels(n, n), kPixel, greener, kGreener, how);
    }
  }
}

TEST_F(OpenclMerge, GivenNumbersOfEveryTypeAndLanguage_WhenMergedAndSorted_ThenStable) {
  for (const int language : known_.languages) numbers_of<std::int64_t>({0, language, -1, 0, 0});
  numbers_of<std::uint8_t>({});
  numbers_of<std::int16_t>({});
  numbers_of<float>({});
  if (known_.has_double) numbers_of<double>({});
}

TEST_F(OpenclMerge, GivenANumberOnTheDevice_WhenSorted_ThenOnlySoManyAndNothingBehind) {
  const std::size_t n = 30001;
  const auto in = few_keys<std::int32_t>(n, 5);
  for (const std::uint32_t count : {0U, 1U, 8193U, 20000U, 30001U, 4000000000U}) {
    const std::size_t real = std::min<std::size_t>(count, n);
    std::vector<std::int32_t> sorted(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(real));
    std::sort(sorted.begin(), sorted.end());
    for (const plan &how : shapes()) {
      Guarded<std::int32_t> keys(in), out(n);
      Guarded<std::uint32_t> number(std::vector<std::uint32_t>{count}, 3);
      EXPECT_CL(merge_sort(keys.view(), out.view(), count_at(number.view(), n), queue_, how));
      ASSERT_EQ(out.read(real), sorted) << count << ", " << how;
    }
  }
}

TEST_F(OpenclMerge, GivenFunctionsThatOpenClHas_WhenTheyCompare_ThenByTheirName) {
  const auto in = few_keys<float>(5000, 6);
  sorts(in, type_of<float>::value(), std::greater<>(), function("isgreater", ""), {});
}

TEST_F(OpenclMerge, GivenWrongArguments_WhenCalled_ThenErrorsAndNothingWritten) {
  Guarded<std::int32_t> in(100), out(200), spare(200);
  Guarded<float> floats(100);
  Guarded<Pixel> colours(100), colours_out(100);
  const array x = in.view(), y = out.view(), z = spare.view();
  const array none = buffer<int>(cl_mem(nullptr));
  EXPECT_EQ(merge(x, x, buffer<int>(in.memory(), 39), 40, 20, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(merge(y, x, buffer<int>(out.memory(), 50), 10, 50, queue_), CL_SUCCESS);  // behind what is read
  EXPECT_EQ(merge(x, floats.view(), y, 100, 100, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(merge(x, none, y, 100, 1, queue_), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(merge(x, z, y, 100, 1000, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(merge(x, z, y, std::uint64_t(1) << 40, 1, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(merge(x, z, y, UINT64_MAX, 2, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(merge_pairs(x, x, x, x, y, y, 10, 10, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(merge_pairs(x, x, x, z, y, z, 10, 10, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(merge_pairs(x, x, x, floats.view(), y, z, 10, 10, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(merge_sort(x, buffer<int>(in.memory(), 1), 50, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(merge_sort(x, floats.view(), 50, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(merge_sort(x, y, count_at(floats.view(), 50), queue_), CL_INVALID_VALUE);
  EXPECT_EQ(merge_sort(x, y, count_at(buffer<std::uint32_t>(out.memory(), 49), 50), queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(merge_sort_pairs(x, y, x, y, 50, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(merge_sort_pairs(x, y, y, z, 50, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(merge_sort(colours.view_as(kPixel), colours_out.view_as(kPixel), 100, queue_), CL_INVALID_VALUE);
  EXPECT_NE(std::string(last_message()).find("pixel keys need a comparison"), std::string::npos) << last_message();
  EXPECT_CL(merge_sort(x, y, 0, queue_));
  EXPECT_CL(merge(x, x, y, 0, 0, queue_));
  spare.read(0);
  colours_out.read(0);
}

}  // namespace upsweep::opencl::test
