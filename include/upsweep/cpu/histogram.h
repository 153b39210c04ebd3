// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms: counts[b] becomes the number of samples in bin b.
//
//   histogram            the bin is bin(x[i]), or x[i] by default; bins outside of 0 to bins - 1 are not counted
//   histogram_even       bins of equal width: lower + b * (upper - lower) / bins <= sample < lower + (b + 1) * ...
//   histogram_of_levels  bins between sorted levels: levels[b] <= sample < levels[b + 1]; a bin between equal levels is empty
//   histogram_by         bin_of(sample), an integer, is the bin
//
// Samples without a bin are not counted: samples below the first edge or not below the last, NaNs, and samples whose bin is
// negative or at least `bins`.
//
// `in`        random-access iterator; samples are integers of up to 64 bits, half types, floats or doubles; for functions any
//             type.
// `counts`    pointer to `bins` integers for each channel, which are overwritten: counts[c * bins + b]. They wrap around. With
//             weights they may also be floats or doubles.
// `n`         number of samples; count_at(pointer, at_most); or region(width, rows, pitch): rows of an image, `pitch` bytes
//             each.
// `bins`      1 to 2^24.
// `lower`     and `upper`: for integer samples integers at most 2^64 apart; else finite doubles whose distance, divided by
//             `bins`, is not below the spacing of doubles of their size.
// `levels`    pointer to bins + 1 numbers in ascending order, of any numeric type.
// `options`   channels<C, A>: n pixels of C interleaved samples, with the first A counted; weights(array): pixel i counts
//             array[i] times.
// `executor`  see executor.h.
//
// The bin of an integer follows the formulas above exactly. For floating-point samples the edge of bin b is the double fma(b,
// (upper - lower) / bins, lower), and that of bin `bins` is `upper`; samples are compared with edges exactly.
//
// Each sample is read once. Each thread counts in its own tables, of up to 4 x bins 32-bit integers. A function is called once
// for each sample, or for 8-bit samples once for each of the 256 values. Results have the same bits for every number of
// threads. Errors: see scan.h; std::invalid_argument for bins, bounds or a pitch outside of these rules.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/call_arrays.h>
#include <upsweep/cpu/detail/histogram_bins.h>
#include <upsweep/cpu/detail/histogram_count.h>
#include <upsweep/cpu/thread_pool.h>

namespace upsweep::cpu {

namespace detail {

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
    throw std::invalid_argument("upsweep::cpu: the region's pitch must be a whole number of samples, and at least a row");
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
  static_assert(std::is_integral_v<Count> || std::is_floating_point_v<Count>, "counts must be numbers");
  static_assert(kChannels >= 1 && kCounted >= 1 && kCounted <= kChannels,
                "channels counts 1 channel at least, and at most the pixel's channels");
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
      static_assert(std::is_integral_v<Count>, "counts without weights must be integers");
      count_pixels<kChannels, kCounted>(in, counts, rows, bins, which, executor);
    } else {
      using Weight = std::remove_cv_t<ValueOf<decltype(weighing.of_pixels)>>;
      static_assert(std::is_floating_point_v<Count> || std::is_integral_v<Weight>,
                    "sums of floating-point weights must be floats or doubles");
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
    throw std::invalid_argument("upsweep::cpu: the number of bins must be 1 to 2^24");
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
  static_assert(detail::is_number<Sample> && sizeof(Sample) <= 8, "samples must be numbers of up to 64 bits");
  static_assert(!detail::is_integer<Sample> || detail::is_integer<Bound>, "the bounds of integer samples must be integers");
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
#endif
