// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep sort`: sorts elements, their indices, or elements by other keys.
#include "cli/files/heads.h"
#include "cli/files/mapping.h"
#include "cli/files/parallel.h"
#include "cli/files/progress.h"
#include "cli/files/sink.h"
#include "cli/files/sort_external.h"
#include "cli/files/sort_keys.h"
#include "cli/files/sort_records.h"
#include "cli/files/sort_rows.h"
#include "cli/files/sorted_rows.h"
#include "cli/files/summary.h"
#include "cli/files/table.h"
#include "cli/files/verbs.h"
#include "cli/files/view.h"

#include <cstring>
#include <limits>

namespace upsweep::cli {
namespace {

constexpr size_t kPiece = size_t{1} << 14;

// Stores the result in steps; fill(begin, n, to) generates a step.
template <class Fill>
Result<void> store(Sink &sink, size_t count, Progress &progress, const Fill &fill) {
  const size_t bytes = sink.type().bytes();
  progress.begin_step();
  for (size_t done = 0, n = 0; done < count; done += n) {
    n = std::min(kStepElements, count - done);
    std::byte *to = sink.room(n * bytes);
    fill(done, n, to);
    if (auto stored = sink.commit(done, to, n); !stored) return stored;
    progress.show(done + n, count);
  }
  return {};
}

template <size_t kBytes>
void gather(const std::byte *from, const auto *indices, std::byte *to, size_t n) {
  share_out(n, kPiece, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) std::memcpy(to + i * kBytes, from + indices[i] * kBytes, kBytes);
  });
}

template <class Index>
Result<void> store_by_index(const SortOptions &options, const Array &array, Keys &keys, WorkDevice *device, Sink &sink,
                            Progress &progress) {
  std::vector<Index> indices;
  if (auto done = keys.sort(indices, device, progress); !done) return done;
  if (options.wants_indices) {
    constexpr Compute kIndex = sizeof(Index) == 4 ? Compute::U32 : Compute::U64;
    return store(sink, array.count, progress,
                 [&](size_t begin, size_t n, std::byte *to) { store_elements(kIndex, &indices[begin], sink.type(), to, n); });
  }
  std::vector<std::byte> room;
  const std::byte *from = Reader(array).bytes(0, array.count, room);
  return store(sink, array.count, progress, [&](size_t begin, size_t n, std::byte *to) {
    switch (array.type.bytes()) {
    case 1: return gather<1>(from, &indices[begin], to, n);
    case 2: return gather<2>(from, &indices[begin], to, n);
    case 4: return gather<4>(from, &indices[begin], to, n);
    default: return gather<8>(from, &indices[begin], to, n);
    }
  });
}

// Writes indices or elements to the sink.
Result<void> sort_to(const SortOptions &options, const Array &array, const Array &by, WorkDevice *device, Sink &sink,
                     Progress &progress) {
  if (device == nullptr && exceeds_memory(options, array, by)) return sort_externally(options, array, by, sink, progress);
  Keys keys(by, options.is_descending);
  progress.show(0, array.count);
  if (!options.wants_indices && options.keys.empty()) {
    if (auto done = keys.sort(device, progress); !done) return done;
    return store(sink, array.count, progress, [&](size_t begin, size_t n, std::byte *to) { keys.take(begin, n, to); });
  }
  return array.count <= std::numeric_limits<uint32_t>::max()
             ? store_by_index<uint32_t>(options, array, keys, device, sink, progress)
             : store_by_index<uint64_t>(options, array, keys, device, sink, progress);
}

// Whether the result is all rows of the input table instead of one column.
bool keeps_rows(const SortOptions &options, const Array &array) {
  if (options.wants_indices || options.out.empty() || !array.is_text()) return false;
  return is_standard_stream(options.out) || is_text_name(options.out);
}

// The name of a table must not promise another separator than that of its rows.
Result<void> keeps_separator(const SortOptions &options, char separator) {
  const bool has_kind = kind_of(options.out) == ".csv" || kind_of(options.out) == ".tsv";
  if (!has_kind || separator == separator_of(options.out) || kind_of(options.out) == kind_of(options.in)) return {};
  return fail("cannot write '{}': rows keep their separator '{}'; give the file a name that ends in .txt", options.out.string(),
              separator == '\t' ? "\\t" : std::string(1, separator));
}

Result<void> sort_table(const SortOptions &options, const Array &array, const Array &by, WorkDevice *device,
                        Progress &progress) {
  if (!array.table->skipped.empty() && is_same_file(options.out, array.path))
    return fail("cannot write '{}': it is the input, and {} of its rows would be lost", options.out.string(),
                array.table->skipped.size());
  if (is_same_file(options.out, by.path) && !is_same_file(options.out, array.path))
    return fail("cannot write '{}': it holds the keys, which would be lost", options.out.string());
  if (auto kept = keeps_separator(options, array.table->separator); !kept) return kept;
  auto file = OutputFile::create(options.out);
  if (!file) return Failure(file.error());
  Keys keys(by, options.is_descending);
  std::vector<uint64_t> order;
  if (auto done = keys.sort(order, device, progress); !done) return done;
  return write_rows(array, order, **file);
}

// Returns the number of stored bytes.
Result<size_t> sort_elements(const SortOptions &options, const Array &array, const Array &by, WorkDevice *device,
                             Progress &progress, Summary &summary) {
  // Elements that are sorted by other keys keep their bytes; sorted elements are in native byte order.
  const ElementType type = options.wants_indices  ? ElementType{Scalar::Long}
                           : options.keys.empty() ? array.type.native()
                                                  : array.type;
  auto sink = Sink::create(options.out, type, 1, array, &by);
  if (!sink) return Failure(sink.error());
  if (array.texts && !options.wants_indices)
    if (auto taken = (*sink)->show_texts(array.texts); !taken) return Failure(taken.error());
  if (auto done = sort_to(options, array, by, device, **sink, progress); !done) return Failure(done.error());
  if (auto finished = (*sink)->finish({array.count}); !finished) return Failure(finished.error());
  summary.input(array);
  summary.row("result", fmt::format("{}, {}: {} ({},)", options.wants_indices ? "indices" : "sorted",
                                    options.is_descending ? "descending" : "ascending", type.name(), array.count));
  summary.row("view", (*sink)->view(array.count));
  return (*sink)->stored_bytes(array.count);
}

// Whether the result is all rows of a table that is too large for a sort in memory.
bool is_large_table(const SortOptions &options, const Mapping &file, const InputOptions &input) {
  if (options.out.empty() || options.wants_indices || !options.keys.empty() || !options.device.empty()) return false;
  const std::string_view text(reinterpret_cast<const char *>(file.bytes().data()), file.bytes().size());
  return (is_standard_stream(options.out) || is_text_name(options.out)) && is_table(options.in, text, input) &&
         exceeds_memory(text);
}

Result<void> sort_large_table(const SortOptions &options, const std::shared_ptr<const Mapping> &file, const InputOptions &input,
                              Progress &progress, Summary &summary) {
  const CsvOptions csv = csv_options(options.in, input);
  if (auto kept = keeps_separator(options, csv.separator == "\\t" ? '\t' : csv.separator.front()); !kept) return kept;
  const auto sorted = sort_rows_externally(options, file, csv, progress);
  if (!sorted) return Failure(sorted.error());
  summary.row("input", fmt::format("{}, a table of {} bytes", name_of(options.in), file->bytes().size()));
  summary.row("result", fmt::format("{} rows of {} columns, {}", sorted->rows, sorted->columns,
                                    options.is_descending ? "descending" : "ascending"));
  summary.output("file", options.out);
  summary.time(file->bytes().size() + sorted->bytes);
  return {};
}

Result<void> sort_all_records(const SortOptions &options, const std::shared_ptr<const Mapping> &file, Progress &progress,
                              Summary &summary) {
  const auto records = open_records(file, options.input);
  if (!records) return fail("'{}' {}", name_of(options.in), records.error());
  if (records->shape.size() > 1)
    return fail("'{}' has the shape {}; records are sorted in one dimension", name_of(options.in), shape_text(records->shape));
  if (auto done = sort_records(options, *records, progress); !done) return done;
  summary.row("input", fmt::format("{}, {} records of {} bytes", name_of(options.in), records->count, records->type.bytes));
  summary.row("result", fmt::format("by '{}', {}", records->field.name, options.is_descending ? "descending" : "ascending"));
  summary.output("file", options.out);
  summary.time(2 * records->bytes());
  return {};
}

}  // namespace

Result<void> sort(const SortOptions &options) {
  Progress progress("sort", options.is_quiet);
  Summary summary(options.is_quiet || options.writes_to_stdout());
  const bool may_keep_rows = !options.out.empty() && !options.wants_indices;
  InputOptions input = options.input;
  input.text = InputOptions::Text::kIfNoNumbers;
  input.wants_rows = may_keep_rows;
  input.is_exact = options.keys.empty();
  const auto file = Mapping::of_file(options.in);
  if (!file) return Failure(file.error());
  if (is_large_table(options, **file, input)) return sort_large_table(options, *file, input, progress, summary);
  if (may_keep_rows && options.keys.empty() && options.device.empty() && has_records((*file)->bytes()))
    return sort_all_records(options, *file, progress, summary);
  const auto array = open_array(options.in, *file, input);
  if (!array) return Failure(array.error());
  const auto by =
      options.keys.empty() ? array : open_keys(options.keys, options.second_input(InputOptions::Text::kIfNoNumbers), *array);
  if (!by) return Failure(by.error());
  const auto device = WorkDevice::open(options.device);
  if (!device) return Failure(device.error());
  size_t stored_bytes = 0;
  if (keeps_rows(options, *array)) {
    if (auto done = sort_table(options, *array, *by, device->get(), progress); !done) return done;
    summary.input(*array);
    summary.row("result", fmt::format("{} rows of {} columns, {}", array->count, array->table->columns,
                                      options.is_descending ? "descending" : "ascending"));
  } else {
    const auto stored = sort_elements(options, *array, *by, device->get(), progress, summary);
    if (!stored) return Failure(stored.error());
    stored_bytes = *stored;
  }
  summary.output("file", options.out);
  if (*device) summary.row("device", (*device)->times());
  summary.time(array->bytes() + (options.keys.empty() ? 0 : by->bytes()) + stored_bytes);
  return {};
}

}  // namespace upsweep::cli
