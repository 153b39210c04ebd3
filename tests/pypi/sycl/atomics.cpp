// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of atomics.
#include "programs.h"

#include <algorithm>
#include <bit>

namespace programs {
namespace {

constexpr size_t kCount = 1 << 14, kBins = 37;

SYCL_PROGRAM(histogram) {
  const auto kernel = build(queue, "histogram").ext_oneapi_get_kernel("histogram");
  const auto in = random_numbers<unsigned>(kCount, 0, kBins - 0.001);
  std::vector<int> expected(kBins);
  for (unsigned bin : in) ++expected[bin];
  Array<unsigned> from(queue, in);
  Array<int> bins(queue, kBins);
  queue.submit([&](sycl::handler &handler) {
    handler.set_args(from.get(), bins.get(), kBins, sycl::local_accessor<int, 1>(kBins, handler));
    handler.parallel_for(sycl::nd_range<1>(kCount, 128), kernel);
  });
  queue.wait_and_throw();
  compare(bins.values(), expected);
}

SYCL_PROGRAM(atomics_of_64_bits) {
  const auto kernel = build(queue, "atomics_64").ext_oneapi_get_kernel("atomics");
  const auto in = random_numbers<uint64_t>(kCount, 0, 1e18);
  std::vector<uint64_t> expected{0, 0, UINT64_MAX, 0, 0, kCount};
  for (uint64_t x : in) {
    expected[0] += x;
    expected[1] = std::max(expected[1], x);
    expected[2] = std::min(expected[2], x);
    expected[3] ^= x;
    expected[4] |= x;
  }
  Array<uint64_t> from(queue, in), out(queue, std::vector<uint64_t>{0, 0, UINT64_MAX, 0, 0, 0});
  launch(queue, kernel, sycl::nd_range<1>(kCount, 64), from.get(), out.get());
  compare(out.values(), expected);
}

template <typename T>
void check_floats(sycl::queue &queue, const char *name) {
  const auto kernel = build(queue, "atomics_of_floats").ext_oneapi_get_kernel(name);
  // Whole numbers, so that the sum does not depend on the order.
  auto in = random_numbers<T>(kCount, -500, 500);
  for (T &x : in) x = std::floor(x);
  std::vector<T> expected{0, in[0], in[0], 1};
  for (T x : in) {
    expected[0] += x;
    expected[1] = std::min(expected[1], x);
    expected[2] = std::max(expected[2], x);
  }
  Array<T> from(queue, in), out(queue, std::vector<T>{0, in[0], in[0], 1});
  launch(queue, kernel, sycl::nd_range<1>(kCount, 64), from.get(), out.get());
  compare(out.values(), expected);
}

SYCL_PROGRAM(atomics_of_float) { check_floats<float>(queue, "of_float"); }
SYCL_PROGRAM(atomics_of_double) { check_floats<double>(queue, "of_double"); }

/// A stack of indices whose head changes by compare and exchange.
SYCL_PROGRAM(lock_free_stack) {
  const auto kernel = build(queue, "lock_free_stack").ext_oneapi_get_kernel("push");
  Array<int> next(queue, kCount), head(queue, std::vector<int>{-1});
  launch(queue, kernel, sycl::nd_range<1>(kCount, 64), head.get(), next.get());
  std::vector<int> links = next.values(), seen(kCount);
  size_t steps = 0;
  for (int at = head.values()[0]; at != -1 && steps <= kCount; at = links[at], ++steps) ++seen[at];
  require(steps == kCount, "the stack has each item");
  compare(seen, std::vector<int>(kCount, 1));
}

}  // namespace
}  // namespace programs
