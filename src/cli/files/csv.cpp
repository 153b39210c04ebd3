// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a column: the text is cut at ends of lines, all threads read parts, and the parts are joined.
#include "cli/files/csv.h"

#include "cli/files/parallel.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace upsweep::cli {
namespace {

constexpr size_t kPartBytes = size_t{1} << 20;
constexpr size_t kShownBytes = 40;  // of a field that is no number

// Takes a line off the text, without its end.
std::string_view take_line(std::string_view &text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Takes a field off the line; none when its quotes do not end.
std::optional<std::string_view> take_field(std::string_view &line, char separator, bool &is_last) {
  size_t end = 0;
  const std::string_view start = trim(line);
  if (start.starts_with('"')) {
    end = static_cast<size_t>(start.data() - line.data()) + 1;
    while (true) {
      end = line.find('"', end);
      if (end == std::string_view::npos) return std::nullopt;
      if (end + 1 >= line.size() || line[end + 1] != '"') break;
      end += 2;  // two quotes stand for one
    }
  }
  end = std::min(line.find(separator, end), line.size());
  std::string_view field = trim(line.substr(0, end));
  is_last = end == line.size();
  line.remove_prefix(std::min(end + 1, line.size()));
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"') field = trim(field.substr(1, field.size() - 2));
  return field;
}

template <class T>
bool parse_number(std::string_view text, T &value) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && end == text.data() + text.size() && error == std::errc{};
}

struct Part {
  CsvColumn column;
  size_t lines = 0;
  std::string error;  // in the last of `lines`
};

struct Layout {
  size_t field = 0;
  char separator = ',';
};

// The field in its column, or an error.
Result<std::string_view> find_field(std::string_view line, const Layout &layout) {
  bool is_last = false;
  for (size_t i = 0;; ++i) {
    const auto field = take_field(line, layout.separator, is_last);
    if (!field) return fail("a quote does not end in its line");
    if (i == layout.field) return *field;
    if (is_last) return fail("there are {} columns, and number {} is wanted", i + 1, layout.field + 1);
  }
}

bool add(std::string_view field, CsvColumn &column) {
  int64_t integer = 0;
  if (!column.is_real && parse_number(field, integer)) {
    column.integers.push_back(integer);
    return true;
  }
  double real = 0;
  if (!parse_number(field, real)) return false;
  if (!column.is_real) {
    column.reals.assign(column.integers.begin(), column.integers.end());
    column.integers.clear();
    column.is_real = true;
  }
  column.reals.push_back(real);
  return true;
}

void read_part(std::string_view text, const Layout &layout, Part &part) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    ++part.lines;
    if (trim(line).empty()) continue;
    const auto field = find_field(line, layout);
    if (field && add(*field, part.column)) continue;
    part.error = !field           ? field.error()
                 : field->empty() ? std::string("the field is empty")
                                  : fmt::format("'{}' is no number", field->substr(0, kShownBytes));
    return;
  }
}

std::vector<std::string_view> cut(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = text.size() <= kPartBytes ? text.size() : std::min(text.find('\n', kPartBytes), text.size() - 1) + 1;
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return parts;
}

// The column's place, by the first line.
Result<size_t> find_column(std::string_view line, const CsvOptions &options) {
  std::vector<std::string_view> names;
  for (bool is_last = false; !is_last;) {
    const auto field = take_field(line, options.separator.front(), is_last);
    if (!field) return fail("line 1: a quote does not end in its line");
    names.push_back(*field);
  }
  size_t number = 0;
  const auto named = std::ranges::find(names, std::string_view(options.column));
  if (options.column.empty()) {
    if (names.size() > 1) return fail("has {} columns; choose one with --column NAME or NUMBER", names.size());
    return size_t{0};
  }
  if (named != names.end()) return static_cast<size_t>(named - names.begin());
  if (!parse_number(options.column, number)) return fail("has no column '{}' in its first line", options.column);
  if (number == 0 || number > names.size()) return fail("has {} columns, and --column is {}", names.size(), options.column);
  return number - 1;
}

CsvColumn join(std::vector<Part> &parts) {
  CsvColumn all;
  size_t count = 0;
  for (const Part &part : parts) {
    all.is_real |= part.column.is_real;
    count += part.column.integers.size() + part.column.reals.size();
  }
  all.is_real ? all.reals.reserve(count) : all.integers.reserve(count);
  for (Part &part : parts) {
    auto &[is_real, integers, reals] = part.column;
    if (!all.is_real) all.integers.insert(all.integers.end(), integers.begin(), integers.end());
    if (all.is_real) all.reals.insert(all.reals.end(), integers.begin(), integers.end());
    all.reals.insert(all.reals.end(), reals.begin(), reals.end());
    part = {};
  }
  return all;
}

}  // namespace

Result<CsvColumn> read_csv(std::string_view text, const CsvOptions &options) {
  if (options.separator.size() != 1) return fail("cannot be read: --separator '{}' is not one byte", options.separator);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // the mark of UTF-8 that spreadsheets write
  std::string_view rest = text;
  const std::string_view first = take_line(rest);
  const auto field = find_column(first, options);
  if (!field) return Failure(field.error());
  const Layout layout{*field, options.separator.front()};
  double value = 0;
  const auto first_field = find_field(first, layout);
  const bool has_header = first_field && !first_field->empty() && !parse_number(*first_field, value);
  const auto texts = cut(has_header ? rest : text);
  std::vector<Part> parts(texts.size());
  share_out(parts.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) read_part(texts[i], layout, parts[i]);
  });
  size_t lines = has_header ? 1 : 0;
  for (const Part &part : parts) {
    lines += part.lines;
    if (!part.error.empty()) return fail("line {}: {}", lines, part.error);
  }
  return join(parts);
}

}  // namespace upsweep::cli
