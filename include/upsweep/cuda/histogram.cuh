// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide histograms: counts[b] becomes the number of samples in bin b.
//
//   histogram_even       bins of equal width: lower + b * (upper - lower) / bins <= sample < lower + (b + 1) * ...
//   histogram_of_levels  bins between sorted levels: levels[b] <= sample < levels[b + 1]; a bin between equal levels is empty
//   histogram_by         bin_of(sample), an integer, is the bin
//
// Samples without a bin are not counted: samples below the first edge or not below the last, NaNs, and samples whose bin is
// negative or at least `bins`.
//
// `in`       device pointer, or an iterator. Samples are integers of 8 to 64 bits, __half, __nv_bfloat16, float or double. For
//            histogram_by they are trivially copyable, of up to 64 bytes.
// `counts`   device pointer to `bins` integers of 32 or 64 bits, which are written, for each channel: counts[c * bins + b].
//            They wrap around. With weights they may also be float or double.
// `n`        0 to 2^40 samples; count_at(pointer, at_most); or region(width, rows, pitch): rows of an image, `pitch` bytes
//            each.
// `bins`     1 to 2^24.
// `lower`    and `upper`: for integer samples integers at most 2^64 apart (__int128 for more than 64 bits). Else numbers whose
//            distance, divided by `bins`, is not below the spacing of doubles of their size.
// `levels`   device pointer to bins + 1 numbers in ascending order, which may have another type than samples.
// `bin_of`   __device__ function; for 8-bit samples it is called for all 256 values.
// `options`  the stream; channels<C, A>: n pixels of C interleaved samples, 1 to 4, with the first A counted. weights(array):
//            pixel i counts array[i] times. It has integers, or floats or doubles if counts have.
//
// The bin of an integer follows the formulas above exactly. For floating-point samples the edge of bin b is the double fma(b,
// (upper - lower) / bins, lower), and the last edge is `upper`. The comparison of samples with edges is exact.
//
// Samples are read once if a multiprocessor's shared memory holds all counts (57,000 on an H100). With more bins they are read
// up to 12 times, or once for each 16 MiB of counts, which are then added to in device memory. There is no workspace: nothing
// is allocated, and nothing synchronises, so that calls can be captured in a graph. Arrays must not overlap `counts`. Counts
// and sums of integer weights are the same from run to run, and on every GPU; sums of floating-point weights are added in any
// order, and may differ in their last digits.
//
// Errors: cudaErrorInvalidValue for a null pointer, no bins or too many, invalid bounds or pitch, too many samples, or arrays
// that overlap; cudaErrorMisalignedAddress for misaligned samples or counts.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
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
#endif
