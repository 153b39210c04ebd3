// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps a sample to its bin: bins of equal width, bins between sorted levels, and bins that a function names.
#pragma once

#include <upsweep/cuda/device/sort_order.cuh>

#include <cmath>

namespace upsweep::cuda::detail {

inline constexpr std::uint32_t kMostBins = 1u << 24;
inline constexpr unsigned kNoBin = ~0u;

// Whether levels are looked up, and may be copied to shared memory.
struct BinsInRegisters {
  static constexpr bool kInShared = false;
};
struct BinsInMemory {
  static constexpr bool kInShared = true;
};

// floor((x - lower) * bins / (upper - lower)), exactly. The ratio bins / (upper - lower) is rounded up to 64 bits behind the
// point if the width has up to 2^32 values, else to 128 bits. An offset times its error then stays below the distance from
// offset * bins / width to the next integer, 1 / width.
// Source: Granlund and Montgomery 1994, "Division by Invariant Integers using Multiplication".
template <class Sample>
struct EvenIntegers : BinsInRegisters {
  Sample first, last;   // of the samples with a bin; last < first: there are none
  bool is_wide;         // more than 2^32 values
  std::uint32_t whole;  // of the ratio, before the point
  std::uint64_t lower;  // modulo 2^64
  std::uint64_t high, low;

  __device__ __forceinline__ unsigned of(Sample x) const {
    if (x < first || last < x) {
      return kNoBin;
    }
    const std::uint64_t offset = static_cast<std::uint64_t>(x) - lower;
    if (is_wide) {
      const std::uint64_t carried = __umul64hi(offset, low), middle = offset * high;
      return static_cast<unsigned>(__umul64hi(offset, high) + (middle + carried < middle ? 1 : 0));
    }
    const auto near = static_cast<std::uint32_t>(offset);
    const std::uint64_t product = (std::uint64_t(near) * static_cast<std::uint32_t>(high) >> 32) + near * (high >> 32);
    return near * whole + static_cast<std::uint32_t>(product >> 32);
  }

  // False if the bounds are wrong.
  static bool make(__int128 lower, __int128 upper, std::uint32_t bins, EvenIntegers &made) {
    constexpr __int128 kOne = 1;
    if (lower >= upper || upper - lower > kOne << 64) {
      return false;
    }
    const __int128 least = std::numeric_limits<Sample>::min(), most = std::numeric_limits<Sample>::max();
    const __int128 first = lower < least ? least : lower, last = upper - 1 < most ? upper - 1 : most;
    const bool is_any = first <= last;
    made.first = is_any ? static_cast<Sample>(first) : std::numeric_limits<Sample>::max();
    made.last = is_any ? static_cast<Sample>(last) : std::numeric_limits<Sample>::min();
    made.lower = static_cast<std::uint64_t>(lower);
    const auto width = static_cast<unsigned __int128>(upper - lower);
    made.is_wide = width > static_cast<unsigned __int128>(kOne << 32);
    made.whole = static_cast<std::uint32_t>(bins / width);
    unsigned __int128 rest = bins % width, fraction = 0;
    for (int bit = 0; bit < (made.is_wide ? 128 : 64); ++bit) {
      rest *= 2;
      fraction = fraction * 2 + (rest >= width ? 1 : 0);
      rest -= rest >= width ? width : 0;
    }
    fraction += rest > 0 ? 1 : 0;
    made.high = static_cast<std::uint64_t>(made.is_wide ? fraction >> 64 : fraction);
    made.low = static_cast<std::uint64_t>(fraction);
    return true;
  }
};

// Bin b begins at the edge fma(b, (upper - lower) / bins, lower) in double precision. For samples of up to 32 bits a product
// of floats names the bin; it is compared with the edge in doubles only where its rounding may matter, near an integer.
template <class Sample>
struct EvenFloats : BinsInRegisters {
  double lower, upper, step, bins_per_unit;
  double share;  // of samples and bounds: a half, where the bounds' distance is no double
  float near_lower, near_scale, near_end;
  float margin;  // of the product; 0 where its rounding errors are too large
  std::uint32_t bins;

  __device__ __forceinline__ unsigned of(Sample x) const {
    if constexpr (sizeof(Sample) <= 4) {
      if (margin > 0) {
        const auto sample = static_cast<float>(x);
        const float place = __fmul_rn(__fsub_rn(sample, near_lower), near_scale);
        if (!(place > -1 && place < near_end)) {
          return kNoBin;
        }
        const int nearest = __float2int_rn(place);
        const float past = place - static_cast<float>(nearest);
        bool is_before = past < 0;
        if (fabsf(past) <= margin) {
          is_before = static_cast<double>(sample) < edge(nearest);
        }
        const auto bin = static_cast<unsigned>(nearest - (is_before ? 1 : 0));
        return bin < bins ? bin : kNoBin;
      }
      return of_edges(static_cast<float>(x));
    } else {
      return of_edges(x);
    }
  }

  // False if the bounds are wrong.
  static bool make(double lower, double upper, std::uint32_t bins, EvenFloats &made) {
    const double infinity = std::numeric_limits<double>::infinity(), most = std::max(std::fabs(lower), std::fabs(upper));
    made.share = std::fabs(upper - lower) < infinity ? 1 : 0.5;
    const double width = made.share * upper - made.share * lower;
    made.lower = lower;
    made.upper = upper;
    made.step = width / bins / made.share;
    made.bins_per_unit = bins / width;
    made.bins = bins;
    // Edges are at least as far apart as neighbouring numbers, so that rounding moves none past the next one.
    if (!(width > 0 && width < infinity && made.bins_per_unit < infinity) || made.step < most - std::nextafter(most, 0.0)) {
      return false;
    }
    made.near_lower = static_cast<float>(lower);
    made.near_scale = static_cast<float>(made.bins_per_unit);
    made.near_end = static_cast<float>(bins + 1);
    // Rounding of the difference, the factor and the product, each by up to 2^-24; of the bound; and of the edges.
    const double margin = bins * 0x1p-22 + (std::fabs(made.near_lower - lower) + most * 0x1p-50) * made.bins_per_unit;
    // So that nothing in the range overflows, and denormal numbers are below the margin.
    const bool is_near = most < 0x1p120 && made.bins_per_unit < 0x1p100 && made.bins_per_unit > 0x1p-100 && margin < 0.25;
    made.margin = is_near ? std::nextafter(static_cast<float>(margin), 1.0f) : 0.0f;
    return true;
  }

private:
  __device__ __forceinline__ double edge(int b) const {
    return b == static_cast<int>(bins) ? upper : __fma_rn(static_cast<double>(b), step, lower);
  }
  __device__ __forceinline__ unsigned of_edges(double x) const {
    if (!(x >= lower && x < upper)) {
      return kNoBin;
    }
    int b = min(static_cast<int>((share * x - share * lower) * bins_per_unit), static_cast<int>(bins) - 1);
    while (b > 0 && x < edge(b)) {
      --b;
    }
    while (b + 1 < static_cast<int>(bins) && x >= edge(b + 1)) {
      ++b;
    }
    return static_cast<unsigned>(b);
  }
};

// The type in which samples are compared with levels, or void.
template <class Sample, class Level>
constexpr auto compared_type() {
  constexpr bool kIntegers = std::is_integral_v<Sample> && std::is_integral_v<Level>;
  constexpr std::size_t kLarger = sizeof(Sample) > sizeof(Level) ? sizeof(Sample) : sizeof(Level);
  if constexpr (kIntegers && std::is_signed_v<Sample> == std::is_signed_v<Level>) {
    return std::common_type_t<Sample, Level>{};
  } else if constexpr (kIntegers && kLarger <= 4) {
    return std::int64_t{};
  } else if constexpr (std::is_integral_v<Sample> && std::is_floating_point_v<Level> && sizeof(Sample) <= 4) {
    return double{};
  } else if constexpr (!std::is_integral_v<Sample> && !std::is_integral_v<Level>) {
    return std::conditional_t<kLarger == 8, double, float>{};
  }
}

// Bin b begins at level b and ends before level b + 1, of bins + 1 levels in ascending order.
template <class Sample, class Level>
struct LevelBins : BinsInMemory {
  using Compared = decltype(compared_type<Sample, Level>());
  using LevelType = Level;
  const Level *levels;
  std::uint32_t bins;

  __device__ __forceinline__ unsigned of(Sample x) const { return of_level(levels_up_to(x, levels, 0, bins + 1)); }

  // The number of levels up to `last` that are not above x, if none before `first` is above.
  __device__ __forceinline__ static unsigned levels_up_to(Sample x, const Level *of, unsigned first, unsigned last) {
    const auto sample = static_cast<Compared>(x);
    while (first < last) {
      const unsigned middle = (first + last) / 2;
      const bool is_up_to = static_cast<Compared>(of[middle]) <= sample;
      first = is_up_to ? middle + 1 : first;
      last = is_up_to ? last : middle;
    }
    return first;
  }
  __device__ __forceinline__ unsigned of_level(unsigned up_to) const { return up_to <= bins ? up_to - 1 : kNoBin; }
};

// The levels in shared memory, and a guide to them: cells of equal width from the first level to the last one, each with the
// number of levels before it. A sample searches among the levels of its cell, mostly none or one.
template <class Bins>
struct LevelGuide {
  using Level = typename Bins::LevelType;
  static constexpr int kCells = 2048;
  static constexpr int kLevelsAt = (kCells + 1) * 2 / 16 * 16 + 16;  // bytes behind the guide's begin
  static constexpr std::uint64_t kMostBins = 65534;                  // a number of levels has 16 bits
  Level *levels;
  std::uint16_t *before;
  float first, cells_per_unit;

  static std::uint64_t bytes(std::uint64_t bins) { return bins <= kMostBins ? kLevelsAt + (bins + 1) * sizeof(Level) : 0; }

  // All threads call, and a barrier follows.
  __device__ __forceinline__ LevelGuide(const Bins &bins, unsigned char *memory)
      : levels(reinterpret_cast<Level *>(memory + kLevelsAt)), before(reinterpret_cast<std::uint16_t *>(memory)),
        first(static_cast<float>(bins.levels[0])),
        cells_per_unit(kCells / (static_cast<float>(bins.levels[bins.bins]) - first)) {
    // Infinite levels give no guide.
    if (!(fabsf(first) < INFINITY && cells_per_unit > 0 && cells_per_unit < INFINITY)) {
      first = cells_per_unit = 0;
    }
    for (unsigned i = threadIdx.x; i <= bins.bins; i += blockDim.x) {
      levels[i] = bins.levels[i];
    }
    for (unsigned cell = threadIdx.x; cell <= kCells; cell += blockDim.x) {
      before[cell] = static_cast<std::uint16_t>(cell == kCells ? bins.bins + 1 : 0);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i <= bins.bins; i += blockDim.x) {
      const int end = i < bins.bins ? cell_of(static_cast<float>(levels[i + 1])) : kCells - 1;
      for (int cell = cell_of(static_cast<float>(levels[i])) + 1; cell <= end; ++cell) {
        before[cell] = static_cast<std::uint16_t>(i + 1);
      }
    }
  }

  template <class Sample>
  __device__ __forceinline__ unsigned of(const Bins &bins, const Sample &x) const {
    const int cell = cell_of(static_cast<float>(x));
    return bins.of_level(Bins::levels_up_to(x, levels, before[cell], before[cell + 1]));
  }

private:
  // Each step keeps the order: a level in an earlier cell is below the sample, one in a later cell above it.
  __device__ __forceinline__ int cell_of(float x) const {
    const auto cell = static_cast<int>(__fmul_rn(__fsub_rn(x, first), cells_per_unit));
    return max(0, min(cell, kCells - 1));
  }
};
// A result outside of 0 to bins - 1 means no bin.
template <class Sample, class F>
struct BinsByFunction : BinsInRegisters {
  F function;
  std::uint32_t bins;

  __device__ __forceinline__ unsigned of(const Sample &x) const {
    const auto bin = function(x);
    using Result = std::decay_t<decltype(bin)>;
    static_assert(std::is_integral_v<Result>, "upsweep: the function from a sample to its bin has no integer result");
    if constexpr (std::is_signed_v<Result>) {
      if (bin < 0) {
        return kNoBin;
      }
    }
    return static_cast<std::uint64_t>(bin) < bins ? static_cast<unsigned>(bin) : kNoBin;
  }
};

}  // namespace upsweep::cuda::detail
