// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms with weights, of integers and of floating-point numbers.
#include "histogram_check.h"

namespace upsweep::test {

namespace {

struct Modulo {
  std::uint64_t of;
  __host__ __device__ std::uint64_t operator()(std::uint64_t x) const { return x % of; }
};

template <class Counter, class T, class Weight>
void check_weights(std::size_t n, std::uint32_t bins, Samples kind, const char *what) {
  std::vector<T> samples = samples_of<T>(n, kind);
  std::vector<Weight> weights(n);
  std::uniform_int_distribution<std::int64_t> any(std::is_signed_v<Weight> ? -100000 : 0, 4000000000);
  std::vector<Counter> expected(bins);
  for (std::size_t i = 0; i < n; ++i) {
    // Floating-point sums with few bits are exact in any order.
    weights[i] = std::is_floating_point_v<Weight> ? static_cast<Weight>(any(generator()) % 16) / 4
                                                  : static_cast<Weight>(any(generator()) * (sizeof(Weight) == 8 ? 977 : 1));
    const std::uint64_t bin = samples[i] % bins;
    if constexpr (std::is_floating_point_v<Counter>) {
      expected[bin] += static_cast<Counter>(weights[i]);
    } else {
      using Bits = std::make_unsigned_t<Counter>;
      expected[bin] = static_cast<Counter>(static_cast<Bits>(expected[bin]) + static_cast<Bits>(weights[i]));
    }
  }
  DeviceArray<T> in(samples);
  DeviceArray<Weight> of_samples(weights);
  DeviceArray<Counter> counts(bins);
  UPSWEEP_CUDA(cuda::histogram_by(in.data(), counts.data(), n, bins, Modulo{bins}, cuda::weights(of_samples.data())));
  check_counts(counts, expected, std::string(what) + ", " + std::to_string(n) + " samples, bins " + std::to_string(bins));
}

template <class Counter, class T, class Weight>
void check_weights(const char *what) {
  for (const std::size_t n : {1u, 33u, 5000u, 300001u}) {
    for (const std::uint32_t bins : {2u, 256u, 30000u, 1u << 20}) {
      check_weights<Counter, T, Weight>(n, bins, Samples::kRandom, what);
      check_weights<Counter, T, Weight>(n, bins, Samples::kEqual, what);
    }
  }
}

}  // namespace

UPSWEEP_TEST(GivenWeights_WhenCounted_ThenTheirSums) {
  check_weights<std::uint32_t, std::uint32_t, std::uint32_t>("u32 into u32");
  check_weights<std::int64_t, std::uint32_t, std::int32_t>("i32 into i64");
  check_weights<std::uint64_t, std::uint8_t, std::uint64_t>("u64 into u64");
  check_weights<double, std::uint32_t, float>("float into double");
  check_weights<float, std::uint32_t, float>("float into float");
}

}  // namespace upsweep::test
