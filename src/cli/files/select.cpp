// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep select`: keeps the elements that a comparison or flags select.
#include "cli/files/device_compact.h"
#include "cli/files/heads.h"
#include "cli/files/keep.h"
#include "cli/files/progress.h"
#include "cli/files/sink.h"
#include "cli/files/summary.h"
#include "cli/files/verbs.h"
#include "cli/files/view.h"

#include <algorithm>

namespace upsweep::cli {
namespace {

constexpr Comparison kNotZero{.least = 0, .most = 0, .is_negated = true};

// Processes the array in steps; keep(begin, n, to) writes the kept elements of a step and returns their number.
template <class Keep>
Result<size_t> select_in_steps(const Array &array, size_t step, Sink &sink, Progress &progress, const Keep &keep) {
  size_t total = 0;
  for (size_t done = 0, n = 0; done < array.count; done += n) {
    n = std::min(step, array.count - done);
    std::byte *to = sink.room(n * array.type.bytes());
    Result<size_t> kept = keep(done, n, to);
    if (!kept) return kept;
    if (auto stored = sink.commit(total, to, *kept); !stored) return Failure(stored.error());
    total += *kept;
    progress.show(done + n, array.count);
  }
  return total;
}

Result<size_t> select_by_threads(const Comparison &comparison, const Array &array, const Array &flags, Sink &sink,
                                 Progress &progress) {
  const Reader reader(array), flag_reader(flags);
  std::vector<std::byte> room, flag_room;
  std::vector<uint8_t> kept(kStepElements);
  return select_in_steps(array, kStepElements, sink, progress, [&](size_t begin, size_t n, std::byte *to) {
    comparison.find(flags.type, flag_reader.bytes(begin, n, flag_room), kept.data(), n);
    return keep_elements(array.type.bytes(), reader.bytes(begin, n, room), kept.data(), to, n);
  });
}

Result<size_t> select_on_device(WorkDevice &device, const Comparison &comparison, const Array &array, const Array &flags,
                                Sink &sink, Progress &progress) {
  const Reader reader(array), flag_reader(flags);
  std::vector<std::byte> room, flag_room;
  DeviceSelect select(device, array.type, flags.type, flags.data != array.data, comparison);
  return select_in_steps(array, WorkDevice::kStep, sink, progress, [&](size_t begin, size_t n, std::byte *to) {
    return select.keep(reader.bytes(begin, n, room), flag_reader.bytes(begin, n, flag_room), to, n);
  });
}

}  // namespace

Result<void> select(const SelectOptions &options) {
  Progress progress("select", options.is_quiet);
  Summary summary(options.is_quiet || options.writes_to_stdout());
  if (options.where.empty() == options.flags.empty()) return misuse("give either --where or --flags");
  const auto comparison = options.where.empty() ? Result<Comparison>(kNotZero) : parse_comparison(options.where);
  if (!comparison) return Failure(comparison.error());
  const auto array = open_array(options.in, options.input);
  if (!array) return Failure(array.error());
  const auto flags =
      options.flags.empty() ? array : open_keys(options.flags, options.second_input(InputOptions::Text::kRefused), *array);
  if (!flags) return Failure(flags.error());
  const auto device = WorkDevice::open(options.device);
  if (!device) return Failure(device.error());
  auto sink = Sink::create(options.out, array->type, 1, *array, &*flags);
  if (!sink) return Failure(sink.error());
  const auto total = *device ? select_on_device(**device, *comparison, *array, *flags, **sink, progress)
                             : select_by_threads(*comparison, *array, *flags, **sink, progress);
  if (!total) return Failure(total.error());
  if (auto finished = (*sink)->finish({*total}); !finished) return finished;
  summary.input(*array);
  summary.row("result", fmt::format("{} of {} elements", *total, array->count));
  summary.row("view", (*sink)->view(*total));
  summary.output("file", options.out);
  if (*device) summary.row("device", (*device)->times());
  summary.time(array->bytes() + (options.flags.empty() ? 0 : flags->bytes()) + (*sink)->stored_bytes(*total));
  return {};
}

}  // namespace upsweep::cli
