// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep histogram`: counts elements in bins of equal width; for pictures, for each channel.
#include <upsweep/cpu/histogram.h>

#include "cli/files/operators.h"
#include "cli/files/progress.h"
#include "cli/files/reader.h"
#include "cli/files/sink.h"
#include "cli/files/summary.h"
#include "cli/files/verbs.h"
#include "cli/files/view.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace upsweep::cli {
namespace {

struct Bins {
  double least, most, scale;
  uint64_t bins;
  std::vector<double> edges;

  Bins(double from, double to, uint64_t count)
      : least(from), most(to), scale(static_cast<double>(count) / (to - from)), bins(count), edges(count + 1, to) {
    for (uint64_t i = 0; i < count; ++i) edges[i] = from + (to - from) * (static_cast<double>(i) / static_cast<double>(count));
  }
};

// Bin i contains the numbers from edge i up to but excluding edge i + 1; the last bin includes its end.
struct FindBin {
  double least, most, scale;
  uint64_t bins;
  const double *edges;

  explicit FindBin(const Bins &of) : least(of.least), most(of.most), scale(of.scale), bins(of.bins), edges(of.edges.data()) {}
  uint64_t operator()(double x) const {
    if (!(x >= least && x <= most)) return bins;
    const uint64_t i = std::min(static_cast<uint64_t>((x - least) * scale), bins - 1);
    // The product is rounded, so check the edges.
    if (x < edges[i]) return i - 1;
    return i + 1 < bins && x >= edges[i + 1] ? i + 1 : i;
  }
};

// Whether doubles can represent bins of this width.
bool is_wide_enough(double least, double most, uint64_t bins) {
  const double width = (most - least) / static_cast<double>(bins);
  return std::isfinite(most - least) && std::isfinite(1 / width) && most - width < most && least + width > least;
}

Result<Bins> parse_range(std::string_view text, uint64_t bins) {
  const size_t comma = std::min(text.find(','), text.size());
  const auto number = [](std::string_view part, double &value) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return !part.empty() && error == std::errc{} && end == part.data() + part.size() && std::isfinite(value);
  };
  double least = 0, most = 0;
  if (comma == text.size() || !number(text.substr(0, comma), least) || !number(text.substr(comma + 1), most) ||
      !(least < most) || !is_wide_enough(least, most, bins))
    return misuse("--range {}: write two numbers a,b with a < b, far enough apart for {} bins", text, bins);
  return Bins(least, most, bins);
}

// Bins from the least to the greatest element; NaNs are ignored.
Result<Bins> find_range(const Array &array, Reader &reader, uint64_t bins) {
  if (array.count == 0) return Bins(0, 1, bins);
  alignas(8) double ends[2];
  const Operator *operators[2] = {find_operator(Operation::Min, Compute::F64), find_operator(Operation::Max, Compute::F64)};
  for (int i = 0; i < 2; ++i) std::memcpy(&ends[i], operators[i]->nothing.data(), sizeof(double));
  std::vector<std::byte> room;
  for (size_t done = 0, n = 0; done < array.count; done += n) {
    n = std::min(kStepElements, array.count - done);
    const void *values = reader.values(done, n, Compute::F64, room);
    for (int i = 0; i < 2; ++i) operators[i]->reduce(values, n, &ends[i]);
  }
  if (std::isnan(ends[0])) return fail("'{}' has only NaNs", array.name);
  if (!std::isfinite(ends[1] - ends[0]))
    return fail("'{}' has infinite elements or too wide a range; choose a range with --range", array.name);
  if (ends[0] == ends[1]) {
    ends[0] -= 0.5;
    ends[1] += 0.5;
  }
  if (!is_wide_enough(ends[0], ends[1], bins))
    return fail("'{}' has elements from {} to {}, too close together for {} bins", array.name, ends[0], ends[1], bins);
  return Bins(ends[0], ends[1], bins);
}

// The counts of all channels, one channel after another.
std::vector<uint64_t> count(const Array &array, Reader &reader, size_t channels, const Bins &range, Progress &progress) {
  std::vector<uint64_t> counts(channels * range.bins), step(range.bins);
  std::vector<std::byte> room;
  std::vector<double> channel;
  const size_t at_once = kStepElements / channels * channels;
  for (size_t done = 0, n = 0; done < array.count; done += n) {
    n = std::min(at_once, array.count - done);
    const auto *values = static_cast<const double *>(reader.values(done, n, Compute::F64, room));
    for (size_t c = 0; c < channels; ++c) {
      const double *of_channel = values;
      if (channels > 1) {
        channel.clear();
        for (size_t i = c; i < n; i += channels) channel.push_back(values[i]);
        of_channel = channel.data();
      }
      cpu::histogram(of_channel, step.data(), range.bins, n / channels, FindBin(range));
      for (size_t b = 0; b < range.bins; ++b) counts[c * range.bins + b] += step[b];
    }
    progress.show(done + n, array.count);
  }
  return counts;
}

}  // namespace

Result<void> histogram(const HistogramOptions &options) {
  Progress progress("histogram", options.is_quiet);
  Summary summary(options.is_quiet || options.writes_to_stdout());
  const auto array = open_array(options.in, options.input);
  if (!array) return Failure(array.error());
  const size_t channels = array->is_picture && array->shape.size() == 3 ? array->shape[2] : 1;
  Reader reader(*array, Reader::Order::kOfMemory);
  const double values_of_picture = array->type.bytes() == 1 ? 256 : 65536;
  const auto range = !options.range.empty() ? parse_range(options.range, options.bins)
                     : array->is_picture    ? Result<Bins>(Bins(0, values_of_picture, options.bins))
                                            : find_range(*array, reader, options.bins);
  if (!range) return Failure(range.error());
  auto sink = Sink::create(options.out, {Scalar::ULong}, 2, *array);
  if (!sink) return Failure(sink.error());
  const auto counts = count(*array, reader, channels, *range, progress);
  std::byte *to = (*sink)->room(counts.size() * sizeof(uint64_t));
  std::memcpy(to, counts.data(), counts.size() * sizeof(uint64_t));
  if (auto stored = (*sink)->commit(0, to, counts.size()); !stored) return stored;
  const auto shape = channels > 1 ? std::vector<size_t>{channels, options.bins} : std::vector<size_t>{options.bins};
  if (auto finished = (*sink)->finish(shape); !finished) return finished;
  uint64_t counted = 0;
  for (const uint64_t n : counts) counted += n;
  summary.input(*array);
  summary.row("result", fmt::format("counts in {} bins from {} to {}: uint64 {}; {} elements lie outside", options.bins,
                                    range->least, range->most, shape_text(shape), array->count - counted));
  summary.row("view", (*sink)->view(counts.size()));
  summary.output("file", options.out);
  summary.time(array->bytes() + (*sink)->stored_bytes(counts.size()));
  return {};
}

}  // namespace upsweep::cli
