// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distinguishes header lines from rows.
#include "cli/files/csv_layout.h"

#include "cli/files/csv_field.h"
#include "cli/files/csv_record.h"

#include <algorithm>

namespace upsweep::cli {
namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";  // spreadsheets write it
constexpr char kNoSeparator = '"';                      // makes tabs count as blanks
constexpr size_t kShownBytes = 40;                      // of a field

// The fields of the first line.
class FirstLine {
public:
  FirstLine(std::string_view text, const CsvRecord &record, char separator)
      : fields_(fields_of(text, record, separator)), separator_(separator) {}

  [[nodiscard]] std::string_view value(size_t i) const { return value_of(fields_[i], separator_); }
  [[nodiscard]] size_t columns() const { return fields_.size(); }
  // The columns with this name.
  [[nodiscard]] std::vector<size_t> named(std::string_view name) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < columns(); ++i)
      if (trim_blanks(unquote(fields_[i], separator_), kNoSeparator) == trim_blanks(name, kNoSeparator)) found.push_back(i);
    return found;
  }
  // Whether any field is neither a number nor missing.
  [[nodiscard]] bool has_text() const {
    for (size_t i = 0; i < columns(); ++i)
      if (!is_missing(value(i)) && !looks_like_number(value(i))) return true;
    return false;
  }
  // Whether any field is a number with digits.
  [[nodiscard]] bool has_digits() const {
    for (size_t i = 0; i < columns(); ++i)
      if (begins_with_digits(value(i))) return true;
    return false;
  }

private:
  std::vector<std::string_view> fields_;
  char separator_;
};

struct Choice {
  size_t column;
  bool is_name;
};

Result<Choice> choose(const FirstLine &line, const CsvOptions &options) {
  const size_t columns = line.columns();
  if (!options.column) {
    if (columns > 1) return fail("has {} columns; choose one with {} NAME or NUMBER", columns, options.option);
    return Choice{0, false};
  }
  const std::string &wanted = *options.column;
  int64_t number = 0;
  const bool is_number = parse_number(wanted, number);
  const bool is_place = is_number && number >= 1 && static_cast<uint64_t>(number) <= columns;
  // A line of numbers has no names unless no column has this number; a table without a header has no names.
  const bool has_names = options.header != Header::kNo && (options.header == Header::kYes || !is_place || line.has_text());
  const auto named = has_names ? line.named(wanted) : std::vector<size_t>();
  if (named.size() > 1) return fail("has {} columns with the name '{}'; choose one by its number", named.size(), wanted);
  if (named.empty() && is_number && !is_place)
    return fail("has only {} columns, but {} is {}", columns, options.option, wanted);
  if (named.empty() && !is_place) return fail("has no column '{}' in its first line", wanted);
  const auto place = static_cast<size_t>(number - 1);
  if (!named.empty() && is_place && options.header == Header::kAuto && named.front() != place)
    return fail("has a column number {0} and a column named '{0}': --header yes chooses the name, --header no the number",
                wanted);
  return named.empty() ? Choice{place, false} : Choice{named.front(), true};
}

// Whether the line is the header; empty if unclear, since names such as "NA" and "inf" are also values.
std::optional<bool> is_header(const FirstLine &line, const Choice &choice, const CsvOptions &options) {
  if (options.header != Header::kAuto) return options.header == Header::kYes;
  if (choice.is_name) return true;
  const auto value = line.value(choice.column);
  if (begins_with_digits(value)) return false;
  if (line.has_text()) return true;
  if (line.has_digits()) return false;
  return std::nullopt;
}

// Without --header, an ambiguous first line is an error, so that no value is lost silently.
Result<void> check_first_value(const FirstLine &line, const Choice &choice, const CsvOptions &options, size_t number) {
  if (options.header != Header::kAuto || choice.is_name) return {};
  if (options.is_text)
    return fail("line {}, column {}: choose a column of text by its name, or give --header", number, choice.column + 1);
  const auto value = line.value(choice.column);
  const auto header = is_header(line, choice, options);
  if (!header)
    return fail("line {}, column {}: '{}' may be a value or a name; give --header no or --header yes", number,
                choice.column + 1, value.substr(0, kShownBytes));
  double real = 0;
  if (*header || is_missing(value) || parse_number(value, real)) return {};
  return fail("line {}, column {}: '{}' is not a number; if the line is a header, give --header yes", number, choice.column + 1,
              value.substr(0, kShownBytes));
}

}  // namespace

Result<char> parse_separator(std::string_view text) {
  if (text == "\\t") return '\t';
  if (text.size() != 1 || text == "\"" || text == "\n" || text == "\r")
    return misuse("--separator '{}': write one byte, or \\t, but neither a quote nor a line break", text);
  return text.front();
}

Result<CsvLayout> find_layout(std::string_view text, const CsvOptions &options) {
  const auto separator = parse_separator(options.separator);
  if (!separator) return Failure(separator.error());
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return fail("cannot be read: it begins like UTF-16, but tables must be UTF-8");
  CsvLayout layout{.separator = *separator, .begin = text.starts_with(kUtf8Mark) ? kUtf8Mark.size() : 0};
  CsvRecord first{.next = layout.begin};
  while (layout.begin < text.size()) {
    // A cursor looks for quotes and ends of lines up to its end, which would read a large file to its end.
    first = CsvCursor(text, layout.begin, layout.begin + 1, *separator).next(0);
    if (!first.is_blank) break;
    layout.begin = first.next;
    layout.lines += first.lines;
  }
  if (layout.begin >= text.size()) {  // no line has a field
    if (options.column) return fail("has no column '{}': it has no lines", *options.column);
    return layout;
  }
  if (first.is_open)
    return fail("line {}, column {}: a quoted field has no closing quote", layout.lines + first.lines + 1, first.columns);
  const FirstLine line(text, first, *separator);
  const auto choice = choose(line, options);
  if (!choice) return Failure(choice.error());
  if (auto right = check_first_value(line, *choice, options, layout.lines + 1); !right) return Failure(right.error());
  layout.column = choice->column;
  layout.columns = first.columns;
  if (first.next > first.end) layout.line_end = std::string(text.substr(first.end, first.next - first.end));
  if (is_header(line, *choice, options).value_or(false)) {
    layout.begin = first.next;
    layout.lines += first.lines;
  }
  return layout;
}

}  // namespace upsweep::cli
