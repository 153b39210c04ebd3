// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide histograms: counts[b] becomes the number of samples in bin b.
//
//   histogram_even       bins of equal width: lower + b * (upper - lower) / bins <= sample < lower + (b + 1) * ...
//   histogram_of_levels  bins between sorted levels: levels[b] <= sample < levels[b + 1]; one between equal levels is empty
//   histogram_by         bin_of(sample), an integer, is the bin
//
// A sample without a bin is not counted: one below the first or not below the last edge, a NaN, or one whose bin_of is negative
// or at least `bins`.
//
// in       device pointer, or an iterator; samples are integers of 8 to 64 bits, __half, __nv_bfloat16, float or double. For
//          histogram_by they are trivially copyable, of up to 64 bytes
// counts   device pointer to `bins` integers of 32 or 64 bits, which are written, for each channel: counts[c * bins + b]. They
//          wrap around. With weights they may also be float or double
// n        0 to 2^40 samples; count_at(pointer, at_most); or region(width, rows, pitch): rows of an image, `pitch` bytes each
// bins     1 to 2^24
// lower    and upper: integers, of up to 2^64 apart, where samples are integers (__int128 for more than 64 bits); else numbers
//          whose distance, divided by `bins`, is not smaller than that of doubles of their size
// levels   device pointer to bins + 1 numbers in ascending order, which need not be of the samples' type
// bin_of   __device__ function; of samples of 8 bits it is called for all 256 values, whatever samples there are
// options  the stream; channels<C, A>: n pixels of C interleaved samples, 1 to 4, of which the first A are counted;
//          weights(array): pixel i counts array[i] times, an integer, or a float or double if counts are
//
// Which bin: exactly as said above for integers. For floating-point samples the edge of bin b is the double
// fma(b, (upper - lower) / bins, lower), and that of bin `bins` is `upper`; samples are compared with edges exactly.
//
// Samples are read once; with more bins than the shared memory of a multiprocessor has room for (57,000 counts on an H100), up
// to 12 times, or as often as 16 MiB go into the counts, which are then added to in device memory. There is no workspace:
// nothing is allocated, and nothing synchronises, so that calls can be captured in a graph. Arrays must not overlap `counts`.
// Counts and sums of integer weights are the same from run to run, and on every GPU; sums of floating-point weights are added
// in any order, and may differ in their last digits.
//
// Errors: cudaErrorInvalidValue for a null pointer, no bins or too many, bounds or a pitch that are not as said, too many
// samples, or arrays that overlap; cudaErrorMisalignedAddress for samples or counts that are not aligned to their type.
#pragma once

#include <upsweep/cuda/device/histogram_call.cuh>

namespace upsweep::cuda {

template <class In, class Counts, class N, class Bound, class... Options>
cudaError_t histogram_even(In in, Counts counts, N n, std::uint64_t bins, Bound lower, Bound upper, Options... options) {
  if constexpr (detail::are_of_histogram<In, Counts, N>()) {
    using Sample = detail::ElementOf<detail::Unwrapped<In>>;
    if constexpr (detail::are_samples_and_bounds<Sample, Bound>()) {
      if (!detail::are_bins(bins)) {
        return cudaErrorInvalidValue;
      }
      std::conditional_t<std::is_integral_v<Sample>, detail::EvenIntegers<Sample>, detail::EvenFloats<Sample>> even{};
      if (!even.make(lower, upper, static_cast<std::uint32_t>(bins), even)) {
        return cudaErrorInvalidValue;
      }
      return detail::histogram(in, counts, n, bins, even, 0, options...);
    }
  }
  return cudaErrorInvalidValue;
}

template <class In, class Counts, class N, class Levels, class... Options>
cudaError_t histogram_of_levels(In in, Counts counts, N n, std::uint64_t bins, Levels levels, Options... options) {
  if constexpr (detail::are_of_histogram<In, Counts, N>() && detail::are_pointers<Levels>()) {
    using Sample = detail::ElementOf<detail::Unwrapped<In>>;
    using Level = detail::ElementOf<detail::Unwrapped<Levels>>;
    if constexpr (detail::are_samples_and_levels<Sample, Level>()) {
      const Level *const edges = detail::const_pointer(levels);
      if (!detail::are_bins(bins) || edges == nullptr) {
        return cudaErrorInvalidValue;
      }
      const detail::LevelBins<Sample, Level> between{{}, edges, static_cast<std::uint32_t>(bins)};
      const std::uint64_t guide_bytes = detail::LevelGuide<detail::LevelBins<Sample, Level>>::bytes(bins);
      return detail::histogram(in, counts, n, bins, between, sizeof(Sample) > 1 ? guide_bytes : 0, options...);
    }
  }
  return cudaErrorInvalidValue;
}

template <class In, class Counts, class N, class F, class... Options>
cudaError_t histogram_by(In in, Counts counts, N n, std::uint64_t bins, F bin_of, Options... options) {
  if constexpr (detail::are_of_histogram<In, Counts, N>()) {
    using Sample = detail::ElementOf<detail::Unwrapped<In>>;
    constexpr bool kMayCall = std::is_invocable_v<F, Sample>;
    static_assert(kMayCall, "upsweep: the function behind the number of bins cannot be called with a sample");
    if constexpr (kMayCall) {
      if (!detail::are_bins(bins)) {
        return cudaErrorInvalidValue;
      }
      const detail::BinsByFunction<Sample, F> by{{}, bin_of, static_cast<std::uint32_t>(bins)};
      return detail::histogram(in, counts, n, bins, by, 0, options...);
    }
  }
  return cudaErrorInvalidValue;
}

}  // namespace upsweep::cuda
