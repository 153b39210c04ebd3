// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type of totals: derived from the operator and the arrays, or given.
#include "scan_check.h"

#include <upsweep/cuda/axis.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <limits>

using namespace upsweep::test;

namespace {

struct Sum {
  template <class T>
  __host__ __device__ auto operator()(T a, T b) const {
    return a + b;
  }
};

template <class In, class Out, class Op, class... Options>
using Chosen = cuda::detail::Accumulator<In *, Out *, Op, Options...>;

static_assert(std::is_same_v<Chosen<std::uint8_t, std::uint8_t, cuda::plus>, std::uint8_t>);
static_assert(std::is_same_v<Chosen<const std::uint8_t, std::uint32_t, cuda::plus>, std::uint32_t>);
static_assert(std::is_same_v<Chosen<std::int16_t, std::int64_t, cuda::multiplies>, std::int64_t>);
static_assert(std::is_same_v<Chosen<std::uint32_t, std::uint8_t, cuda::plus>, std::uint32_t>);
static_assert(std::is_same_v<Chosen<std::uint8_t, std::uint32_t, cuda::maximum>, std::uint8_t>);
static_assert(std::is_same_v<Chosen<std::uint8_t, std::uint8_t, Sum>, int>);
static_assert(std::is_same_v<Chosen<float, double, cuda::plus>, float>);
static_assert(std::is_same_v<Chosen<float, float, cuda::plus, cuda::accumulator_t<double>>, double>);

constexpr std::size_t kSizes[] = {1, 300, 5000, 70001, 3000001};

// Bytes, summed in 64 bits.
template <class Out>
std::vector<Out> sums(const std::vector<std::uint8_t> &bytes, bool is_inclusive, std::uint64_t initial) {
  std::vector<Out> results(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::uint64_t next = initial + bytes[i];
    results[i] = static_cast<Out>(is_inclusive ? next : initial);
    initial = next;
  }
  return results;
}

template <class Out>
void check_bytes_into() {
  for (const std::size_t n : kSizes) {
    if (n > most_elements()) {
      continue;
    }
    const auto bytes = scan_values<std::uint8_t>(n);
    for (const std::size_t shift : {0, 3}) {
      Placed<std::uint8_t> in(bytes, shift);
      Placed<Out> out(n, shift);
      const std::string what = std::to_string(n) + " bytes into " + std::to_string(sizeof(Out));
      UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), in.data(), out.data(), n));
      expect_same(what + " inclusive", out.download(), sums<Out>(bytes, true, 0));
      out.poison();
      UPSWEEP_CUDA(cuda::exclusive_sum(shared_space(), in.data(), out.data(), n));
      expect_same(what + " exclusive", out.download(), sums<Out>(bytes, false, 0));
      out.poison();
      UPSWEEP_CUDA(cuda::inclusive_scan(shared_space(), in.data(), out.data(), n, Sum{}));
      expect_same(what + " by the caller's operator", out.download(), sums<Out>(bytes, true, 0));
      UPSWEEP_CHECK(out.surroundings_are_intact());
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenBytes_WhenSumsGoToWiderIntegers_ThenTheyAreTakenInThose) {
  check_bytes_into<std::uint16_t>();
  check_bytes_into<std::uint32_t>();
  check_bytes_into<std::uint64_t>();
}

UPSWEEP_TEST(GivenBytes_WhenRowsAndAxesAreSummed_ThenSumsAreOfTheResultsType) {
  const std::size_t rows = 700, inner = 96, n = rows * inner;
  const auto bytes = scan_values<std::uint8_t>(n);
  std::vector<std::uint32_t> of_rows(n), of_axis(n);
  for (std::size_t i = 0; i < n; ++i) {
    of_rows[i] = bytes[i] + (i % inner > 0 ? of_rows[i - 1] : 0);
    of_axis[i] = bytes[i] + (i >= inner ? of_axis[i - inner] : 0);
  }
  Placed<std::uint8_t> in(bytes, 0);
  Placed<std::uint32_t> out(n, 0);
  UPSWEEP_CUDA(cuda::inclusive_scan_of_rows(shared_space(), in.data(), out.data(), n, inner, cuda::plus{}));
  expect_same("rows", out.download(), of_rows);
  cuda::axis of;
  of.length = rows;
  of.inner = inner;
  Space space(cuda::axis_scan_workspace_bytes<std::uint32_t, std::uint8_t, std::uint32_t>(of));
  out.poison();
  UPSWEEP_CUDA(cuda::inclusive_sum_of_axis(space, in.data(), out.data(), of));
  expect_same("axis", out.download(), of_axis);
}

// Sums of ones stop growing at 2048 in half, and in float at 2^24.
UPSWEEP_TEST(GivenANamedAccumulator_WhenScanned_ThenTotalsAreOfIt) {
  const std::size_t n = 40000;
  Placed<__half> halves(std::vector<__half>(n, __float2half(1.0f)), 0);
  Placed<float> results(n, 0);
  std::vector<float> counts(n);
  for (std::size_t i = 0; i < n; ++i) {
    counts[i] = static_cast<float>(i + 1);
  }
  UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), halves.data(), results.data(), n, nullptr, cuda::accumulator<float>));
  expect_same("halves", results.download(), counts);

  std::vector<float> values(n, 1.0f);
  values[0] = 16777216.0f;
  std::vector<double> expected(n);
  for (std::size_t i = 0; i < n; ++i) {
    expected[i] = (i > 0 ? 16777216.0 + static_cast<double>(i - 1) : 0.0) + 5;
  }
  Placed<float> floats(values, 0);
  Placed<double> sums(n, 0);
  UPSWEEP_CUDA(cuda::exclusive_scan(shared_space(), floats.data(), sums.data(), n, cuda::plus{}, 5.0f, nullptr,
                                    cuda::accumulator<double>));
  expect_same("floats", sums.download(), expected);

  std::vector<float> rounded(n);
  for (std::size_t i = 0; i < n; ++i) {
    rounded[i] = static_cast<float>(16777216.0 + static_cast<double>(i));
  }
  for (const std::size_t count : {std::size_t(3), std::size_t(2000), std::size_t(8000), n}) {
    Placed<float> same(count, 0);
    UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), floats.data(), same.data(), count, nullptr, cuda::accumulator<double>));
    expect_same("floats by doubles", same.download(), std::vector<float>(rounded.begin(), rounded.begin() + count));
  }
}
