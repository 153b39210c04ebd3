// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a column. Threads read parts of the text that start after ends of lines. If such an end is inside quotes, the part
// starts inside a record; it is read again when the end of the previous part is known.
#include "cli/files/csv.h"

#include "cli/files/csv_field.h"
#include "cli/files/csv_layout.h"
#include "cli/files/csv_record.h"
#include "cli/files/parallel.h"

#include <algorithm>

namespace upsweep::cli {
namespace {

constexpr size_t kShownBytes = 40;  // of a field that is not a number

struct Part {
  size_t begin = 0, end = 0;
  size_t stop = 0;  // end of the last record
  CsvColumn column{};
  std::vector<size_t> negative_zeros{};  // indices of integers "-0", which have a sign as floating-point numbers
  size_t rows = 0;
  size_t lines = 0;
  std::string error{};  // in line number `lines` of the part
  // The first integer that a column of doubles would round, and its line of the part.
  std::string rounded{};
  size_t rounded_line = 0;
};

void become_real(Part &part) {
  CsvColumn &column = part.column;
  if (column.is_real) return;
  column.reals.assign(column.integers.begin(), column.integers.end());
  for (const size_t i : part.negative_zeros) column.reals[i] = -0.0;
  column.integers.clear();
  column.is_real = true;
}

class PartReader {
public:
  // If the text is cut, its last record goes on behind it, and is not read.
  PartReader(std::string_view text, bool is_cut, const CsvLayout &layout, const CsvOptions &options)
      : text_(text), is_cut_(is_cut), layout_(layout), options_(options) {}

  void read(Part &part) const {
    CsvCursor cursor(text_, part.begin, part.end, layout_.separator);
    while (!cursor.is_done()) {
      const CsvRecord record = cursor.next(layout_.column);
      if (is_cut_ && record.next >= text_.size()) {  // its end is behind the piece, or a part of the end of its line may be
        part.stop = std::max(part.begin, record.begin);
        return;
      }
      if (!record.is_blank && !take(record, part)) return;
      part.lines += record.lines;
    }
    part.stop = std::max(part.begin, cursor.place());
  }

private:
  // False, with an error, if the record is invalid.
  [[nodiscard]] bool take(const CsvRecord &record, Part &part) const {
    if (record.is_open) return fail_at(record.lines, record.columns, "a quoted field has no closing quote", part);
    const bool may_be_short = options_.missing != Missing::kError;
    if (record.columns != layout_.columns && !(may_be_short && record.columns < layout_.columns))
      return fail_at(0, std::min(record.columns, layout_.columns) + (record.columns > layout_.columns ? 1 : 0),
                     fmt::format("the line has {} columns, but the first line has {}", record.columns, layout_.columns), part);
    const bool is_kept = options_.is_text ? add_text(record.field, part) : add_number(record.field, part);
    if (!part.error.empty()) return false;
    if (options_.wants_rows && is_kept) part.column.table.rows.push_back({record.begin, record.end});
    if (!is_kept) part.column.table.skipped.push_back(part.rows);
    ++part.rows;
    return true;
  }

  static bool fail_at(size_t lines_before, size_t column, std::string_view text, Part &part) {
    part.lines += lines_before + 1;
    part.error = fmt::format("column {}: {}", column, text);
    return false;
  }

  bool add_text(std::string_view field, Part &part) const {
    const std::string_view value = value_of(field, layout_.separator);
    double number = 0;
    const bool is_number = parse_number(value, number);
    part.column.numbers += is_number && begins_with_digits(value) ? 1 : 0;  // "Nan" and "Inf" may be names
    part.column.words += is_number || is_missing(value) ? 0 : 1;
    if (options_.missing == Missing::kSkip && is_missing(value)) return false;
    part.column.texts.push_back(unquote(field, layout_.separator));
    return true;
  }

  // Whether an element was added.
  bool add_number(std::string_view field, Part &part) const {
    const std::string_view value = value_of(field, layout_.separator);
    CsvColumn &column = part.column;
    int64_t integer = 0;
    double real = 0;
    if (!column.is_real && parse_number(value, integer)) {
      if (integer == 0 && value.front() == '-') part.negative_zeros.push_back(column.integers.size());
      column.integers.push_back(integer);
      note_rounded(value, static_cast<double>(integer), part);
      return true;
    }
    if (parse_number(value, real)) {
      become_real(part);
      column.reals.push_back(real);
      note_rounded(value, real, part);
      return true;
    }
    if (!is_missing(value))
      return fail_at(0, layout_.column + 1, fmt::format("'{}' is not a number", value.substr(0, kShownBytes)), part);
    if (options_.missing == Missing::kError) {
      const std::string found = value.empty() ? "the field is empty" : fmt::format("'{}' is not a number", value);
      return fail_at(0, layout_.column + 1,
                     found + (options_.may_be_missing ? "; --missing nan or skip treats it as missing"
                                                      : ", and keys and flags cannot be missing"),
                     part);
    }
    if (options_.missing == Missing::kSkip) return false;
    become_real(part);
    column.reals.push_back(std::numeric_limits<double>::quiet_NaN());
    return true;
  }

  void note_rounded(std::string_view value, double number, Part &part) const {
    if (!options_.is_exact || !part.rounded.empty() || !is_rounded_integer(value, number)) return;
    part.rounded = value.substr(0, kShownBytes);
    part.rounded_line = part.lines + 1;
  }

  std::string_view text_;
  bool is_cut_;
  const CsvLayout &layout_;
  const CsvOptions &options_;
};

std::vector<Part> cut(std::string_view text, size_t begin, size_t part_bytes) {
  std::vector<Part> parts;
  while (begin < text.size()) {
    size_t end = text.size();
    if (end - begin > part_bytes) {
      end = std::min(text.find_first_of("\r\n", begin + part_bytes), text.size() - 1) + 1;
      if (text[end - 1] == '\r' && text.substr(end).starts_with('\n')) ++end;
    }
    parts.push_back({.begin = begin, .end = end});
    begin = end;
  }
  return parts;
}

template <class T>
void append(std::vector<T> &to, std::vector<T> &from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

CsvColumn join(std::vector<Part> &parts, bool is_real) {
  CsvColumn all;
  all.is_real = is_real;
  size_t count = 0, rows = 0;
  for (const Part &part : parts) {
    all.is_real |= part.column.is_real;
    count += part.column.integers.size() + part.column.reals.size();
  }
  all.is_real ? all.reals.reserve(count) : all.integers.reserve(count);
  size_t positions = 0;
  for (const Part &part : parts) positions += part.column.table.rows.size();
  all.table.rows.reserve(positions);
  for (Part &part : parts) {
    CsvColumn &column = part.column;
    if (all.is_real) become_real(part);
    append(all.integers, column.integers);
    append(all.reals, column.reals);
    append(all.texts, column.texts);
    all.numbers += column.numbers;
    all.words += column.words;
    append(all.table.rows, column.table.rows);
    for (const uint64_t row : column.table.skipped) all.table.skipped.push_back(rows + row);
    rows += part.rows;
    part = {};
  }
  return all;
}

}  // namespace

Result<CsvColumn> read_records(std::string_view text, size_t end, const CsvLayout &layout, const CsvOptions &options,
                               CsvPlace &place) {
  const std::string_view piece = text.substr(0, end);
  auto parts = cut(piece, place.at, options.part_bytes);
  const PartReader reader(piece, end < text.size(), layout, options);
  share_out(parts.size(), 1, [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) reader.read(parts[i]);
  });
  for (Part &part : parts) {
    if (part.begin != place.at) {
      part = {.begin = place.at, .end = std::max(place.at, part.end)};
      reader.read(part);
    }
    if (place.rounded.empty()) {
      place.rounded = part.rounded;
      place.rounded_line = place.lines + part.rounded_line;
    }
    place.lines += part.lines;
    if (!part.error.empty()) return fail("line {}, {}", place.lines, part.error);
    place.at = part.stop;
  }
  return join(parts, options.is_real);
}

Failure fail_rounded(const CsvLayout &layout, const CsvPlace &place) {
  return fail("line {}, column {}: the integer '{}' would be rounded: the column has values that are no integers of 64 bits",
              place.rounded_line, layout.column + 1, place.rounded);
}

Result<CsvColumn> read_csv(std::string_view text, const CsvOptions &options) {
  const auto layout = find_layout(text, options);
  if (!layout) return Failure(layout.error());
  CsvPlace place{.at = layout->begin, .lines = layout->lines};
  auto column = read_records(text, text.size(), *layout, options, place);
  if (!column) return column;
  if (column->is_real && !place.rounded.empty()) return fail_rounded(*layout, place);
  column->table.text = text.substr(0, layout->begin);
  column->table.line_end = layout->line_end;
  column->table.separator = layout->separator;
  column->table.columns = layout->columns;
  return column;
}

}  // namespace upsweep::cli
