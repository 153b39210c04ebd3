// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep scan`: running totals of a file.
#include "cli/files/scan_steps.h"
#include "cli/files/summary.h"
#include "cli/files/verbs.h"

namespace upsweep::cli {

Result<void> scan(const ScanOptions &options) {
  Progress progress("scan", options.is_quiet);
  Summary summary(options.is_quiet || options.writes_to_stdout());
  if (options.axis && !options.keys.empty()) return misuse("--axis and --by-key cannot be used together");
  const auto operation = parse_operation(options.operation);
  if (!operation) return Failure(operation.error());
  const auto array = open_array(options.in, options.input);
  if (!array) return Failure(array.error());
  const auto types = find_types(*operation, array->type, options.dtype);
  if (!types) return Failure(types.error());
  const auto view = options.axis ? view_along(*array, *options.axis) : Result<AxisView>();
  if (!view) return Failure(view.error());
  auto keys = options.keys.empty()
                  ? Result<Array>()
                  : open_keys(options.keys, options.second_input(InputOptions::Text::kIfNotAllNumbers), *array);
  if (!keys) return Failure(keys.error());
  const auto device = WorkDevice::open(options.device);
  if (!device) return Failure(device.error());
  const auto engine = make_engine(*operation, types->compute, device->get());
  if (!engine) return Failure(engine.error());
  if (options.axis && !(*engine)->takes_axis(view->inner)) return fail_axis(*options.axis);
  auto sink = Sink::create(options.out, types->result, options.axis ? array->shape.size() : 1, *array, &*keys);
  if (!sink) return Failure(sink.error());
  Reader reader(*array, options.axis ? Reader::Order::kOfMemory : Reader::Order::kOfC);
  ScanSteps steps(
      {*array, reader, **engine, types->compute, types->identity, options.is_exclusive, options.is_backward, **sink, progress});
  Heads heads(*keys);
  auto done = options.axis ? steps.scan_axis(*view) : !options.keys.empty() ? steps.scan_by_key(heads) : steps.scan_all();
  if (!done) return done;
  const auto shape = options.axis ? array->shape : std::vector<size_t>{array->count};
  if (auto finished = (*sink)->finish(shape, options.axis && array->is_fortran); !finished) return finished;
  summary.input(*array);
  summary.row("result", fmt::format("{}, {}{}: {} {}", name_of(*operation), options.is_exclusive ? "exclusive" : "inclusive",
                                    options.is_backward ? ", backward" : "", types->result.name(), shape_text(shape)));
  summary.row("view", (*sink)->view(array->count));
  summary.output("file", options.out);
  if (*device) summary.row("device", (*device)->times());
  summary.time(array->bytes() + (options.keys.empty() ? 0 : keys->bytes()) + (*sink)->stored_bytes(array->count));
  return {};
}

}  // namespace upsweep::cli
