// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms (kernels/histogram.cl).
#pragma once

#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/simple_call.h>

#include <cmath>
#include <utility>

namespace upsweep::opencl {

// The pixels of a histogram as `row_count` rows of `row_pixels` pixels, `pitch_bytes` apart.
struct region {
  std::uint64_t width, rows, pitch;
  region(std::uint64_t row_pixels, std::uint64_t row_count, std::uint64_t pitch_bytes)
      : width(row_pixels), rows(row_count), pitch(pitch_bytes) {}
};

// The pixels of a histogram: a number on the host or on the device, or the pixels of a region.
struct pixel_count : element_count {
  std::optional<region> rows;

  template <class N>
    requires std::is_integral_v<N>
  pixel_count(N n) : element_count(n) {}
  pixel_count(const element_count &count) : element_count(count) {}
  pixel_count(const count_at &count) : element_count(count) {}
  pixel_count(const region &of) : element_count(pixels_of(of)), rows(of) {}

private:
  // The number of pixels of a region; UINT64_MAX if they are too many.
  static std::uint64_t pixels_of(const region &of) {
    return of.width == 0 || of.rows <= UINT64_MAX / of.width ? of.width * of.rows : UINT64_MAX;
  }
};

namespace detail {

inline constexpr std::uint64_t kMostBins = std::uint64_t(1) << 24;  // as in the CUDA library
inline constexpr std::uint64_t kLocalBins = 4096;  // of 4 bytes: 16 KiB of local memory, for two work-groups and more on GPUs
inline constexpr std::uint64_t kTableBytes = std::uint64_t(64) << 20;  // of all tables of work-groups on CPUs

// The mapping of samples to bins: UPS_BINS_ARE of kernels/histogram.cl.
enum class Bins { kByText = 0, kOfLevels, kEvenIntegers, kEvenNumbers };

// Bins of equal width as kernel arguments, so that new bounds need no new program.
struct Even {
  element_type type;
  std::array<Argument, 3> bounds;  // lower, upper, and bins / (upper - lower)
  bool is_short = false;           // the products of bins with distances of samples are below 2^32
};

struct Histogram {
  Bins are;
  const array &in, &counts;
  const pixel_count &n;
  std::uint64_t bins;
  const array *levels = nullptr;
  function bin_of = {};
  Even even = {type_of<std::uint32_t>::value(), {Argument::number(0U), Argument::number(0U), Argument::number(0U)}};
};

template <class T>
Even even_of(T lower, T upper, T scale, bool is_short = false) {
  return {type_of<T>::value(), {Argument::number(lower), Argument::number(upper), Argument::number(scale)}, is_short};
}

template <class T, class Bound>
cl_int even_integers(std::uint64_t bins, Bound lower, Bound upper, Even *even) {
  using Wide = std::conditional_t<std::is_signed_v<Bound>, std::int64_t, std::uint64_t>;
  if (!std::in_range<T>(static_cast<Wide>(lower)) || !std::in_range<T>(static_cast<Wide>(upper))) {
    return fail(CL_INVALID_VALUE, "upsweep: a bound does not fit 64 bits, signed or unsigned like the samples");
  }
  const std::uint64_t width = static_cast<std::uint64_t>(upper) - static_cast<std::uint64_t>(lower);
  if (width > UINT64_MAX / bins) return fail(CL_INVALID_VALUE, "upsweep: bins * (upper - lower) must be below 2^64");
  *even = even_of<T>(static_cast<T>(lower), static_cast<T>(upper), 0, width * bins <= UINT32_MAX);
  return CL_SUCCESS;
}

template <class T, class Bound>
cl_int even_numbers(std::uint64_t bins, Bound lower, Bound upper, Even *even) {
  const T a = static_cast<T>(lower), b = static_cast<T>(upper), scale = static_cast<T>(bins) / (b - a);
  if (!std::isfinite(a) || !std::isfinite(b)) return fail(CL_INVALID_VALUE, "upsweep: bounds must be finite");
  if (!std::isfinite(b - a)) return fail(CL_INVALID_VALUE, "upsweep: the bounds are too far apart: their distance is infinite");
  if (!std::isnormal(scale)) {
    return fail(CL_INVALID_VALUE, "upsweep: the bounds are too close, or too far apart, for bins of equal width");
  }
  *even = even_of<T>(a, b, scale);
  return CL_SUCCESS;
}

template <class Bound>
cl_int even_bins(const Call &call, const element_type &type, std::uint64_t bins, Bound lower, Bound upper, Even *even) {
  if (!type.is_number() || bins == 0 || bins > kMostBins || !(lower < upper)) {
    return fail(CL_INVALID_VALUE, "upsweep: samples must be numbers, the number of bins 1 to 2^24, and lower below upper");
  }
  if (!type.is_integer()) {
    return call.device().has_double ? even_numbers<double>(bins, lower, upper, even)
                                    : even_numbers<float>(bins, lower, upper, even);
  }
  if constexpr (std::is_integral_v<Bound>) {
    return type.lowest == "0" ? even_integers<std::uint64_t>(bins, lower, upper, even)
                              : even_integers<std::int64_t>(bins, lower, upper, even);
  } else {
    return fail(CL_INVALID_VALUE, "upsweep: the bounds of integer samples must be integers");
  }
}

// The levels, or the function.
inline cl_int check_bins(const Histogram &h) {
  if (h.are == Bins::kByText && !h.bin_of.exists())
    return fail(CL_INVALID_VALUE, "upsweep: the function of a sample's bin has no name");
  if (h.are != Bins::kOfLevels) return CL_SUCCESS;
  if (h.levels->type != h.in.type || !h.in.type.is_number()) {
    return fail(CL_INVALID_VALUE, "upsweep: levels must be numbers of the samples' type");
  }
  return CL_SUCCESS;
}

// The counts' type, and the weights.
inline cl_int check_counts(const Call &call, const Histogram &h) {
  const std::optional<array> &weighing = call.options().pixel_weights;
  const element_type &type = h.counts.type;
  if (type.bytes < 4 || !(type.is_integer() || (weighing && type.is_floating_point()))) {
    return fail(CL_INVALID_VALUE, "upsweep: counts must be integers of 32 or 64 bits, or with weights also floats or doubles");
  }
  if (!weighing) return CL_SUCCESS;
  if (!weighing->type.is_number() || (type.is_integer() && !weighing->type.is_integer())) {
    return fail(CL_INVALID_VALUE, "upsweep: weights must be numbers, and integers if counts are integers");
  }
  return CL_SUCCESS;
}

// The number of elements from the first sample to the last.
inline cl_int find_samples(const Histogram &h, std::uint64_t channels, std::uint64_t *samples) {
  const cl_int code = require_count(h.n.most);
  if (code != CL_SUCCESS) return code;
  *samples = h.n.most * channels;
  if (!h.n.rows || h.n.most == 0 || h.n.rows->rows == 1) return CL_SUCCESS;
  const region &of = *h.n.rows;
  const std::uint64_t bytes = h.in.type.bytes, row = of.width * channels;
  if (bytes == 0 || of.pitch < row * bytes || of.pitch % bytes != 0 || of.pitch > (std::uint64_t(1) << 48) / of.rows) {
    return fail(CL_INVALID_VALUE, "upsweep: the region's pitch must be a whole number of samples, and at least a row");
  }
  *samples = (of.rows - 1) * (of.pitch / bytes) + row;
  return CL_SUCCESS;
}

inline cl_int check_histogram(const Call &call, const Histogram &h, std::uint64_t samples, std::uint64_t all) {
  const auto error = [](bool is_wrong, const char *message) { return is_wrong ? fail(CL_INVALID_VALUE, message) : CL_SUCCESS; };
  const channels &pixel = call.options().pixel;
  return first_error([&] { return error(h.bins == 0 || h.bins > kMostBins, "upsweep: the number of bins must be 1 to 2^24"); },
                     [&] {
                       return error(pixel.of < 1 || pixel.of > 4 || pixel.counted < 1 || pixel.counted > pixel.of,
                                    "upsweep: a pixel must have 1 to 4 channels, and 1 at least is counted");
                     },
                     [&] { return require_number(h.n); }, [&] { return check_counts(call, h); }, [&] { return check_bins(h); },
                     [&] {
                       const array *const levels = h.are == Bins::kOfLevels ? h.levels : nullptr;
                       return require_arrays(call, {reads("the samples", h.in, samples), writes("the counts", h.counts, all),
                                                    reads("the levels", levels, h.bins + 1),
                                                    reads("the weights", if_given(call.options().pixel_weights), h.n.most),
                                                    reads_number(h.n)});
                     },
                     [&] {
                       return h.counts.type.bytes == 8 && !call.device().has_long_atomics
                                  ? fail(CL_INVALID_OPERATION,
                                         "upsweep: counts of 64 bits need 64-bit atomics, which the device does not support")
                                  : CL_SUCCESS;
                     });
}

// Counts have no sign; without weights a table's counts have 32 bits, whatever the type of the call's counts.
inline element_type table_type(const Histogram &h, const Options &options) {
  if (!options.pixel_weights) return type_of<std::uint32_t>::value();
  return h.counts.type.is_integer() ? integer_type(h.counts.type.bytes, false) : h.counts.type;
}

inline Source histogram_source(const Histogram &h, const Options &options) {
  const element_type counts = h.counts.type.is_integer() ? integer_type(h.counts.type.bytes, false) : h.counts.type;
  Source source;
  source.define_type("UPS_IN", h.in.type);
  source.define_type("UPS_COUNT_TYPE", counts);
  source.define_type("UPS_TABLE_TYPE", table_type(h, options));
  source.define("UPS_LONG_COUNTS", counts.bytes == 8 ? 1 : 0);
  source.define("UPS_CHANNELS", options.pixel.of);
  source.define("UPS_COUNTED", options.pixel.counted);
  source.define("UPS_BINS_ARE", static_cast<std::uint64_t>(h.are));
  source.define_type("UPS_LEVEL", h.levels != nullptr ? h.levels->type : type_of<std::uint32_t>::value());
  source.define_type("UPS_BOUND", h.even.type);
  source.define("UPS_SHORT", h.even.is_short ? 1 : 0);
  if (h.are == Bins::kByText) {
    source.define("UPS_BIN(x)", h.bin_of.name + "(x)");
    source.add_function(h.bin_of.text);
  }
  if (options.pixel_weights) source.define_type("UPS_WEIGHT", options.pixel_weights->type);
  source.define("UPS_REGION", h.n.rows ? 1 : 0);
  define_count(source, h.n);
  source.add_kernels(kernels::histogram);
  return source;
}

inline cl_int run_histogram(Call &call, const Histogram &h) {
  const Options &options = call.options();
  const std::uint64_t all = h.bins <= kMostBins ? h.bins * options.pixel.counted : 0;
  std::uint64_t samples = 0;
  const cl_int code = first_error([&] { return find_samples(h, options.pixel.of, &samples); },
                                  [&] { return check_histogram(call, h, samples, all); });
  if (code != CL_SUCCESS) return code;
  const Shape shape = simple_shape(call, 256, 16, true);
  const std::uint64_t table = all * table_type(h, options).bytes;
  const bool is_local = shape.group > 1 && table <= 4 * kLocalBins && 2 * table <= call.device().local_bytes;
  std::uint64_t groups = groups_at_work(call.device(), shape.tiles(h.n.most));
  const bool has_tables = shape.group == 1 && table <= kTableBytes;
  if (has_tables) groups = std::max<std::uint64_t>(1, std::min(groups, kTableBytes / table));
  // A table's counts are below 2^32.
  groups = std::max(groups, h.n.most / UINT32_MAX + 1);
  Source source = histogram_source(h, options);
  source.define("UPS_SHARED", is_local || has_tables ? 0 : 1);
  source.define("UPS_LOCAL_COUNTS", is_local ? all : 1);
  define_shape(source, shape, call.how());
  std::shared_ptr<Program> program;
  cl_mem tables = nullptr;
  return first_error(
      [&] { return call.program(source, &program); }, [&] { return call.scratch(has_tables ? groups * table : 8, &tables); },
      [&] {
        Arguments arguments;
        arguments.add(h.counts).number(cl_ulong(all));
        return call.launch(*program, "ups_clear_counts", arguments, (all + shape.group - 1) / shape.group, shape.group);
      },
      [&] {
        if (h.n.most == 0) return CL_SUCCESS;
        Arguments arguments;
        arguments.add(h.in).add(h.counts);
        h.are == Bins::kOfLevels ? arguments.add(*h.levels) : arguments.none();
        for (const Argument &bound : h.even.bounds) arguments.add(bound);
        arguments.add(h.n).number(cl_ulong(h.bins));
        options.pixel_weights ? arguments.add(*options.pixel_weights) : arguments.none();
        const region rows = h.n.rows ? *h.n.rows : region(h.n.most, 1, 0);
        arguments.number(cl_ulong(rows.width)).number(cl_ulong(rows.pitch / h.in.type.bytes));
        return call.launch(*program, "ups_histogram", arguments.memory(tables), groups, shape.group);
      });
}

}  // namespace detail

}  // namespace upsweep::opencl
