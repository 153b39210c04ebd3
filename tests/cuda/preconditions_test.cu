// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls with broken preconditions, arrays that overlap, totals of wider types, and NaNs.
#include "check.h"

#include <upsweep/cuda/compensated.cuh>
#include <upsweep/cuda/histogram.cuh>
#include <upsweep/cuda/merge.cuh>
#include <upsweep/cuda/partition.cuh>
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/run_length.cuh>
#include <upsweep/cuda/scan.cuh>
#include <upsweep/cuda/segmented_reduce.cuh>
#include <upsweep/cuda/select.cuh>

#include <cmath>
#include <cstdint>
#include <limits>

namespace upsweep::test {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// The order of floats: -0 before 0, then NaNs, then NaNs with a sign.
bool is_before(float x, float y) {
  if (std::isnan(x) || std::isnan(y)) {
    return std::isnan(y) && (!std::isnan(x) || (std::signbit(y) && !std::signbit(x)));
  }
  return x < y || (x == y && std::signbit(x) && !std::signbit(y));
}

UPSWEEP_TEST(GivenFloatsInTheOrderOfSorts_WhenMerged_ThenAllAreThere) {
  std::mt19937_64 random(1);
  for (const std::size_t a_count : {0, 5, 4000, 30000}) {
    const std::size_t b_count = random() % 20000, n = a_count + b_count;
    std::vector<float> all(n);
    for (float &x : all) {
      const unsigned kind = random() % 6;
      x = kind == 0 ? kNan : kind == 1 ? -kNan : kind == 2 ? -0.0F : kind == 3 ? 0.0F : static_cast<float>(random() % 100);
    }
    std::sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(a_count), is_before);
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(a_count), all.end(), is_before);
    DeviceArray<float> in(all), out(n);
    UPSWEEP_CUDA(cuda::merge(in.data(), in.data() + a_count, out.data(), a_count, b_count));
    std::sort(all.begin(), all.end(), is_before);
    const std::vector<float> got = out.download();
    UPSWEEP_CHECK(std::memcmp(got.data(), all.data(), n * sizeof(float)) == 0);
  }
}

UPSWEEP_TEST(GivenRangesThatAreNotSorted_WhenMerged_ThenElementsOfThem) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 6; ++round) {
    const std::size_t a_count = random() % 30000, b_count = random() % 30000;
    std::vector<std::uint32_t> a(a_count), b(b_count);
    for (auto *range : {&a, &b}) {
      for (std::uint32_t &x : *range) {
        x = random() % 1000;  // poison is more
      }
      if (random() % 2 == 0) {
        std::sort(range->rbegin(), range->rend());
      }
    }
    DeviceArray<std::uint32_t> of_a(a), of_b(b), out(a_count + b_count);
    UPSWEEP_CUDA(cuda::merge(of_a.data(), of_b.data(), out.data(), a_count, b_count));
    const auto got = out.download();
    UPSWEEP_CHECK(std::all_of(got.begin(), got.end(), [](std::uint32_t x) { return x < 1000; }));
  }
}

UPSWEEP_TEST(GivenOffsetsThatFall_WhenSegmentsAreScanned_ThenSumsOfSomeElements) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 6; ++round) {
    const std::size_t n = 1 + random() % 60000, segments = 1 + random() % 3000;
    std::vector<std::uint32_t> offsets(segments);
    for (std::uint32_t &x : offsets) {
      x = static_cast<std::uint32_t>(random() % (2 * n));
    }
    DeviceArray<std::uint32_t> in(std::vector<std::uint32_t>(n, 1)), out(n), at(offsets);
    UPSWEEP_CUDA(cuda::inclusive_scan_of_segments(in.data(), out.data(), n, at.data(), segments, cuda::plus{}));
    const auto got = out.download();
    UPSWEEP_CHECK(std::all_of(got.begin(), got.end(), [&](std::uint32_t x) { return x >= 1 && x <= n; }));
  }
}

template <class In, class Out>
void check_sums() {
  const std::size_t n = 5000;
  // The largest numbers of the type, so that a narrower total wraps; float sums of a few are still exact.
  const In most = std::is_floating_point_v<Out>
                      ? static_cast<In>(std::min<std::uint64_t>(std::numeric_limits<In>::max(), 1 << 20))
                      : std::numeric_limits<In>::max();
  const unsigned __int128 all = static_cast<unsigned __int128>(most) * n;
  const auto near = [&](Out x, unsigned __int128 sum) {
    if constexpr (std::is_floating_point_v<Out>) {
      return std::abs(static_cast<double>(x) / static_cast<double>(sum) - 1) < 1e-6;
    } else {
      return x == static_cast<Out>(sum);
    }
  };
  DeviceArray<In> in(std::vector<In>(n, most));
  DeviceArray<Out> total(1), out(n);
  UPSWEEP_CUDA(cuda::sum(in.data(), total.data(), n));
  UPSWEEP_CHECK(near(total.download()[0], all));
  UPSWEEP_CUDA(cuda::reduce(in.data(), total.data(), n, cuda::plus{}, In(0)));
  UPSWEEP_CHECK(near(total.download()[0], all));
  UPSWEEP_CUDA(cuda::sum_of_rows(in.data(), total.data(), 1, n));
  UPSWEEP_CHECK(near(total.download()[0], all));
  UPSWEEP_CUDA(cuda::inclusive_sum(in.data(), out.data(), n));
  UPSWEEP_CHECK(near(out.download()[n - 1], all));
  UPSWEEP_CUDA(cuda::exclusive_scan(in.data(), out.data(), n, cuda::plus{}, In(0)));
  UPSWEEP_CHECK(near(out.download()[n - 1], all - most));
}

UPSWEEP_TEST(GivenBytesAndShorts_WhenSummedToEachType_ThenTotalsAreWide) {
  check_sums<std::uint8_t, std::uint8_t>();
  check_sums<std::uint8_t, std::uint16_t>();
  check_sums<std::uint8_t, std::uint32_t>();
  check_sums<std::int8_t, std::int64_t>();
  check_sums<std::uint8_t, float>();
  check_sums<std::int16_t, std::int32_t>();
  check_sums<std::uint16_t, double>();
}
UPSWEEP_TEST(GivenWordsAndLongs_WhenSummedToEachType_ThenTotalsAreWide) {
  check_sums<std::uint32_t, std::uint8_t>();
  check_sums<std::uint32_t, std::uint64_t>();
  check_sums<std::int32_t, std::int64_t>();
  check_sums<std::int32_t, float>();
  check_sums<std::int64_t, double>();
  check_sums<std::uint64_t, std::uint32_t>();
}

UPSWEEP_TEST(GivenNans_WhenTheBestIsSearched_ThenTheFirstOfTheNumbers) {
  std::mt19937_64 random(4);
  for (const unsigned nans : {0, 1, 2, 3}) {
    const std::size_t rows = 7, length = 900;
    std::vector<float> x(rows * length);
    for (float &e : x) {
      e = random() % 3 < nans ? kNan : static_cast<float>(random() % 5);
    }
    const auto check = [&](const cuda::indexed<float> &got, std::size_t begin, std::size_t end, std::size_t step) {
      std::size_t best = begin;
      for (std::size_t i = begin; i < end; i += step) {
        best = x[i] < x[best] || (std::isnan(x[best]) && !std::isnan(x[i])) ? i : best;
      }
      UPSWEEP_CHECK(got.index == (best - begin) / step &&
                    (got.value == x[best] || (std::isnan(got.value) && std::isnan(x[best]))));
    };
    DeviceArray<float> in(x);
    DeviceArray<cuda::indexed<float>> one(1), of_rows(rows), of_columns(length);
    UPSWEEP_CUDA(cuda::arg_min(in.data(), one.data(), x.size()));
    UPSWEEP_CUDA(cuda::arg_min_of_rows(in.data(), of_rows.data(), rows, length));
    UPSWEEP_CUDA(cuda::arg_min_of_axis(in.data(), of_columns.data(), cuda::axis{1, rows, length}));
    check(one.download()[0], 0, x.size(), 1);
    const auto by_row = of_rows.download(), by_column = of_columns.download();
    for (std::size_t r = 0; r < rows; ++r) {
      check(by_row[r], r * length, (r + 1) * length, 1);
    }
    for (std::size_t c = 0; c < length; ++c) {
      check(by_column[c], c, x.size(), length);
    }
  }
}

struct IndexOf {
  __host__ __device__ std::uint64_t operator()(int, std::uint64_t i) const { return i; }
};
UPSWEEP_TEST(GivenRowsWithGaps_WhenTransformedWithTheIndex_ThenTheIndexOfRowsWithout) {
  DeviceArray<int> in(std::vector<int>(40, 1));
  for (const std::uint64_t pitch : {6, 8}) {
    DeviceArray<std::uint64_t> last(4);
    UPSWEEP_CUDA(cuda::transform_reduce_of_axis(in.data(), last.data(), cuda::axis{4, 6, 1, {pitch, 1}}, cuda::maximum{},
                                                IndexOf{}, std::uint64_t(0)));
    UPSWEEP_CHECK(last.download() == std::vector<std::uint64_t>{5, 11, 17, 23});
  }
}

UPSWEEP_TEST(GivenInfinities_WhenSummedWithCompensation_ThenAsWithout) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const std::vector<float> &x : {std::vector<float>{1, infinity, 2, 3}, {3e38F, 3e38F, 1}, {infinity, -infinity, 1}}) {
    DeviceArray<float> in(x), out(x.size()), total(1);
    UPSWEEP_CUDA(cuda::inclusive_compensated_sum(in.data(), out.data(), x.size()));
    UPSWEEP_CUDA(cuda::compensated_sum(in.data(), total.data(), x.size()));
    float plain = 0;
    const auto got = out.download();
    for (std::size_t i = 0; i < x.size(); ++i) {
      plain += x[i];
      UPSWEEP_CHECK(std::isnan(plain) ? std::isnan(got[i]) : got[i] == plain);
    }
    UPSWEEP_CHECK(std::isnan(plain) ? std::isnan(total.download()[0]) : total.download()[0] == plain);
  }
}

UPSWEEP_TEST(GivenTheWholeRangeOfDoubles_WhenBinned_ThenNoneIsRefused) {
  const double most = std::numeric_limits<double>::max();
  DeviceArray<double> in(std::vector<double>{-most, -1, 0, 1, most / 2, most});
  DeviceArray<std::uint32_t> counts(4);
  UPSWEEP_CUDA(cuda::histogram_even(in.data(), counts.data(), 6, 4, -most, most));
  UPSWEEP_CHECK(counts.download() == std::vector<std::uint32_t>{1, 1, 2, 1});
}

struct IsOdd {
  __host__ __device__ bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};
UPSWEEP_TEST(GivenArraysThatOverlap_WhenCalled_ThenRefused) {
  const std::size_t n = 100;
  DeviceArray<std::uint32_t> a(n), b(n), c(n), d(n), one(1);
  const auto refused = [](cudaError_t error) { return error == cudaErrorInvalidValue; };
  auto *const x = a.data(), *const y = b.data(), *const z = c.data();
  UPSWEEP_CHECK(refused(cuda::inclusive_scan_by_key(x, y, x, n, cuda::plus{})));
  UPSWEEP_CHECK(refused(cuda::exclusive_sum(x, y, n, cuda::total_to(y + 5))));
  UPSWEEP_CHECK(refused(cuda::select_by_flag(x, y, y, one.data(), n)));
  UPSWEEP_CHECK(refused(cuda::select_if(x, y, y, n, IsOdd{})));
  UPSWEEP_CHECK(refused(cuda::select_if(x, x + 3, one.data(), n, IsOdd{})));
  UPSWEEP_CHECK(refused(cuda::stable_partition_if(x, y, y, one.data(), n, IsOdd{})));
  UPSWEEP_CHECK(refused(cuda::partition_if(x, y, y + 7, n, IsOdd{})));
  UPSWEEP_CHECK(refused(cuda::partition_if(x, x, one.data(), n, IsOdd{})));
  UPSWEEP_CHECK(refused(cuda::run_length_encode(x, y, y, one.data(), n)));
  UPSWEEP_CHECK(refused(cuda::reduce_by_key(x, y, z, z, one.data(), n, cuda::plus{})));
  UPSWEEP_CHECK(refused(cuda::unique_by_key(x, y, z, z, one.data(), n)));
  UPSWEEP_CHECK(!refused(cuda::unique_by_key(x, y, x, y, one.data(), n)));
  UPSWEEP_CUDA(cuda::select_by_flag(x, x, x, one.data(), n));
  UPSWEEP_CUDA(cuda::exclusive_sum(x, z, n - 1, cuda::total_to(z + n - 1)));
}

// Outputs next to each other, each with room for its own elements, and their numbers behind them.
UPSWEEP_TEST(GivenOutputsWithRoomForTheirElementsAlone_WhenCalled_ThenAcceptedAndNothingBehind) {
  using Words = std::vector<std::uint32_t>;
  for (const std::uint32_t n : {100U, 300000U}) {
    Words x(n), odd, even;
    for (std::uint32_t i = 0; i < n; ++i) {
      x[i] = i % 50 == 7 ? 1 : 2 * (i % 5);
      (x[i] % 2 != 0 ? odd : even).push_back(x[i]);
    }
    const auto joined = [](std::initializer_list<Words> parts) {
      Words all;
      for (const Words &part : parts) {
        all.insert(all.end(), part.begin(), part.end());
      }
      all.resize(all.size() + 4, 77);
      return all;
    };
    const auto kept = static_cast<std::uint32_t>(odd.size());
    DeviceArray<std::uint32_t> in(x), ones(Words(n, 1));
    const auto filled = [](std::size_t words) { return DeviceArray<std::uint32_t>(Words(words, 77)); };

    auto selected = filled(kept + 5);
    UPSWEEP_CUDA(cuda::select_if(in.data(), selected.data(), selected.data() + kept, n, IsOdd{}));
    UPSWEEP_CHECK(selected.download() == joined({odd, {kept}}));

    auto parts = filled(n + 5);
    UPSWEEP_CUDA(cuda::stable_partition_if(in.data(), parts.data(), parts.data() + kept, parts.data() + n, n, IsOdd{}));
    UPSWEEP_CHECK(parts.download() == joined({odd, even, {kept}}));

    auto runs = filled(7);
    UPSWEEP_CUDA(cuda::run_length_encode(ones.data(), runs.data(), runs.data() + 1, runs.data() + 2, n));
    UPSWEEP_CHECK(runs.download() == joined({{1, n, 1}}));

    auto totals = filled(7);
    UPSWEEP_CUDA(
        cuda::reduce_by_key(ones.data(), ones.data(), totals.data(), totals.data() + 1, totals.data() + 2, n, cuda::plus{}));
    UPSWEEP_CHECK(totals.download() == joined({{1, n, 1}}));
  }
}

}  // namespace upsweep::test
