// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms with bins of equal width, and by a function, of integers.
#include "histogram_check.h"

namespace upsweep::test {

namespace {

struct TopBits {
  int shift;
  __host__ __device__ std::uint32_t operator()(std::uint32_t x) const { return x >> shift; }
};

template <class T>
void check_even(const std::vector<T> &samples, std::size_t offset, std::uint32_t bins, __int128 lower, __int128 upper,
                const std::string &what) {
  std::vector<T> placed(offset);
  placed.insert(placed.end(), samples.begin(), samples.end());
  DeviceArray<T> in(placed);
  DeviceArray<std::uint32_t> counts(bins);
  UPSWEEP_CUDA(cuda::histogram_even(in.data() + offset, counts.data(), samples.size(), bins, lower, upper));
  check_counts(counts, counts_of<std::uint32_t>(samples, bins, ExactEven<T>{lower, upper, bins}),
               what + " " + std::to_string(samples.size()) + " from " + std::to_string(offset) + ", bins " +
                   std::to_string(bins));
}

// All lengths, at all offsets from a vector; distributions; and the whole range of the type, and bounds outside it.
template <class T>
void check_type(const char *type) {
  const __int128 least = std::numeric_limits<T>::min(), behind = __int128(std::numeric_limits<T>::max()) + 1;
  for (const std::size_t n : histogram_sizes()) {
    check_even<T>(samples_of<T>(n, Samples::kRandom), n % 5, 200, least, behind, type);
  }
  for (std::size_t offset = 0; offset <= 16 / sizeof(T); ++offset) {
    check_even<T>(samples_of<T>(10007, Samples::kRandom), offset, 77, least + 3, behind - 20, type);
  }
  for (const Samples kind : kAllSamples) {
    for (const std::uint32_t bins : {1u, 2u, 3u, 255u, 256u, 257u, 4096u, 65536u}) {
      check_even<T>(samples_of<T>(100003, kind), 0, bins, least, behind,
                    std::string(type) + " kind " + std::to_string(static_cast<int>(kind)));
    }
  }
  const std::vector<T> random = samples_of<T>(20000, Samples::kRandom);
  if constexpr (sizeof(T) < 8) {
    check_even<T>(random, 0, 100, least - 1000, behind + 1000, std::string(type) + " wide");
  } else {  // bounds are up to 2^64 apart
    check_even<T>(random, 0, 100, least - 1000, behind - 1000, std::string(type) + " from below");
    DeviceArray<std::uint32_t> counts(100);
    UPSWEEP_CHECK(cuda::histogram_even(static_cast<const T *>(nullptr), counts.data(), 0, 100, least - 1, behind) ==
                  cudaErrorInvalidValue);
  }
  check_even<T>(random, 0, 100, -7, 93, std::string(type) + " narrow");
  check_even<T>(random, 0, 100, 10, 12, std::string(type) + " more bins than values");
  check_even<T>(random, 0, 5, behind, behind + 5, std::string(type) + " beside");
}

// The integers beside each edge.
template <class T>
void check_edges(std::uint32_t bins, __int128 lower, __int128 upper, const char *what) {
  std::vector<T> samples;
  for (std::uint32_t b = 0; b <= bins; ++b) {
    const auto width = static_cast<unsigned __int128>(upper - lower);
    const __int128 edge = lower + static_cast<__int128>((width * b + bins - 1) / bins);
    for (const __int128 sample : {edge - 1, edge, edge + 1}) {
      if (sample >= std::numeric_limits<T>::min() && sample <= std::numeric_limits<T>::max()) {
        samples.push_back(static_cast<T>(sample));
      }
    }
  }
  check_even<T>(samples, 0, bins, lower, upper, what);
}

}  // namespace

UPSWEEP_TEST(GivenBytes_WhenCounted_ThenAsOnTheHost) {
  check_type<std::uint8_t>("u8");
  check_type<std::int8_t>("i8");
}
UPSWEEP_TEST(GivenWords_WhenCounted_ThenAsOnTheHost) {
  check_type<std::uint16_t>("u16");
  check_type<std::int32_t>("i32");
}
UPSWEEP_TEST(GivenDoubleWords_WhenCounted_ThenAsOnTheHost) { check_type<std::int64_t>("i64"); }

UPSWEEP_TEST(GivenSamplesBesideEdges_WhenCounted_ThenBinsAreExact) {
  constexpr __int128 k64 = __int128(1) << 64, k63 = __int128(1) << 63;
  for (const std::uint32_t bins : {1u, 2u, 3u, 7u, 255u, 256u, 4097u, 65535u}) {
    check_edges<std::int32_t>(bins, -(__int128(1) << 31), __int128(1) << 31, "whole i32");
    check_edges<std::int32_t>(bins, -2000000011, 2000000089, "most of i32");
    check_edges<std::int32_t>(bins, 5, 1000008, "some of i32");
    check_edges<std::int64_t>(bins, -k63, k63, "whole i64");
    check_edges<std::int64_t>(bins, -k63 + 12345, k63 - 99991, "most of i64");
    check_edges<std::int64_t>(bins, -1, (__int128(1) << 32), "just beyond 32 bits");
    check_edges<std::int64_t>(bins, k63 - k64 / 3 - 9, k63 - 7, "a third of i64");
    check_edges<std::int64_t>(bins, 1000000007, 1000003007, "some of i64");
  }
}

UPSWEEP_TEST(GivenManyBins_WhenCounted_ThenAsOnTheHost) {
  for (const Samples kind : kAllSamples) {
    const std::vector<std::uint32_t> samples = samples_of<std::uint32_t>(300007, kind);
    DeviceArray<std::uint32_t> in(samples);
    for (const int log_bins : {12, 14, 15, 16, 17, 18, 20, 24}) {
      const std::size_t bins = (std::size_t(1) << log_bins) - (log_bins == 17 ? 3 : 0);
      const TopBits bin_of{32 - log_bins};
      const auto expected = counts_of<std::uint64_t>(
          samples, bins, [&](std::uint32_t x) { return bin_of(x) < bins ? std::int64_t(bin_of(x)) : -1; });
      DeviceArray<std::uint64_t> counts(bins);
      UPSWEEP_CUDA(cuda::histogram_by(in.data(), counts.data(), samples.size(), bins, bin_of));
      check_counts(counts, expected, "2^" + std::to_string(log_bins) + " bins, kind " + std::to_string(static_cast<int>(kind)));
    }
  }
}

// 64-bit counts, and more samples than 32 bits can count, of 2^32 + 77 bytes.
UPSWEEP_TEST(GivenMoreThan32BitsOfSamples_WhenCounted_ThenNothingWraps) {
  const std::size_t n = (std::size_t(1) << 32) + 77;
  std::size_t free_bytes = 0, all = 0;
  UPSWEEP_CUDA(cudaMemGetInfo(&free_bytes, &all));
  if (free_bytes < n + (1 << 28)) {
    return;
  }
  DeviceArray<std::uint8_t> in(n);
  UPSWEEP_CUDA(cudaMemset(in.data(), 7, n));
  UPSWEEP_CUDA(cudaMemset(in.data() + n - 100, 9, 100));
  DeviceArray<std::uint64_t> counts(256);
  std::vector<std::uint64_t> expected(256);
  expected[7] = n - 100;
  expected[9] = 100;
  UPSWEEP_CUDA(cuda::histogram_even(in.data(), counts.data(), n, 256, 0, 256));
  check_counts(counts, expected, "2^32 + 77 bytes");
}

}  // namespace upsweep::test
