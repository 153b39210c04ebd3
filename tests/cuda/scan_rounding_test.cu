// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point sums that round: the same bits in every run. `reproducible` sums also have the same bits at every placement.
// Compensated sums are as near to the exact sum as their type allows, for any number of elements.
#include "scan_check.h"

#include <upsweep/cuda/compensated.cuh>

using namespace upsweep::test;

namespace {

template <class T>
std::vector<T> random_fractions(std::size_t n, bool is_signed) {
  std::vector<T> values(n);
  for (T &value : values) {
    value = static_cast<T>(static_cast<std::int32_t>(generator()()) * (is_signed ? 1.0 : 0.5) + (is_signed ? 0.0 : 0x1p30)) *
            static_cast<T>(0x1p-31);
  }
  return values;
}

// Sizes for each variant of the short kernels, and for the pipeline.
constexpr std::size_t kSizes[] = {1000, 8000, 15001, 100000, 3000001};

template <class T, class... Options>
void check_repeats(const char *name, Options... options) {
  for (const std::size_t n : kSizes) {
    if (n > most_elements()) {
      continue;
    }
    const std::vector<T> values = random_fractions<T>(n, true);
    Placed<T> in(values, 0), out(n, 0), noise_out(n, 0);
    Space other(cuda::scan_workspace_bytes<T>(n)), noise_space(cuda::scan_workspace_bytes<T>(n));
    cudaStream_t stream;
    UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    UPSWEEP_CUDA(cuda::inclusive_sum(other, in.data(), out.data(), n, nullptr, options...));
    const std::vector<T> first = out.download();
    for (int i = 0; i < 20; ++i) {
      // A concurrent scan delays the blocks of this one.
      UPSWEEP_CUDA(cuda::inclusive_sum(noise_space, in.data(), noise_out.data(), n, stream, options...));
      out.poison();
      UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), in.data(), out.data(), n, nullptr, options...));
      expect_same(name, out.download(), first);
    }
    UPSWEEP_CUDA(cudaStreamSynchronize(stream));
    UPSWEEP_CUDA(cudaStreamDestroy(stream));
  }
}

// The sum of integers below 2^53 is exact in 128 bits, and so is the difference to a double below 2^100.
void check_against_integers(std::size_t n, bool is_signed) {
  std::vector<double> values(n);
  for (double &value : values) {
    const auto bits = static_cast<std::int64_t>(static_cast<std::uint64_t>(generator()()) << 21 ^ generator()() >> 11);
    value = static_cast<double>(is_signed && generator()() % 2 == 0 ? -bits : bits);
  }
  Placed<double> in(values, 0), out(n, 0);
  UPSWEEP_CUDA(cuda::inclusive_compensated_sum(shared_space(), in.data(), out.data(), n));
  const std::vector<double> got = out.download();
  __int128 exact = 0;
  double of_all = 0;  // the sum of the absolute values
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    exact += static_cast<std::int64_t>(values[i]);
    of_all += std::abs(values[i]);
    const __int128 difference = static_cast<__int128>(got[i]) - exact;
    // The final rounding, and the errors of the compensation: at most i times the squared epsilon.
    const double allowed = std::abs(static_cast<double>(exact)) * 0x1.001p-53 + of_all * static_cast<double>(i) * 0x1p-104;
    wrong += std::abs(static_cast<double>(difference)) > allowed;
  }
  UPSWEEP_CHECK(wrong == 0);
}

}  // namespace

UPSWEEP_TEST(GivenFloats_WhenSummedAgain_ThenBitsAreTheSame) { check_repeats<float>("again"); }
UPSWEEP_TEST(GivenReproducible_WhenSummedAgain_ThenBitsAreTheSame) {
  check_repeats<float>("reproducible float", cuda::reproducible);
  check_repeats<double>("reproducible double", cuda::reproducible);
}

UPSWEEP_TEST(GivenReproducible_WhenArraysLieElsewhere_ThenBitsAreTheSame) {
  for (const std::size_t n : {std::size_t(5000), std::size_t(3000001)}) {
    if (n > most_elements()) {
      continue;
    }
    const std::vector<float> values = random_fractions<float>(n, true);
    Placed<float> in(values, 0), out(n, 0);
    UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), in.data(), out.data(), n, nullptr, cuda::reproducible));
    const std::vector<float> first = out.download();
    for (const std::size_t shift : {1, 2, 3}) {
      Placed<float> shifted_in(values, shift), shifted_out(n, 3 - shift);
      UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), shifted_in.data(), shifted_out.data(), n, nullptr, cuda::reproducible));
      expect_same("elsewhere", shifted_out.download(), first);
    }
  }
}

UPSWEEP_TEST(GivenFloats_WhenSumIsCompensated_ThenErrorDoesNotGrow) {
  for (const bool is_signed : {false, true}) {
    for (const std::size_t n : {std::size_t(1) << 10, std::size_t(1) << 14, std::size_t(1) << 18, std::size_t(1) << 23}) {
      if (n > most_elements()) {
        continue;
      }
      const std::vector<float> values = random_fractions<float>(n, is_signed);
      Placed<float> in(values, 0), out(n, 0);
      UPSWEEP_CUDA(cuda::exclusive_compensated_sum(shared_space(), in.data(), out.data(), n));
      const std::vector<float> got = out.download();
      double exact = 0, of_all = 0;  // 53 bits hold sums of up to 2^23 fractions of 31 bits
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double allowed = std::abs(exact) * 0x1.001p-24 + of_all * static_cast<double>(i) * 0x1p-46;
        wrong += std::abs(got[i] - exact) > allowed;
        exact += values[i];
        of_all += std::abs(values[i]);
      }
      UPSWEEP_CHECK(wrong == 0);
    }
  }
}

UPSWEEP_TEST(GivenDoubles_WhenSumIsCompensated_ThenItIsTheExactOneRounded) {
  for (const std::size_t n : {std::size_t(1) << 10, std::size_t(1) << 16, (std::size_t(1) << 22) + 3}) {
    if (n <= most_elements()) {
      check_against_integers(n, false);
      check_against_integers(n, true);
    }
  }
}

UPSWEEP_TEST(GivenTermsBelowRounding_WhenSumIsCompensated_ThenTheyCount) {
  const std::size_t n = std::min<std::size_t>(1 << 20, most_elements());
  std::vector<float> values(n, 0x1p-25f);  // each vanishes when it is added to 1
  values[0] = 1;
  Placed<float> in(values, 0), out(n, 0);
  UPSWEEP_CUDA(cuda::exclusive_compensated_sum(shared_space(), in.data(), out.data(), n));
  const std::vector<float> got = out.download();
  std::vector<float> expected(n);
  for (std::size_t i = 1; i < n; ++i) {
    expected[i] = static_cast<float>(1.0 + static_cast<double>(i - 1) * 0x1p-25);
  }
  expect_same("small terms", got, expected);
}
