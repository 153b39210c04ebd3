// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms: counts[b] becomes the number of samples in bin b.
//
//   histogram            bin(x[i]) is the bin, or without it the sample itself; others than 0 to bins - 1 are not counted
//   histogram_even       bins of equal width: lower + b * (upper - lower) / bins <= sample < lower + (b + 1) * ...
//   histogram_of_levels  bins between sorted levels: levels[b] <= sample < levels[b + 1]; one between equal levels is empty
//   histogram_by         bin_of(sample), an integer, is the bin
//
// A sample without a bin is not counted: one below the first or not below the last edge, a NaN, or one whose bin is negative or
// at least `bins`.
//
// in        random-access iterator; samples are integers of up to 64 bits, half types, floats or doubles, of functions any type
// counts    pointer to `bins` integers, which are written, for each channel: counts[c * bins + b]. They wrap around. With
//           weights they may also be floats or doubles
// n         number of samples; count_at(pointer, at_most); or region(width, rows, pitch): rows of an image, `pitch` bytes each
// bins      1 to 2^24
// lower     and upper: integers, of up to 2^64 apart, where samples are integers; else any finite doubles whose distance,
//           divided by `bins`, is not smaller than that of doubles of their size
// levels    pointer to bins + 1 numbers in ascending order, which need not be of the samples' type
// options   channels<C, A>: n pixels of C interleaved samples, of which the first A are counted; weights(array): pixel i counts
//           array[i] times
// executor  see executor.h
//
// Which bin: exactly as said above for integers. For floating-point samples the edge of bin b is the double
// fma(b, (upper - lower) / bins, lower), and that of bin `bins` is `upper`; samples are compared with edges exactly.
//
// Each sample is read once; each thread counts in tables of its own, of up to 4 x bins 32-bit integers. A function is called
// once for a sample, or of samples of 8 bits for all 256 values. The same bits for every number of threads. Errors: see scan.h;
// std::invalid_argument for bins, bounds or a pitch that are not as said.
#pragma once

#include <upsweep/cpu/detail/call_arrays.h>
#include <upsweep/cpu/detail/histogram_bins.h>
#include <upsweep/cpu/detail/histogram_count.h>
#include <upsweep/cpu/thread_pool.h>

namespace upsweep::cpu {

struct region {
  std::uint64_t width, rows, pitch;
  region(std::uint64_t row_pixels, std::uint64_t row_count, std::uint64_t pitch_bytes)
      : width(row_pixels), rows(row_count), pitch(pitch_bytes) {}
};

// A pixel has kChannels samples, the first kCounted of which are counted.
template <int kChannels, int kCounted>
struct channels_t {
  static_assert(kChannels >= 1 && kCounted >= 1 && kCounted <= kChannels, "a pixel has as many channels as are counted");
};
template <int kChannels, int kCounted = kChannels>
inline constexpr channels_t<kChannels, kCounted> channels{};

// A sample counts as often as the weight of its pixel says.
template <class Weights>
struct weights {
  Weights of_pixels;
  explicit weights(Weights array) : of_pixels(array) {}
};

namespace detail {

template <int kChannels, int kCounted>
inline constexpr bool is_option<channels_t<kChannels, kCounted>> = true;
template <class Weights>
inline constexpr bool is_option<weights<Weights>> = true;

template <class... Options>
constexpr channels_t<1, 1> channels_option(const Options &...) {
  return {};
}
template <int kChannels, int kCounted, class... Rest>
constexpr channels_t<kChannels, kCounted> channels_option(const channels_t<kChannels, kCounted> &, const Rest &...) {
  return {};
}
template <class First, class... Rest>
  requires(sizeof...(Rest) > 0)
constexpr auto channels_option(const First &, const Rest &...rest) {
  return channels_option(rest...);
}

template <class In>
PixelRows rows_of(const region &r, std::uint64_t channels) {
  constexpr std::uint64_t kBytes = sizeof(ValueOf<In>);
  if (r.rows > 1 && (r.pitch < r.width * channels * kBytes || r.pitch % kBytes != 0)) {
    throw std::invalid_argument("upsweep::cpu: a pitch with rows that overlap, or that is no whole number of samples");
  }
  return {r.width, r.rows, r.pitch / kBytes};
}
template <class In, class N>
PixelRows rows_of(const N &n, std::uint64_t) {
  return {count_of(n), 1, 0};
}

template <class In, class Count, class N, class Bins, class Executor, int kChannels, int kCounted, class... Options>
void count_histogram(In in, Count *counts, const N &n, std::uint64_t bins, const Bins &bin_of, const CallArray &levels,
                     Executor &executor, channels_t<kChannels, kCounted>, const Options &...options) {
  static_assert(std::is_integral_v<Count> || std::is_floating_point_v<Count>, "counts are numbers");
  const PixelRows rows = rows_of<In>(n, kChannels);
  const std::uint64_t samples = rows.pixels() == 0 ? 0 : (rows.rows - 1) * rows.pitch + rows.width * kChannels;
  const auto weighing = find_option<weights>(0, options...);
  CallArray weights_of_pixels{"weights"};
  if constexpr (!std::is_same_v<std::remove_const_t<decltype(weighing)>, int>) {
    weights_of_pixels = reads("weights", weighing.of_pixels, rows.pixels());
  }
  require_arrays({reads("the input", in, samples), levels, weights_of_pixels, writes("counts", counts, kCounted * bins)});
  std::fill_n(counts, kCounted * bins, Count(0));
  const auto count = [&](const auto &which) {
    if constexpr (std::is_same_v<std::remove_const_t<decltype(weighing)>, int>) {
      static_assert(std::is_integral_v<Count>, "counts without weights are integers");
      count_pixels<kChannels, kCounted>(in, counts, rows, bins, which, executor);
    } else {
      using Weight = std::remove_cv_t<ValueOf<decltype(weighing.of_pixels)>>;
      static_assert(std::is_floating_point_v<Count> || std::is_integral_v<Weight>,
                    "sums of floating-point weights are floats or doubles");
      weigh_pixels<kChannels, kCounted>(in, counts, rows, bins, which, weighing.of_pixels, executor);
    }
  };
  using Sample = std::remove_cv_t<ValueOf<In>>;
  if constexpr (sizeof(Sample) == 1 && std::is_integral_v<Sample>) {
    count(BinsOfBytes<Sample>(bin_of));
  } else {
    count(bin_of);
  }
}

inline void require_bins(std::uint64_t bins) {
  if (bins == 0 || bins > kMostBins) {
    throw std::invalid_argument("upsweep::cpu: a histogram has 1 to 2^24 bins");
  }
}

}  // namespace detail

template <class In, class Count, class N, class... More>
void histogram(In in, Count *counts, std::uint64_t bins, N n, More &&...more) {
  const auto bin = detail::functor_of(detail::Unchanged(), more...);
  detail::count_histogram(in, counts, n, bins, detail::BinsByFunction<std::remove_const_t<decltype(bin)>>{bin},
                          detail::CallArray{"levels"}, detail::executor_of<1>(more...), detail::channels_option(more...),
                          more...);
}

template <class In, class Count, class N, class Bound, class... More>
void histogram_even(In in, Count *counts, N n, std::uint64_t bins, Bound lower, Bound upper, More &&...more) {
  using Sample = std::remove_cv_t<detail::ValueOf<In>>;
  static_assert(detail::is_number<Sample> && sizeof(Sample) <= 8, "samples are numbers of up to 64 bits");
  static_assert(!detail::is_integer<Sample> || detail::is_integer<Bound>, "bounds of integers are integers");
  using Bins = std::conditional_t<detail::is_integer<Sample>, detail::EvenIntegers<Sample>, detail::EvenFloats<Sample>>;
  detail::require_bins(bins);
  detail::count_histogram(in, counts, n, bins, Bins(lower, upper, bins), detail::CallArray{"levels"},
                          detail::executor_of(more...), detail::channels_option(more...), more...);
}

template <class In, class Count, class N, class Level, class... More>
void histogram_of_levels(In in, Count *counts, N n, std::uint64_t bins, const Level *levels, More &&...more) {
  using Sample = std::remove_cv_t<detail::ValueOf<In>>;
  detail::require_bins(bins);
  detail::count_histogram(in, counts, n, bins, detail::LevelBins<Sample, Level>{levels, bins},
                          detail::reads("levels", levels, bins + 1), detail::executor_of(more...),
                          detail::channels_option(more...), more...);
}

template <class In, class Count, class N, class F, class... More>
void histogram_by(In in, Count *counts, N n, std::uint64_t bins, F bin_of, More &&...more) {
  detail::require_bins(bins);
  detail::count_histogram(in, counts, n, bins, detail::BinsByFunction<F>{bin_of}, detail::CallArray{"levels"},
                          detail::executor_of(more...), detail::channels_option(more...), more...);
}

}  // namespace upsweep::cpu
