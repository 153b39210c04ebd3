// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `reproducible` sums have the same bits on a GPU and on CPU threads: scans forward and backward, exclusive scans from an
// initial value, compensated sums, floats summed in doubles, and reductions.
#include "cpu_bits.h"
#include "scan_check.h"

#include <upsweep/cuda/compensated.cuh>
#include <upsweep/cuda/reduce.cuh>

using namespace upsweep::test;

namespace {

// Sizes around the ends of slices, warps, tiles and groups of 128 tiles of floats and doubles.
constexpr std::size_t kSizes[] = {1,    5,    27,     28,     29,     448,    897,    2687,    2689,    6272,
                                  6273, 8193, 100000, 344063, 344065, 802816, 802817, 3244032, 3300001, 9000001};

template <class T>
std::vector<T> inexact_numbers(std::size_t n) {
  std::vector<T> values(n);
  for (T &value : values) {
    value = static_cast<T>(static_cast<double>(generator()()) / 1e9 - 1.3);
  }
  return values;
}

template <class T>
bool is_same(const std::vector<T> &a, const std::vector<T> &b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T>
void check_scans(std::size_t n, std::size_t shift) {
  const std::vector<T> values = inexact_numbers<T>(n);
  const T initial = static_cast<T>(0.7);
  Placed<T> in(values, shift), out(n, shift);
  DeviceArray<T> total(1);
  std::vector<T> wanted(n);
  T total_wanted = 0;

  UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), in.data(), out.data(), n, nullptr, cuda::reproducible));
  OnCpu<T>::inclusive_sum(values.data(), wanted.data(), n, false);
  UPSWEEP_CHECK(is_same(out.download(), wanted));

  out.poison();
  UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), in.data(), out.data(), n, nullptr, cuda::reproducible, cuda::backward));
  OnCpu<T>::inclusive_sum(values.data(), wanted.data(), n, true);
  UPSWEEP_CHECK(is_same(out.download(), wanted));

  out.poison();
  UPSWEEP_CUDA(cuda::exclusive_scan(shared_space(), in.data(), out.data(), n, cuda::plus{}, initial, nullptr,
                                    cuda::reproducible, cuda::total_to<T>(total.data())));
  OnCpu<T>::exclusive_sum(values.data(), wanted.data(), n, initial, &total_wanted);
  UPSWEEP_CHECK(is_same(out.download(), wanted));
  UPSWEEP_CHECK(is_same(total.download(), std::vector<T>(1, total_wanted)));

  out.poison();
  UPSWEEP_CUDA(cuda::inclusive_compensated_sum(shared_space(), in.data(), out.data(), n, nullptr, cuda::reproducible));
  OnCpu<T>::inclusive_compensated_sum(values.data(), wanted.data(), n);
  UPSWEEP_CHECK(is_same(out.download(), wanted));

  Placed<double> wide(n, 0);
  std::vector<double> wide_wanted(n);
  UPSWEEP_CUDA(cuda::inclusive_scan(shared_space(), in.data(), wide.data(), n, cuda::plus{}, nullptr, cuda::accumulator<double>,
                                    cuda::reproducible));
  OnCpu<T>::inclusive_sum_in_double(values.data(), wide_wanted.data(), n);
  UPSWEEP_CHECK(is_same(wide.download(), wide_wanted));
}

template <class T>
void check_reductions(std::size_t n) {
  const std::vector<T> values = inexact_numbers<T>(n);
  Placed<T> in(values, 0);
  DeviceArray<T> total(1);
  UPSWEEP_CUDA(cuda::sum(shared_space(), in.data(), total.data(), n));
  UPSWEEP_CHECK(is_same(total.download(), std::vector<T>(1, OnCpu<T>::sum(values.data(), n))));
  UPSWEEP_CUDA(cuda::compensated_sum(shared_space(), in.data(), total.data(), n));
  UPSWEEP_CHECK(is_same(total.download(), std::vector<T>(1, OnCpu<T>::compensated_sum(values.data(), n))));
}

}  // namespace

UPSWEEP_TEST(GivenFloats_WhenScannedReproducibly_ThenTheBitsAreThoseOfTheCpuLibrary) {
  for (const std::size_t n : kSizes) {
    check_scans<float>(n, 0);
    check_scans<float>(n, 3);
  }
}
UPSWEEP_TEST(GivenDoubles_WhenScannedReproducibly_ThenTheBitsAreThoseOfTheCpuLibrary) {
  for (const std::size_t n : kSizes) {
    check_scans<double>(n, 0);
    check_scans<double>(n, 1);
  }
}
UPSWEEP_TEST(GivenNumbers_WhenReduced_ThenTheBitsAreThoseOfTheCpuLibrary) {
  for (const std::size_t n : kSizes) {
    check_reductions<float>(n);
    check_reductions<double>(n);
  }
}
