// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms on a command queue: counts[b] becomes the number of samples in bin b.
//
//   histogram_even       bins of equal width: lower + b * (upper - lower) / bins <= sample < lower + (b + 1) * ...
//   histogram_of_levels  bins between sorted levels: levels[b] <= sample < levels[b + 1]; a bin between equal levels is empty
//   histogram_by         bin_of(sample), an integer, is the bin
//
// Samples without a bin are not counted: samples below the first edge or not below the last, NaNs, and samples whose bin_of is
// negative or at least `bins`.
//
// `in`       array of n samples: numbers, or for histogram_by any type.
// `counts`   array of `bins` integers of 32 or 64 bits for each channel, which are overwritten: counts[c * bins + b]. They wrap
//            around. With weights they may also be floats or doubles.
// `n`        0 to 2^40 samples; count_at (count.h); or region(width, rows, pitch): rows of an image, `pitch` bytes each.
// `bins`     1 to 2^24.
// `lower`    and `upper`: for integer samples two integers of 64 bits, for others two doubles.
// `levels`   array of bins + 1 numbers in ascending order, of the samples' type.
// `bin_of`   up::function("name", "long name(IN x) { ... }").
// `options`  wait_for, signal; channels{of, counted}: n pixels of `of` interleaved samples, 1 to 4, with the first `counted`
//            counted; weights(array): pixel i counts array[i] times, an integer, or a floating-point number if counts are.
//
// Bins of integers are exact if bins * (upper - lower) is below 2^64. The bin of a floating-point sample is floor((x - lower)
// * (bins / (upper - lower))), computed in doubles if the device has them, and in floats otherwise. New bounds do not build a
// new program.
//
// Each sample is read once. Up to kLocalBins counts are kept in local memory, and more are counted by atomics on `counts`; on
// CPUs each work-group has its own table. Counts are the same in every call; floating-point weights are added in any order, so
// that the last digits of their sums may differ. Errors: error.h; CL_INVALID_VALUE for a pitch with which rows overlap, or
// that is not a whole number of samples; CL_INVALID_OPERATION for counts of 64 bits on a device without atomics of that size.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/histogram_job.h>

namespace upsweep::opencl {

template <class Bound, class... Given>
cl_int histogram_even(const array &in, const array &counts, const pixel_count &n, std::uint64_t bins, Bound lower, Bound upper,
                      queue queue, const Given &...options) {
  static_assert(std::is_arithmetic_v<Bound>, "upsweep: bounds must be numbers");
  const auto all = detail::options_of<channels, weights>(options...);
  return detail::run_call(queue, all, [&](detail::Call &call) {
    const auto are = in.type.is_integer() ? detail::Bins::kEvenIntegers : detail::Bins::kEvenNumbers;
    detail::Histogram histogram{are, in, counts, n, bins};
    const cl_int code = detail::even_bins(call, in.type, bins, lower, upper, &histogram.even);
    return code != CL_SUCCESS ? code : detail::run_histogram(call, histogram);
  });
}

template <class... Given>
cl_int histogram_of_levels(const array &in, const array &counts, const pixel_count &n, std::uint64_t bins, const array &levels,
                           queue queue, const Given &...options) {
  const auto all = detail::options_of<channels, weights>(options...);
  return detail::run_call(queue, all, [&](detail::Call &call) {
    return detail::run_histogram(call, {detail::Bins::kOfLevels, in, counts, n, bins, &levels});
  });
}

template <class... Given>
cl_int histogram_by(const array &in, const array &counts, const pixel_count &n, std::uint64_t bins, const function &bin_of,
                    queue queue, const Given &...options) {
  const auto all = detail::options_of<channels, weights>(options...);
  return detail::run_call(queue, all, [&](detail::Call &call) {
    return detail::run_histogram(call, {detail::Bins::kByText, in, counts, n, bins, nullptr, bin_of});
  });
}

}  // namespace upsweep::opencl
#endif
