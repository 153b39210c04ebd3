// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep merge`: sorted files as one.
#include "cli/files/mapping.h"
#include "cli/files/merge_rows.h"
#include "cli/files/records.h"
#include "cli/files/streams.h"
#include "cli/files/summary.h"
#include "cli/files/table.h"
#include "cli/files/verbs.h"

#include <span>
#include <type_traits>
#include <upsweep/external/merge.h>

namespace upsweep::cli {
namespace {

Result<std::vector<MergeInput>> map_all(const MergeOptions &options) {
  std::vector<MergeInput> inputs;
  inputs.push_back({options.in, {}});
  for (const auto &path : options.more) inputs.push_back({path, {}});
  if (std::ranges::count_if(inputs, is_standard_stream, &MergeInput::path) > 1)
    return misuse("standard input can be only one of the files");
  for (MergeInput &input : inputs) {
    auto file = Mapping::of_file(input.path);
    if (!file) return Failure(file.error());
    input.file = std::move(*file);
  }
  return inputs;
}

Result<std::vector<Array>> open_all(const MergeOptions &options, const std::vector<MergeInput> &inputs) {
  std::vector<Array> arrays;
  for (const MergeInput &each : inputs) {
    InputOptions input = options.input;
    input.is_exact = true;
    auto array = open_array(each.path, each.file, input);
    if (!array) return Failure(array.error());
    arrays.push_back(std::move(*array));
    const ElementType type = arrays.back().type, first = arrays.front().type;
    if (type.native() != first.native())
      return fail("'{}' has elements of type {}, but '{}' of type {}", arrays.back().name, type.name(), arrays.front().name,
                  first.name());
    if (arrays.back().is_text() && arrays.back().table->columns > 1)
      return fail("'{}' has {} columns; its rows can be merged into a file of text", arrays.back().name,
                  arrays.back().table->columns);
  }
  return arrays;
}

// Merges rows of tables or records, if the files have them and the result can hold them.
std::optional<Result<MergedFiles>> merge_whole_rows(const MergeOptions &options, const std::vector<MergeInput> &inputs,
                                                    Progress &progress) {
  if (options.out.empty()) return {};
  const auto bytes = inputs.front().file->bytes();
  if (has_records(bytes)) return merge_records(options, inputs, progress);
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (options.input.raw.empty() && is_table(inputs.front().path, text, options.input) &&
      (is_standard_stream(options.out) || is_text_name(options.out)))
    return merge_tables(options, inputs, progress);
  return {};
}

Result<void> merge_all(const std::vector<Array> &arrays, const MergeOptions &options, uint64_t count, Sink &sink,
                       Progress &progress) {
  std::vector<KeyCodec> codecs;
  for (const Array &array : arrays) codecs.emplace_back(array.type, options.is_descending);
  const external::settings settings = external_settings(options.out, count, progress);
  const KeyCodec &codec = codecs.front();
  try {
    codec.with_type([&](auto key) {
      using T = decltype(key);
      std::vector<KeySource<T>> sources;
      for (size_t i = 0; i < arrays.size(); ++i) sources.emplace_back(arrays[i], codecs[i]);
      const auto store = [&codec](const T *from, size_t n, std::byte *to) {
        codec.store(reinterpret_cast<const std::byte *>(from), n, to);
      };
      ResultSink<T, decltype(store)> result(sink, store);
      if constexpr (std::is_floating_point_v<T>)
        if (codec.is_reversed()) return external::merge<T>(std::span(sources), result, settings, cpu::descending);
      external::merge<T>(std::span(sources), result, settings);
    });
  } catch (const external::out_of_order &error) {
    return fail("'{}' is not sorted: element {} comes before the one ahead of it", arrays[error.source].name, error.element);
  }
  return {};
}

}  // namespace

Result<void> merge(const MergeOptions &options) {
  Progress progress("merge", options.is_quiet);
  Summary summary(options.is_quiet || options.writes_to_stdout());
  const auto inputs = map_all(options);
  if (!inputs) return Failure(inputs.error());
  if (const auto merged = merge_whole_rows(options, *inputs, progress)) {
    if (!*merged) return Failure(merged->error());
    for (const MergeInput &input : *inputs)
      summary.row("input", fmt::format("{}, {} bytes", name_of(input.path), input.file->bytes().size()));
    summary.row("result", fmt::format("{} rows, {}", (*merged)->rows, options.is_descending ? "descending" : "ascending"));
    summary.output("file", options.out);
    summary.time(2 * (*merged)->bytes);
    return {};
  }
  const auto arrays = open_all(options, *inputs);
  if (!arrays) return Failure(arrays.error());
  uint64_t count = 0, bytes = 0;
  for (const Array &array : *arrays) {
    count += array.count;
    bytes += array.bytes();
  }
  const ElementType type = arrays->front().type.native();
  auto sink = Sink::create(options.out, type, 1, arrays->front());
  if (!sink) return Failure(sink.error());
  if (bytes > memory_for_arrays()) (*sink)->write_directly();
  if (auto done = merge_all(*arrays, options, count, **sink, progress); !done) return done;
  if (auto finished = (*sink)->finish({count}); !finished) return finished;
  for (const Array &array : *arrays) summary.input(array);
  summary.row("result",
              fmt::format("merged, {}: {} ({},)", options.is_descending ? "descending" : "ascending", type.name(), count));
  summary.row("view", (*sink)->view(count));
  summary.output("file", options.out);
  summary.time(bytes + (*sink)->stored_bytes(count));
  return {};
}

}  // namespace upsweep::cli
