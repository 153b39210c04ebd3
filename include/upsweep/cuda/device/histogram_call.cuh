// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options and checks of a histogram.
#pragma once

#include <upsweep/cuda/device/call.cuh>
#include <upsweep/cuda/device/histogram_launch.cuh>

namespace upsweep::cuda {

namespace detail {

// The options of a call, at most one for each kind.
template <class Option>
inline constexpr int channels_of = 0;
template <int kChannels, int kCounted>
inline constexpr int channels_of<channels_t<kChannels, kCounted>> = kChannels;
template <class Option>
inline constexpr int counted_of = 0;
template <int kChannels, int kCounted>
inline constexpr int counted_of<channels_t<kChannels, kCounted>> = kCounted;
template <class Option>
inline constexpr bool is_weights = false;
template <class Weights>
inline constexpr bool is_weights<weights<Weights>> = true;

struct NoWeights {
  NoWeight of_pixels;
};

template <class Array>
struct WeightOf {
  using type = ElementOf<Array>;
};
template <>
struct WeightOf<NoWeight> {
  using type = NoWeight;
};

template <class Counter, class Weight>
constexpr bool are_counts() {
  constexpr bool kWeighted = !std::is_same_v<Weight, NoWeight>;
  constexpr bool kIntegers =
      std::is_integral_v<Counter> && !std::is_same_v<Counter, bool> && (sizeof(Counter) == 4 || sizeof(Counter) == 8);
  constexpr bool kFloats = kWeighted && (std::is_same_v<Counter, float> || std::is_same_v<Counter, double>);
  static_assert(kIntegers || kFloats,
                "upsweep: counts are integers of 32 or 64 bits; with weights they may also be float or double");
  static_assert(!kWeighted || std::is_arithmetic_v<Weight>, "upsweep: weights are integers, float or double");
  static_assert(!kWeighted || !kIntegers || !std::is_floating_point_v<Weight>,
                "upsweep: sums of floating weights are float or double");
  return (kIntegers || kFloats) && !std::is_const_v<Counter>;
}

// The number of pixels, as rows.
struct PixelRows {
  Count width;
  std::uint64_t rows, pitch;
  bool is_region;

  static PixelRows of(const region &r) { return {count_of(r.width), r.rows, r.pitch, true}; }
  template <class N>
  static PixelRows of(const N &n) {
    return {count_of(n), 1, 0, false};
  }

  // Rows without gaps become one. False: they overlap, or there are too many pixels.
  bool join(std::uint64_t pixel_bytes, std::size_t sample_bytes) {
    if (width.is_null || width.most > kMostElements || (rows > 0 && width.most > kMostElements / rows)) {
      return false;
    }
    if (is_region && rows > 1 && width.most > 0) {
      if (pitch < width.most * pixel_bytes || pitch % sample_bytes != 0 || pitch > (std::uint64_t(1) << 48) / rows) {
        return false;
      }
      if (pitch == width.most * pixel_bytes) {
        width.most *= rows;
        rows = 1;
      }
    }
    return true;
  }
  std::uint64_t pixels() const { return width.most * rows; }
  std::uint64_t bytes(std::uint64_t pixel_bytes) const {
    return pixels() == 0 ? 0 : (rows - 1) * pitch + width.most * pixel_bytes;
  }
};

template <class Array>
bool overlaps_counts(const Array &array, std::uint64_t bytes, const void *counts, std::uint64_t counts_bytes) {
  if constexpr (std::is_pointer_v<Array>) {
    return bytes > 0 && overlap(array, bytes, counts, counts_bytes);
  } else {
    return false;
  }
}

// guide_bytes: of shared memory, for levels and their guide.
template <int kChannels, int kCounted, class Input, class Counter, class Bins, class Weights>
cudaError_t histogram_of(Input input, Counter *counts, PixelRows rows, std::uint64_t bin_count, const Bins &bins,
                         std::size_t guide_bytes, const Weights &weights, cudaStream_t stream) {
  using Sample = ElementOf<Input>;
  using WeightArray = decltype(weights.of_pixels);
  constexpr bool kWeighted = !std::is_same_v<WeightArray, NoWeight>;
  constexpr std::uint64_t kPixelBytes = sizeof(Sample) * kChannels;
  if (counts == nullptr || !rows.join(kPixelBytes, sizeof(Sample))) {
    return cudaErrorInvalidValue;
  }
  const std::uint64_t counts_bytes = bin_count * kCounted * sizeof(Counter);
  if constexpr (Bins::kInShared) {
    if (overlaps_counts(bins.levels, (bin_count + 1) * sizeof(*bins.levels), counts, counts_bytes)) {
      return cudaErrorInvalidValue;
    }
  }
  if (rows.pixels() > 0) {
    if (is_null(input) || is_null(weights.of_pixels) || overlaps_counts(input, rows.bytes(kPixelBytes), counts, counts_bytes)) {
      return cudaErrorInvalidValue;
    }
    if constexpr (kWeighted) {
      if (overlaps_counts(weights.of_pixels, rows.pixels() * sizeof(ElementOf<WeightArray>), counts, counts_bytes)) {
        return cudaErrorInvalidValue;
      }
    }
  }
  if (reinterpret_cast<std::uintptr_t>(counts) % sizeof(Counter) != 0) {
    return cudaErrorMisalignedAddress;
  }
  if constexpr (std::is_pointer_v<Input>) {
    if (rows.pixels() > 0 && reinterpret_cast<std::uintptr_t>(input) % alignof(Sample) != 0) {
      return cudaErrorMisalignedAddress;
    }
  }
  const Pixels<Input, kChannels> pixels{input, {rows.width.most, rows.width.pointer}, rows.rows, rows.pitch};
  using Problem =
      HistogramProblem<Input, kChannels, kCounted, Bins, Counter, WeightArray, typename WeightOf<WeightArray>::type>;
  const Problem problem{pixels, bins, weights.of_pixels, counts, static_cast<std::uint32_t>(bin_count), 0, 0, 1, 0, 0, false};
  return launch_histogram(problem, rows.pixels(), guide_bytes, stream);
}

template <class... Options>
constexpr bool are_histogram_options() {
  constexpr bool kAreKnown = ((is_stream<Options> || channels_of<Options> != 0 || is_weights<Options>) && ...);
  static_assert(kAreKnown, "upsweep: the options of a histogram are a stream, channels<...> and weights(...)");
  constexpr bool kOnce = (static_cast<int>(is_stream<Options>) + ... + 0) <= 1 &&
                         (static_cast<int>(channels_of<Options> != 0) + ... + 0) <= 1 &&
                         (static_cast<int>(is_weights<Options>) + ... + 0) <= 1;
  static_assert(!kAreKnown || kOnce, "upsweep: an option of a histogram is given twice");
  return kAreKnown && kOnce;
}

template <class... Options>
auto weights_of(const Options &...options) {
  if constexpr (((is_weights<Options>) || ...)) {
    const auto found = find_option<cuda::weights>(NoWeights{}, options...);
    const auto array = unwrapped(found.of_pixels);
    return cuda::weights<std::decay_t<decltype(array)>>(array);
  } else {
    return NoWeights{};
  }
}

template <class In, class Counts, class N>
constexpr bool are_of_histogram() {
  if constexpr (std::is_same_v<N, region>) {
    return are_arrays<In, Counts, int>() && are_pointers<In, Counts>();
  } else {
    return are_arrays<In, Counts, N>() && are_pointers<Counts>();
  }
}

template <class In, class Counts, class N, class Bins, class... Options>
cudaError_t histogram(In in, Counts counts, const N &n, std::uint64_t bin_count, const Bins &bins, std::size_t guide_bytes,
                      const Options &...options) {
  using Counter = std::remove_pointer_t<Unwrapped<Counts>>;
  if constexpr (are_histogram_options<Options...>()) {
    constexpr int kGiven = (channels_of<Options> + ... + 0), kChannels = kGiven == 0 ? 1 : kGiven;
    constexpr int kFound = (counted_of<Options> + ... + 0), kCounted = kGiven == 0 ? 1 : kFound;
    constexpr bool kAreChannels = kChannels >= 1 && kChannels <= 4 && kCounted >= 1 && kCounted <= kChannels;
    static_assert(kAreChannels, "upsweep: there are 1 to 4 channels, and at least one and not more are counted");
    const auto weights = weights_of(options...);
    using WeightArray = std::decay_t<decltype(weights.of_pixels)>;
    constexpr bool kWeighted = !std::is_same_v<WeightArray, NoWeight>;
    static_assert(!kWeighted || !std::is_same_v<N, region>, "upsweep: pixels of a region have no weights");
    if constexpr (kAreChannels && !(kWeighted && std::is_same_v<N, region>)) {
      if constexpr (are_counts<Counter, typename WeightOf<WeightArray>::type>()) {
        return histogram_of<kChannels, kCounted>(unwrapped(in), unwrapped(counts), PixelRows::of(n), bin_count, bins,
                                                 guide_bytes, weights, stream_of(options...));
      }
    }
  }
  return cudaErrorInvalidValue;
}

template <class Sample>
inline constexpr bool is_sample = common::number_order<Sample, false>::kIsKnown && sizeof(Sample) <= 8;

template <class Sample, class Bound>
constexpr bool are_samples_and_bounds() {
  constexpr bool kBound = std::is_integral_v<Bound> || std::is_same_v<Bound, __int128>;
  static_assert(is_sample<Sample>, "upsweep: samples are integers of up to 64 bits, half, __nv_bfloat16, float or double");
  static_assert(!std::is_integral_v<Sample> || kBound, "upsweep: the bounds of integer samples are integers");
  return is_sample<Sample> && (!std::is_integral_v<Sample> || kBound);
}

template <class Sample, class Level>
constexpr bool are_samples_and_levels() {
  static_assert(is_sample<Sample>, "upsweep: samples are integers of up to 64 bits, half, __nv_bfloat16, float or double");
  if constexpr (is_sample<Sample>) {
    constexpr bool kCompare = is_sample<Level> && !std::is_void_v<decltype(compared_type<Sample, Level>())>;
    static_assert(kCompare, "upsweep: samples cannot be compared exactly with levels of that type");
    return kCompare;
  }
  return false;
}

inline bool are_bins(std::uint64_t bins) { return bins >= 1 && bins <= kMostBins; }

}  // namespace detail

}  // namespace upsweep::cuda
