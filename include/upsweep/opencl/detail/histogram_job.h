// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms (kernels/histogram.cl).
#pragma once

#include <upsweep/opencl/detail/simple_call.h>

#include <cmath>
#include <cstdio>

namespace upsweep::opencl::detail {

inline constexpr std::uint64_t kMostBins = std::uint64_t(1) << 24;  // as in the CUDA library
inline constexpr std::uint64_t kLocalBins = 4096;                   // 16 KiB of local memory: two work-groups and more on GPUs
inline constexpr std::uint64_t kTableBytes = std::uint64_t(64) << 20;  // of all tables of work-groups on CPUs

struct Histogram {
  const array &in, &counts;
  const array *levels;
  const element_count &n;
  std::uint64_t bins;
  function bin_of;
};

inline std::string hex_number(double x) {
  char text[64];
  std::snprintf(text, sizeof text, "(%a)", x);
  return text;
}

// The text of a function from a sample to its bin of equal width.
template <class Bound>
cl_int even_bins(const Call &call, const element_type &type, std::uint64_t bins, Bound lower, Bound upper, std::string *text) {
  if (!type.is_number() || bins == 0 || bins > kMostBins || !(lower < upper)) {
    return fail(CL_INVALID_VALUE, "upsweep: samples are numbers, bins 1 to 2^24, and lower below upper");
  }
  const std::string head = "ulong ups_even(" + type.name + " x) {\n  if (!(x >= ", none = ")) return ULONG_MAX;\n  ";
  if (type.is_integer()) {
    if constexpr (std::is_integral_v<Bound>) {
      const bool is_signed = type.lowest != "0";
      if (!is_signed && std::is_signed_v<Bound> && lower < 0) {
        return fail(CL_INVALID_VALUE, "upsweep: a bound below the least sample");
      }
      const std::string as = is_signed ? "long" : "ulong";
      const auto low = static_cast<std::uint64_t>(lower), high = static_cast<std::uint64_t>(upper), width = high - low;
      if (width > UINT64_MAX / bins) return fail(CL_INVALID_VALUE, "upsweep: bins * (upper - lower) is 2^64 or more");
      const std::string a = "((" + as + ")" + std::to_string(low) + "ul)", b = "((" + as + ")" + std::to_string(high) + "ul)";
      *text = "ulong ups_even(" + type.name + " x) {\n  const " + as + " y = x;\n  if (y < " + a + " || y >= " + b +
              ") return ULONG_MAX;\n  return ((ulong)y - (ulong)" + a + ") * " + std::to_string(bins) + "ul / " +
              std::to_string(width) + "ul;\n}";
      return CL_SUCCESS;
    }
    return fail(CL_INVALID_VALUE, "upsweep: bounds of integer samples are integers");
  }
  const double a = static_cast<double>(lower), b = static_cast<double>(upper), scale = static_cast<double>(bins) / (b - a);
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(scale) || !(scale > 0)) {
    return fail(CL_INVALID_VALUE, "upsweep: bounds whose distance is no number");
  }
  const bool has_double = call.device().has_double;
  const std::string number = has_double ? "double" : "float", end = has_double ? "" : "f";
  const auto constant = [&](double x) {
    std::string literal = hex_number(x);
    return has_double ? literal : "((float)" + literal.insert(literal.size() - 1, "f") + ")";
  };
  *text = "ulong ups_even(" + type.name + " x) {\n  const " + number + " y = x;\n  if (!(y >= " + constant(a) + ") || !(y < " +
          constant(b) + ")) return ULONG_MAX;\n  return min((ulong)((y - " + constant(a) + ") * " + constant(scale) +
          "), (ulong)" + std::to_string(bins - 1) + ");\n}";
  return CL_SUCCESS;
}

inline cl_int check_histogram(const Call &call, const Histogram &h, std::uint64_t samples, std::uint64_t all) {
  const auto error = [](bool is_wrong, const char *message) { return is_wrong ? fail(CL_INVALID_VALUE, message) : CL_SUCCESS; };
  const channels &pixel = call.options().pixel;
  return first_error([&] { return error(h.bins == 0 || h.bins > kMostBins, "upsweep: 1 to 2^24 bins"); },
                     [&] {
                       return error(pixel.of < 1 || pixel.of > 4 || pixel.counted < 1 || pixel.counted > pixel.of,
                                    "upsweep: pixels of 1 to 4 samples, of which at least one is counted");
                     },
                     [&] { return require_count(call, h.n, h.counts, all); },
                     [&] {
                       return error(!h.counts.type.is_integer() || h.counts.type.bytes < 4,
                                    "upsweep: counts are integers of 32 or 64 bits");
                     },
                     [&] { return require_array(call, h.in, samples, "the samples"); },
                     [&] { return require_array(call, h.counts, all, "the counts"); },
                     [&] { return require_apart(h.in, samples, h.counts, all, "samples and counts"); },
                     [&] {
                       if (h.levels == nullptr) return error(!h.bin_of.exists(), "upsweep: a function without a name");
                       return first_error(
                           [&] {
                             return error(h.levels->type != h.in.type || !h.in.type.is_number(),
                                          "upsweep: levels are numbers of the samples' type");
                           },
                           [&] { return require_array(call, *h.levels, h.bins + 1, "the levels"); },
                           [&] { return require_apart(*h.levels, h.bins + 1, h.counts, all, "levels and counts"); });
                     },
                     [&] {
                       return h.counts.type.bytes == 8 && !call.device().has_long_atomics
                                  ? fail(CL_INVALID_OPERATION, "upsweep: counts of 64 bits need atomics of 64 bits")
                                  : CL_SUCCESS;
                     });
}

inline cl_int run_histogram(Call &call, const Histogram &h) {
  const channels &pixel = call.options().pixel;
  const std::uint64_t all = h.bins <= kMostBins ? h.bins * pixel.counted : 0;
  cl_int code = check_histogram(call, h, h.n.most * pixel.of, all);
  if (code != CL_SUCCESS) return code;
  const Shape shape = simple_shape(call, 256, 16, true);
  const bool is_local = shape.group > 1 && all <= kLocalBins && all * 8 <= call.device().local_bytes;
  std::uint64_t groups = groups_at_work(call.device(), (h.n.most + shape.tile() - 1) / shape.tile());
  const bool has_tables = shape.group == 1 && all * 4 <= kTableBytes;
  if (has_tables) groups = std::max<std::uint64_t>(1, std::min(groups, kTableBytes / (all * 4)));
  // Counts of a table are below 2^32.
  groups = std::max(groups, h.n.most / UINT32_MAX + 1);
  Source source;
  source.define_type("UPS_IN", h.in.type);
  source.define("UPS_COUNT_TYPE", h.counts.type.bytes == 8 ? "ulong" : "uint");
  if (h.counts.type.bytes == 8) source.define("UPS_LONG_COUNTS", 1);
  source.define("UPS_SHARED", is_local || has_tables ? 0 : 1);
  source.define("UPS_BINS", is_local ? all : 1);
  source.define("UPS_CHANNELS", pixel.of);
  source.define("UPS_COUNTED", pixel.counted);
  if (h.levels != nullptr) {
    source.define_type("UPS_LEVELS", h.levels->type);
  } else {
    source.define("UPS_BIN(x)", h.bin_of.name + "(x)");
    if (call.device().has_double) source.define_type("UPS_ANY_DOUBLE", type_of<double>::value());
    source.add_function(h.bin_of.text);
  }
  define_count(source, h.n);
  define_shape(source, shape, call.how());
  source.add_kernels(kernels::histogram);
  std::shared_ptr<Program> program;
  cl_mem tables = nullptr;
  return first_error(
      [&] { return call.program(source, &program); }, [&] { return call.scratch(has_tables ? groups * all * 4 : 8, &tables); },
      [&] {
        Arguments arguments;
        arguments.add(h.counts).number(cl_ulong(all));
        return call.launch(*program, "ups_clear_counts", arguments, (all + shape.group - 1) / shape.group, shape.group);
      },
      [&] {
        if (h.n.most == 0) return CL_SUCCESS;
        Arguments arguments;
        arguments.add(h.in).add(h.counts);
        h.levels != nullptr ? arguments.add(*h.levels) : arguments.none();
        arguments.add(h.n).number(cl_ulong(h.bins)).memory(tables);
        return call.launch(*program, "ups_histogram", arguments, groups, shape.group);
      });
}

}  // namespace upsweep::opencl::detail
