// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep reduce`: totals of a file, along an axis, or of runs of equal keys.
#include "cli/files/engine.h"
#include "cli/files/heads.h"
#include "cli/files/keep.h"
#include "cli/files/progress.h"
#include "cli/files/sink.h"
#include "cli/files/summary.h"
#include "cli/files/verbs.h"
#include "cli/files/view.h"

#include <algorithm>
#include <cstring>

namespace upsweep::cli {
namespace {

struct Reduction {
  const Array &array;
  Reader &reader;
  Engine &engine;
  Compute compute;
  std::array<std::byte, 8> identity;
  Sink &sink;
  Progress &progress;
};

// Stores totals as elements of the result, from `index`.
Result<void> put(const Reduction &of, size_t index, const void *totals, size_t n) {
  std::byte *stored = of.sink.room(n * of.sink.type().bytes());
  store_elements(of.compute, totals, of.sink.type(), stored, n);
  return of.sink.commit(index, stored, n);
}

Result<void> reduce_line(const Reduction &of, size_t first, size_t length, void *total) {
  std::vector<std::byte> room;
  for (size_t done = 0, n = 0; done < length; done += n) {
    n = std::min(of.engine.step(), length - done);
    const void *values = of.reader.values(first + done, n, of.compute, room);
    if (auto reduced = of.engine.reduce(values, n, total); !reduced) return reduced;
    of.progress.show(first + done + n, of.array.count);
  }
  return {};
}

Result<void> reduce_all(const Reduction &of) {
  alignas(8) std::array<std::byte, 8> total = of.array.count > 0 ? of.engine.nothing() : of.identity;
  return reduce_line(of, 0, of.array.count, total.data()).and_then([&] { return put(of, 0, total.data(), 1); });
}

// Totals of contiguous rows.
Result<void> reduce_rows(const Reduction &of, const AxisView &view) {
  const size_t width = bytes_of(of.compute), rows_at_once = std::max<size_t>(1, of.engine.step() / view.length);
  std::vector<std::byte> totals, room;
  for (size_t row = 0, rows = 0; row < view.batches; row += rows) {
    rows = std::min(rows_at_once, view.batches - row);
    totals.resize(rows * width);
    for (size_t i = 0; i < rows; ++i) std::memcpy(&totals[i * width], of.engine.nothing().data(), width);
    if (view.length > of.engine.step()) {
      if (auto done = reduce_line(of, row * view.length, view.length, totals.data()); !done) return done;
    } else {
      const size_t n = rows * view.length;
      const void *values = of.reader.values(row * view.length, n, of.compute, room);
      if (auto done = of.engine.reduce_rows(values, rows, view.length, totals.data()); !done) return done;
      of.progress.show(row * view.length + n, of.array.count);
    }
    if (auto done = put(of, row, totals.data(), rows); !done) return done;
  }
  return {};
}

// Totals of columns: adds row after row, for a strip of columns at a time.
Result<void> reduce_columns(const Reduction &of, const AxisView &view) {
  const size_t bytes = bytes_of(of.compute);
  std::vector<std::byte> totals, room;
  for (size_t b = 0; b < view.batches; ++b) {
    for (size_t column = 0, width = 0; column < view.inner; column += width) {
      width = std::min(of.engine.step(), view.inner - column);
      totals.resize(width * bytes);
      for (size_t i = 0; i < width; ++i) std::memcpy(&totals[i * bytes], of.engine.nothing().data(), bytes);
      // Whole rows are contiguous, so a single read covers several rows.
      const size_t rows_at_once = width == view.inner ? std::max<size_t>(1, of.engine.step() / width) : 1;
      for (size_t row = 0, rows = 0; row < view.length; row += rows) {
        rows = std::min(rows_at_once, view.length - row);
        const size_t first = (b * view.length + row) * view.inner + column;
        const void *values = of.reader.values(first, rows * width, of.compute, room);
        if (auto done = of.engine.reduce_columns(values, rows, width, totals.data()); !done) return done;
        of.progress.show(first + rows * width, of.array.count);
      }
      if (auto done = put(of, b * view.inner + column, totals.data(), width); !done) return done;
    }
  }
  return {};
}

// Writes the totals of runs, and their keys; returns the number of runs.
Result<size_t> reduce_by_key(const Reduction &of, const Array &keys, Sink *keys_out) {
  const size_t width = bytes_of(of.compute);
  std::vector<uint8_t> flags(of.engine.step());
  std::vector<std::byte> values((of.engine.step() + 1) * width), totals(of.engine.step() * width), room, kept_keys;
  Heads heads(keys);
  const Reader key_reader(keys);
  size_t runs = 0, run_heads = 0;
  for (size_t done = 0, n = 0; done < of.array.count; done += n) {
    n = std::min(of.engine.step(), of.array.count - done);
    heads.find(done, n, flags.data());
    // The element before the values is the running total of the previous piece's last run.
    of.reader.load(done, n, of.compute, &values[width]);
    if (flags[0] == 0) of.engine.combine(&values[width], values.data(), 1);
    if (auto scanned = of.engine.scan_by_flag(flags.data(), &values[width], n); !scanned) return Failure(scanned.error());
    if (keys_out != nullptr) {
      const size_t bytes = keys.type.bytes();
      const std::byte *from = key_reader.bytes(done, n, room);
      std::byte *to = keys_out->room(n * bytes);
      const size_t kept = keep_elements(bytes, from, flags.data(), to, n);
      if (auto stored = keys_out->commit(run_heads, to, kept); !stored) return Failure(stored.error());
      run_heads += kept;
    }
    if (done == 0) flags[0] = 0;  // no run ends before the first element
    const size_t ended = keep_elements(width, values.data(), flags.data(), totals.data(), n);
    if (auto stored = put(of, runs, totals.data(), ended); !stored) return Failure(stored.error());
    runs += ended;
    std::memcpy(values.data(), &values[n * width], width);
    of.progress.show(done + n, of.array.count);
  }
  if (of.array.count == 0) return size_t{0};
  if (auto stored = put(of, runs, values.data(), 1); !stored) return Failure(stored.error());
  return runs + 1;
}

// The destination of the totals' keys; null without --keys-out.
Result<std::unique_ptr<Sink>> make_key_sink(const ReduceOptions &options, const Array &array, const Array &keys) {
  if (options.keys_out.empty()) return std::unique_ptr<Sink>();
  auto sink = Sink::create(options.keys_out, keys.type, 1, array, &keys);
  if (sink && keys.texts)
    if (auto taken = (*sink)->show_texts(keys.texts); !taken) return Failure(taken.error());
  return sink;
}

Result<void> check_options(const ReduceOptions &options) {
  if (options.axis && !options.keys.empty()) return misuse("--axis and --by-key cannot be used together");
  if (!options.keys_out.empty() && options.keys.empty()) return misuse("--keys-out needs --by-key");
  if (!options.keys_out.empty() && options.keys_out == options.out) return misuse("--keys-out and --out are the same file");
  return {};
}

}  // namespace

Result<void> reduce(const ReduceOptions &options) {
  Progress progress("reduce", options.is_quiet);
  Summary summary(options.is_quiet || options.writes_to_stdout());
  if (auto right = check_options(options); !right) return right;
  const auto operation = parse_operation(options.operation);
  if (!operation) return Failure(operation.error());
  const auto array = open_array(options.in, options.input);
  if (!array) return Failure(array.error());
  const auto types = find_types(*operation, array->type, options.dtype);
  if (!types) return Failure(types.error());
  const auto view = options.axis ? view_along(*array, *options.axis) : Result<AxisView>();
  if (!view) return Failure(view.error());
  const bool is_order = *operation == Operation::Min || *operation == Operation::Max;
  if (array->count == 0 && (options.axis || is_order))
    return fail("'{}' has no elements: its shape is {}", array->name, shape_text(array->shape));
  const auto keys = options.keys.empty()
                        ? Result<Array>()
                        : open_keys(options.keys, options.second_input(InputOptions::Text::kIfNotAllNumbers), *array);
  if (!keys) return Failure(keys.error());
  const auto device = WorkDevice::open(options.device);
  if (!device) return Failure(device.error());
  const auto engine = make_engine(*operation, types->compute, device->get());
  if (!engine) return Failure(engine.error());
  if (options.axis && !(*engine)->takes_axis(view->inner)) return fail_axis(*options.axis);
  std::vector<size_t> shape = array->shape;
  options.axis ? static_cast<void>(shape.erase(shape.begin() + static_cast<ptrdiff_t>(view->axis))) : shape.clear();
  auto sink = Sink::create(options.out, types->result, std::max<size_t>(1, shape.size()), *array, &*keys);
  if (!sink) return Failure(sink.error());
  auto key_sink = make_key_sink(options, *array, *keys);
  if (!key_sink) return Failure(key_sink.error());
  Reader reader(*array, options.keys.empty() ? Reader::Order::kOfMemory : Reader::Order::kOfC);
  const Reduction reduction{*array, reader, **engine, types->compute, types->identity, **sink, progress};
  Result<void> done;
  if (!options.keys.empty()) {
    const auto runs = reduce_by_key(reduction, *keys, key_sink->get());
    if (!runs) return Failure(runs.error());
    shape = {*runs};
  } else {
    done = !options.axis      ? reduce_all(reduction)
           : view->inner == 1 ? reduce_rows(reduction, *view)
                              : reduce_columns(reduction, *view);
  }
  if (!done) return done;
  if (auto finished = (*sink)->finish(shape, array->is_fortran); !finished) return finished;
  if (*key_sink)
    if (auto finished = (*key_sink)->finish(shape); !finished) return finished;
  size_t results = 1;
  for (const size_t extent : shape) results *= extent;
  summary.input(*array);
  summary.row("result", fmt::format("{}: {} {}", name_of(*operation), types->result.name(), shape_text(shape)));
  summary.row(shape.empty() ? "value" : "view", shape.empty() ? (*sink)->element(0) : (*sink)->view(results));
  summary.output("file", options.out);
  summary.output("keys", options.keys_out);
  if (*device) summary.row("device", (*device)->times());
  summary.time(array->bytes() + (options.keys.empty() ? 0 : keys->bytes()) + (*sink)->stored_bytes(results));
  if (options.is_quiet && options.out.empty() && shape.empty()) fmt::print("{}\n", (*sink)->element(0));
  return {};
}

}  // namespace upsweep::cli
