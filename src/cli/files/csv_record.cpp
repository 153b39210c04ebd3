// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the ends of records. The C library's vector code searches lines without quotes, which are the most common; a loop over
// bytes handles quotes.
#include "cli/files/csv_record.h"

#include <algorithm>

namespace upsweep::cli {
namespace {

bool is_line_end(char letter) { return letter == '\n' || letter == '\r'; }

bool is_blank(char letter, char separator) { return (letter == ' ' || letter == '\t') && letter != separator; }

// Start of the next line, after the line break at `end`.
size_t behind_line_end(std::string_view text, size_t end) {
  if (end >= text.size()) return text.size();
  return end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
}

// Moves `at` from a field's start to its end, and counts the line breaks inside it, none of which is before line_end. False if
// its quote is not closed.
bool find_field_end(std::string_view text, size_t &at, char separator, size_t line_end, size_t &lines) {
  while (at < text.size() && is_blank(text[at], separator)) ++at;
  if (at < text.size() && text[at] == '"') {
    const size_t opening = at;
    for (bool is_inside = true; is_inside;) {
      at = text.find('"', at + 1);
      if (at == std::string_view::npos) {
        at = text.size();
        return false;
      }
      is_inside = ++at < text.size() && text[at] == '"';  // a doubled quote is one quote
    }
    if (at > line_end) lines += count_lines(text.substr(opening, at - opening));
  }
  // A quote in the middle of a field is an ordinary character.
  while (at < text.size() && text[at] != separator && !is_line_end(text[at])) ++at;
  return true;
}

}  // namespace

std::string_view trim_blanks(std::string_view text, char separator) {
  while (!text.empty() && is_blank(text.front(), separator)) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back(), separator)) text.remove_suffix(1);
  return text;
}

std::string unquote(std::string_view field, char separator) {
  const std::string_view quoted = trim_blanks(field, separator);
  if (!quoted.starts_with('"')) return std::string(field);
  std::string text;
  for (size_t i = 1; i < quoted.size(); ++i) {
    if (quoted[i] == '"') {
      if (i + 1 >= quoted.size() || quoted[i + 1] != '"') return text + std::string(quoted.substr(i + 1));
      ++i;
    }
    text += quoted[i];
  }
  return text;
}

size_t count_lines(std::string_view text) {
  size_t lines = 0;
  for (size_t i = 0; i < text.size(); ++i)
    lines += text[i] == '\n' || (text[i] == '\r' && !text.substr(i + 1).starts_with('\n'));
  return lines;
}

size_t CsvCursor::find_next(NextLetter &next) const {
  if (!next.is_known || next.place < at_) {
    next.place = at_ + std::min(text_.substr(at_, end_ - at_).find(next.letter), end_ - at_);
    next.is_known = true;
  }
  return next.place;
}

size_t CsvCursor::find_line_end() {
  const size_t found = std::min(find_next(line_feed_), find_next(carriage_return_));
  return found < end_ ? found : std::min(text_.find_first_of("\r\n", end_), text_.size());
}

void CsvCursor::take_fields(CsvRecord &record, size_t wanted) const {
  const std::string_view line = text_.substr(record.begin, record.end - record.begin);
  record.lines = 1;
  for (size_t begin = 0, end = 0; begin <= line.size(); begin = end + 1) {
    end = std::min(line.find(separator_, begin), line.size());
    if (record.columns++ == wanted) record.field = line.substr(begin, end - begin);
  }
  record.is_blank = record.columns == 1 && trim_blanks(line, separator_).empty();
}

void CsvCursor::take_quoted_fields(CsvRecord &record, size_t wanted) const {
  const size_t line_end = record.end;
  for (size_t at = record.begin;; ++at) {
    const size_t begin = at;
    ++record.columns;
    const bool is_closed = find_field_end(text_, at, separator_, line_end, record.lines);
    if (record.columns == wanted + 1) record.field = text_.substr(begin, at - begin);
    if (is_closed && at < text_.size() && text_[at] == separator_) continue;
    record.is_open = !is_closed;
    record.end = at;
    record.next = behind_line_end(text_, at);
    record.lines += is_closed ? 1 : 0;
    return;
  }
}

std::vector<std::string_view> fields_of(std::string_view text, const CsvRecord &record, char separator) {
  std::vector<std::string_view> fields;
  size_t lines = 0;
  for (size_t at = record.begin; fields.size() < record.columns; ++at) {
    const size_t begin = at;
    find_field_end(text, at, separator, at, lines);
    fields.push_back(text.substr(begin, at - begin));
  }
  return fields;
}

CsvRecord CsvCursor::next(size_t wanted) {
  CsvRecord record{.begin = at_, .end = find_line_end()};
  record.next = behind_line_end(text_, record.end);
  // The line may end after end_, where quotes are not tracked.
  const bool is_quoted = find_next(quote_) < std::min(record.end, end_) ||
                         (record.end > end_ && text_.substr(end_, record.end - end_).find('"') != std::string_view::npos);
  is_quoted ? take_quoted_fields(record, wanted) : take_fields(record, wanted);
  at_ = record.next;
  return record;
}

}  // namespace upsweep::cli
