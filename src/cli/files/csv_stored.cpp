// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a column part by part into a temporary file.
#include "cli/files/csv_stored.h"

#include "cli/files/csv_layout.h"
#include "cli/files/output.h"

#include <algorithm>
#include <optional>

namespace upsweep::cli {
namespace {

constexpr size_t kLeastPart = size_t{1} << 20;
// The numbers of a byte of text: fields of one digit, whose vectors have grown and are joined.
constexpr size_t kBytesOfByte = 16;

class ColumnStore {
public:
  ColumnStore(const Mapping &file, const CsvOptions &options, const CsvLayout &layout, size_t memory)
      : file_(file), text_(reinterpret_cast<const char *>(file.bytes().data()), file.bytes().size()), options_(options),
        layout_(layout), part_(std::max(kLeastPart, memory / kBytesOfByte)) {}

  // Nothing if the numbers must be read again, as doubles.
  Result<std::optional<StoredColumn>> store() {
    auto file = OutputFile::create_unnamed("a temporary file");
    if (!file) return Failure(file.error());
    StoredColumn made{.numbers = {}, .is_real = options_.is_real};
    CsvPlace place{.at = layout_.begin, .lines = layout_.lines};
    for (size_t part = part_; place.at < text_.size();) {
      const size_t before = place.at;
      const auto column = read_records(text_, before + std::min(text_.size() - before, part), layout_, options_, place);
      if (!column) return Failure(column.error());
      if (place.at == before) part *= 2;  // a long row
      if (column->is_real && !made.is_real && made.count > 0) return std::optional<StoredColumn>();
      made.is_real = options_.is_real = column->is_real;
      if (auto added = add(*column, **file, made); !added) return Failure(added.error());
      file_.give_back();
    }
    if (made.is_real && !place.rounded.empty()) return fail_rounded(layout_, place);
    auto numbers = Mapping::of_descriptor((*file)->descriptor(), made.count * sizeof(uint64_t), "a temporary file");
    if (!numbers) return Failure(numbers.error());
    made.numbers = std::move(*numbers);
    return std::optional(std::move(made));
  }

private:
  Result<void> add(const CsvColumn &column, OutputFile &file, StoredColumn &made) const {
    const size_t n = column.is_real ? column.reals.size() : column.integers.size();
    const size_t rows = made.count + made.table.skipped.size();
    for (const uint64_t row : column.table.skipped) made.table.skipped.push_back(rows + row);
    const void *from = column.is_real ? static_cast<const void *>(column.reals.data()) : column.integers.data();
    const size_t at = made.count * sizeof(uint64_t);
    made.count += n;
    return file.write(at, from, n * sizeof(uint64_t));
  }

  const Mapping &file_;
  const std::string_view text_;
  CsvOptions options_;
  const CsvLayout &layout_;
  const size_t part_;
};

}  // namespace

Result<StoredColumn> store_csv(const Mapping &file, CsvOptions options, size_t memory) {
  const std::string_view text(reinterpret_cast<const char *>(file.bytes().data()), file.bytes().size());
  const auto layout = find_layout(text, options);
  if (!layout) return Failure(layout.error());
  auto stored = ColumnStore(file, options, *layout, memory).store();
  if (stored && !*stored) {
    options.is_real = true;
    stored = ColumnStore(file, options, *layout, memory).store();
  }
  if (!stored) return Failure(stored.error());
  CsvTable &table = (*stored)->table;
  table.text = text.substr(0, layout->begin);
  table.line_end = layout->line_end;
  table.separator = layout->separator;
  table.columns = layout->columns;
  return std::move(**stored);
}

}  // namespace upsweep::cli
