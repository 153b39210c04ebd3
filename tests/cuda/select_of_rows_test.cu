// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections of many rows: lengths around the lanes that share a warp and around a warp's and a block's steps, and rows with a
// launch each. Shares of kept elements vary; elements have 1 to 24 bytes; in place; iterators.
#include "compact_check.h"

#include <upsweep/cuda/gather.cuh>
#include <upsweep/cuda/select_of_rows.cuh>

#include <numeric>

using namespace upsweep::test;

namespace {

struct Bytes24 {
  std::uint64_t words[3];
};

// The expected rows: kept elements in front, and unchanged elements behind them.
template <class T, class IsKept>
std::vector<std::uint32_t> compact_rows(const std::vector<T> &values, std::vector<T> &rows, std::size_t length,
                                        IsKept is_kept) {
  std::vector<std::uint32_t> kept;
  for (std::size_t begin = 0; length > 0 && begin < values.size(); begin += length) {
    std::uint32_t count = 0;
    for (std::size_t i = begin; i < begin + length; ++i) {
      if (is_kept(i)) {
        rows[begin + count++] = values[i];
      }
    }
    kept.push_back(count);
  }
  return kept;
}

template <class T>
std::vector<T> poisoned(std::size_t n) {
  std::vector<T> values(n);
  std::memset(static_cast<void *>(values.data()), kPoison, n * sizeof(T));
  return values;
}

struct Shape {
  std::size_t rows, length;
};
template <class T>
std::vector<Shape> shapes() {
  std::vector<Shape> all = {{1, 1}, {70000, 1}};
  for (const std::size_t length : {2, 3, 4, 7, 8, 9, 15, 16, 17, 32, 33, 255, 256, 257, 1023, 1024, 1025, 2048, 2049, 5000}) {
    all.push_back({1 + (is_short_run() ? 2 : 60000 / length) + generator()() % 3, length});
  }
  if (!is_short_run()) {
    // Rows with a launch each, and rows of the same length with a block each.
    all.push_back({3, (std::size_t(1) << 17) + 5});
    all.push_back({3, std::size_t(1) << 17});
    if (sizeof(T) == 4) {
      all.push_back({300, (std::size_t(1) << 17) + 1});
    }
  }
  return all;
}

template <class T>
void check_rows(const char *name) {
  for (const Shape &shape : shapes<T>()) {
    const std::size_t n = shape.rows * shape.length;
    const std::vector<T> values = any_values<T>(n);
    for (const std::uint32_t share : shares_of(n)) {
      const std::string what = std::string(name) + " " + std::to_string(shape.rows) + " x " + std::to_string(shape.length) +
                               " share " + std::to_string(share);
      const KeepShare keep{share};
      std::vector<T> expected = poisoned<T>(n);
      const std::vector<std::uint32_t> counts =
          compact_rows(values, expected, shape.length, [&](std::size_t i) { return keep(values[i]); });
      Placed<T> in(values, generator()() % 4), out(n, generator()() % 4);
      Placed<std::uint32_t> kept(shape.rows, 0);
      expect_success(
          what, cuda::select_if_of_rows(shared_space(), in.data(), out.data(), kept.data(), shape.rows, shape.length, keep));
      expect_same(what, out.download(), expected);
      expect_same(what + " counts", kept.download(), counts);
      UPSWEEP_CHECK(out.surroundings_are_intact() && kept.surroundings_are_intact());
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenRows_WhenSelected_ThenEachRowsKeptElementsAreInItsFront) {
  check_rows<std::uint32_t>("u32");
  check_rows<std::uint8_t>("u8");
  check_rows<Bytes24>("24 bytes");
}

UPSWEEP_TEST(GivenFlags_WhenRowsAreSelectedInPlace_ThenTheFlagsDecide) {
  for (const Shape &shape : shapes<std::uint16_t>()) {
    const std::size_t n = shape.rows * shape.length;
    const std::vector<std::uint16_t> values = any_values<std::uint16_t>(n);
    std::vector<std::uint8_t> flags = any_values<std::uint8_t>(n);
    for (std::uint8_t &flag : flags) {
      flag = flag % 3 == 0 ? 0 : flag;
    }
    Placed<std::uint16_t> in(values, 1);
    Placed<std::uint8_t> marks(flags, generator()() % 3);
    Placed<std::uint64_t> kept(shape.rows, 0);
    UPSWEEP_CUDA(cuda::select_by_flag_of_rows(in.data(), marks.data(), in.data(), kept.data(), shape.rows, shape.length));
    std::vector<std::uint16_t> expected(n);
    const std::vector<std::uint32_t> counts =
        compact_rows(values, expected, shape.length, [&](std::size_t i) { return flags[i] != 0; });
    const std::vector<std::uint16_t> got = in.download();
    const std::vector<std::uint64_t> got_counts = kept.download();
    int wrong = 0;
    for (std::size_t row = 0; row < shape.rows; ++row) {
      wrong += got_counts[row] != counts[row];
      wrong += !std::equal(expected.begin() + row * shape.length, expected.begin() + row * shape.length + counts[row],
                           got.begin() + row * shape.length);
    }
    UPSWEEP_CHECK(wrong == 0);
    UPSWEEP_CHECK(in.surroundings_are_intact());
  }
}

UPSWEEP_TEST(GivenAnOrder_WhenCallsGatherAndScatter_ThenElementsGoByIndex) {
  const std::size_t n = is_short_run() ? 5000 : 1000003;
  const std::vector<std::uint32_t> values = any_values<std::uint32_t>(n);
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), generator());
  DeviceArray<std::uint32_t> in(values), at(order), sums(n), selected(n), total(1);
  DeviceArray<std::uint64_t> kept(1);
  UPSWEEP_CUDA(
      cuda::inclusive_sum(shared_space(), cuda::gathered(in.data(), at.data()), cuda::scattered(sums.data(), at.data()), n));
  UPSWEEP_CUDA(
      cuda::select_if(shared_space(), cuda::gathered(in.data(), at.data()), selected.data(), kept.data(), n, KeepShare{100}));
  std::vector<std::uint32_t> expected(n), picked = poisoned<std::uint32_t>(n);
  std::uint32_t sum = 0;
  std::size_t count = 0;
  for (const std::uint32_t i : order) {
    expected[i] = sum += values[i];
    if (KeepShare{100}(values[i])) {
      picked[count++] = values[i];
    }
  }
  expect_same("sums by index", sums.download(), expected);
  expect_same("selected by index", selected.download(), picked);
  UPSWEEP_CHECK(kept.download().front() == count);
}

UPSWEEP_TEST(GivenWrongArguments_WhenRowsAreSelected_ThenErrors) {
  DeviceArray<int> in(100), out(100), kept(10);
  const KeepShare keep{128};
  int *const null = nullptr;
  cuda::workspace none;
  UPSWEEP_CHECK(cuda::select_if_of_rows(none, in.data(), out.data(), kept.data(), 10, 10, keep) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::select_if_of_rows(null, out.data(), kept.data(), 10, 10, keep) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::select_if_of_rows(in.data(), null, kept.data(), 10, 10, keep) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::select_if_of_rows(in.data(), out.data(), null, 10, 10, keep) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::select_by_flag_of_rows(in.data(), null, out.data(), kept.data(), 10, 10) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::select_if_of_rows(in.data(), in.data() + 1, kept.data(), 9, 10, keep) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(cuda::select_if_of_rows(in.data(), out.data(), kept.data(), std::uint64_t(1) << 40, 3, keep) ==
                cudaErrorInvalidValue);
  UPSWEEP_CUDA(cuda::select_if_of_rows(in.data(), out.data(), kept.data(), 0, 10, keep));
  UPSWEEP_CUDA(cuda::select_if_of_rows(null, null, kept.data(), 10, 0, keep));
  UPSWEEP_CHECK(kept.download() == std::vector<int>(10, 0));
}
