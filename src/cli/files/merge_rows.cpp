// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the rows of each file part by part while all threads merge them.
#include "cli/files/merge_rows.h"

#include "cli/files/memory.h"
#include "cli/files/row_parts.h"
#include "cli/files/row_runs.h"
#include "cli/files/row_text.h"
#include "cli/files/sort_records.h"
#include "cli/files/streams.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <upsweep/external/merge.h>

namespace upsweep::cli {
namespace {

constexpr size_t kLeastRows = 256;
constexpr size_t kMostRows = size_t{1} << 15;

Failure named(const MergeInput &input, const Error &error) { return fail("'{}' {}", name_of(input.path), error); }

// Thrown for a table whose column needs another kind of keys. The merge then begins again with this kind.
struct OtherKind {
  KeyKind kind;
};

// The rows of a table, in its order.
class TableRows {
public:
  TableRows(const MergeInput &input, PartsOfRows parts, KeyKind kind, bool is_descending)
      : input_(input), parts_(std::move(parts)), kind_(kind), is_descending_(is_descending) {}

  uint64_t read(Row *to, uint64_t n) {
    while (at_ == keys_.size()) {
      if (parts_.is_done()) {
        if (auto exact = parts_.finish(); !exact) throw StreamError(named(input_, exact.error()).value());
        return 0;
      }
      next_part();
    }
    n = std::min<uint64_t>(n, keys_.size() - at_);
    for (uint64_t i = 0; i < n; ++i, ++at_) to[i] = row_of(parts_.text(), *column_, at_, keys_[at_]);
    return n;
  }
  [[nodiscard]] const PartsOfRows &parts() const { return parts_; }
  // Read bytes of the file, for a thread that does not read.
  [[nodiscard]] size_t place() const { return place_; }

private:
  // A merge has two blocks of a file at a time, so that texts of the part before may still be in use.
  void next_part() {
    before_ = std::move(column_);
    auto column = parts_.next();
    if (!column) throw StreamError(named(input_, column.error()).value());
    if (!*column || parts_.kind() != kind_) throw OtherKind{parts_.kind()};
    column_ = std::move(**column);
    set_keys(*column_, is_descending_, keys_);
    at_ = 0;
    place_ = parts_.place();
    input_.file->give_back();
  }

  const MergeInput &input_;
  PartsOfRows parts_;
  const KeyKind kind_;
  const bool is_descending_;
  std::optional<CsvColumn> before_, column_;
  std::vector<uint64_t> keys_;
  size_t at_ = 0;
  std::atomic<size_t> place_ = 0;
};

class RecordRows {
public:
  RecordRows(const Records &records, bool is_descending) : records_(records), loader_(records, is_descending) {}

  uint64_t read(Row *to, uint64_t n) {
    n = std::min<uint64_t>(n, records_.count - at_);
    keys_.resize(n);
    loader_.load(at_, n, keys_.data());
    for (uint64_t i = 0; i < n; ++i, ++at_) to[i] = records_.row(at_, keys_[i]);
    return n;
  }

private:
  const Records &records_;
  RecordKeys loader_;
  std::vector<uint64_t> keys_;
  size_t at_ = 0;
};

size_t rows_of_block(size_t memory, size_t files, size_t row_bytes) {
  return std::clamp(memory / (8 * files * (sizeof(Row) + row_bytes)), kLeastRows, kMostRows);
}

// Merges the rows of sources behind `head`, and finishes the file. `moved(n)` is told of each step.
template <class Source>
Result<MergedFiles> merge_to(const MergeOptions &options, const std::vector<MergeInput> &inputs,
                             std::vector<std::unique_ptr<Source>> &sources, size_t block, const std::string &head,
                             const std::string &line_end, OutputFile &file, const std::function<void(size_t)> &moved) {
  size_t rows = 0;
  external::background writer, reader;
  RowText out(file, line_end, writer);
  out.append(head);
  external::runs_of<Row> runs;
  for (auto &source : sources)
    runs.push_back(std::make_unique<external::run_reader<Row>>(
        [from = source.get()](Row *to, uint64_t n) { return from->read(to, n); }, block, reader));
  MergedRows merged([&](const Row *from, size_t n) {
    out.append(from, n);
    rows += n;
    moved(rows);
  });
  try {
    external::merge_runs(runs, merged, RowLess{options.is_descending}, cpu::default_pool(),
                         [](uint64_t source, uint64_t row) { throw external::out_of_order(source, row); });
  } catch (const external::out_of_order &error) {
    return fail("'{}' is not sorted: row {} comes before the one ahead of it", name_of(inputs[error.source].path),
                error.element + 1);
  }
  return MergedFiles{rows, out.finish()};
}

// The text before the rows, without the end of its line.
std::string_view header_of(std::string_view text, const CsvLayout &layout) {
  text = text.substr(0, layout.begin);
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

// The text before the rows. Its line break may be missing if the file has only a header.
std::string head_of(const PartsOfRows &parts) {
  std::string head(parts.text().substr(0, parts.layout().begin));
  if (!header_of(parts.text(), parts.layout()).empty() && !head.ends_with('\n') && !head.ends_with('\r'))
    head += parts.layout().line_end;
  return head;
}

Result<void> require_alike(const MergeInput &first, const PartsOfRows &a, const MergeInput &other, const PartsOfRows &b) {
  if (a.layout().columns != b.layout().columns || a.layout().separator != b.layout().separator)
    return fail("'{}' has {} columns, but '{}' has {}", name_of(other.path), b.layout().columns, name_of(first.path),
                a.layout().columns);
  if (header_of(a.text(), a.layout()) != header_of(b.text(), b.layout()))
    return fail("'{}' and '{}' have different headers", name_of(first.path), name_of(other.path));
  return {};
}

Result<MergedFiles> merge_tables_as(KeyKind kind, const MergeOptions &options, const std::vector<MergeInput> &inputs,
                                    Progress &progress) {
  const size_t memory = memory_for_arrays();
  std::vector<std::unique_ptr<TableRows>> sources;
  size_t all_bytes = 0;
  for (const MergeInput &input : inputs) {
    InputOptions wanted = options.input;
    wanted.wants_rows = true;
    wanted.is_exact = true;
    CsvOptions csv = csv_options(input.path, wanted);
    csv.is_real = kind.is_real;
    csv.is_text = kind.is_text;
    const std::string_view text(reinterpret_cast<const char *>(input.file->bytes().data()), input.file->bytes().size());
    auto layout = find_layout(text, csv);
    if (!layout) return named(input, layout.error());
    // A table has two parts in memory while it reads a third one.
    PartsOfRows parts(input.file, csv, std::move(*layout), memory / 4 * 3 / (3 * inputs.size()));
    if (!sources.empty())
      if (auto alike = require_alike(inputs.front(), sources.front()->parts(), input, parts); !alike)
        return Failure(alike.error());
    sources.push_back(std::make_unique<TableRows>(input, std::move(parts), kind, options.is_descending));
    all_bytes += text.size();
  }
  auto file = OutputFile::create(options.out);
  if (!file) return Failure(file.error());
  if (all_bytes > memory) (*file)->write_directly();
  const PartsOfRows &first = sources.front()->parts();
  const auto moved = [&](size_t) {
    size_t read = 0;
    for (const auto &source : sources) read += source->place();
    progress.show_left(read, all_bytes);
  };
  const auto merged = merge_to(options, inputs, sources, rows_of_block(memory, inputs.size(), 0), head_of(first),
                               first.layout().line_end, **file, moved);
  if (!merged) return Failure(merged.error());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const size_t lost = sources[i]->parts().skipped(); lost > 0 && is_same_file(options.out, inputs[i].path))
      return fail("cannot write '{}': it is an input, and {} of its rows would be lost", options.out.string(), lost);
  if (auto finished = (*file)->finish(); !finished) return Failure(finished.error());
  return merged;
}

}  // namespace

Result<MergedFiles> merge_tables(const MergeOptions &options, const std::vector<MergeInput> &inputs, Progress &progress) {
  for (KeyKind kind;;) {
    try {
      return merge_tables_as(kind, options, inputs, progress);
    } catch (const OtherKind &other) {
      kind = other.kind;
    }
  }
}

Result<MergedFiles> merge_records(const MergeOptions &options, const std::vector<MergeInput> &inputs, Progress &progress) {
  if (auto kept = require_npy(options.out); !kept) return Failure(kept.error());
  const size_t memory = memory_for_arrays();
  std::vector<Records> all;
  size_t count = 0;
  for (const MergeInput &input : inputs) {
    auto records = open_records(input.file, options.input);
    if (!records) return named(input, records.error());
    if (records->shape.size() > 1)
      return fail("'{}' has the shape {}; records are merged in one dimension", name_of(input.path),
                  shape_text(records->shape));
    if (!all.empty() && records->type.descr != all.front().type.descr)
      return fail("'{}' has records of type {}, but '{}' of type {}", name_of(input.path), records->type.descr,
                  name_of(inputs.front().path), all.front().type.descr);
    count += records->count;
    all.push_back(std::move(*records));
  }
  std::vector<std::unique_ptr<RecordRows>> sources;
  for (const Records &records : all) sources.push_back(std::make_unique<RecordRows>(records, options.is_descending));
  auto file = OutputFile::create(options.out);
  if (!file) return Failure(file.error());
  if (count * all.front().type.bytes > memory) (*file)->write_directly();
  const auto merged = merge_to(options, inputs, sources, rows_of_block(memory, inputs.size(), all.front().type.bytes),
                               all.front().header(count), "", **file, [&](size_t rows) { progress.show_left(rows, count); });
  if (!merged) return Failure(merged.error());
  if (auto finished = (*file)->finish(); !finished) return Failure(finished.error());
  return merged;
}

}  // namespace upsweep::cli
