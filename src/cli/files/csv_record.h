// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of a text table in the form of RFC 4180: fields between separators. A record ends with LF, CR LF or CR. A field in
// double quotes may contain separators, line breaks and doubled quotes.
#ifndef UPSWEEP_CLI_FILES_CSV_RECORD_H
#define UPSWEEP_CLI_FILES_CSV_RECORD_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

struct CsvRecord {
  size_t begin = 0, end = 0;  // in the text; without the line break
  size_t next = 0;            // start of the next record
  size_t lines = 0;           // lines of the file up to `next`
  size_t columns = 0;
  std::string_view field{};  // the requested field as it is in the file; only valid if `columns` > its index
  bool is_open = false;      // a quote is not closed: in column `columns`, `lines` lines after the record's first
  bool is_blank = false;     // one column of blanks only
};

// Iterates over records. The separator is one byte, neither a quote nor a line break.
class CsvCursor {
public:
  // Iterates over records that start in [begin, end) of the text; the last may end after it.
  CsvCursor(std::string_view text, size_t begin, size_t end, char separator)
      : text_(text), at_(begin), end_(end), separator_(separator) {}

  [[nodiscard]] bool is_done() const { return at_ >= end_; }
  [[nodiscard]] size_t place() const { return at_; }
  CsvRecord next(size_t wanted);

private:
  // The next position of a character before end_, searched again only when passed: most texts have no quotes or no CR.
  struct NextLetter {
    char letter;
    size_t place = 0;
    bool is_known = false;
  };
  size_t find_next(NextLetter &next) const;
  size_t find_line_end();
  void take_fields(CsvRecord &record, size_t wanted) const;
  void take_quoted_fields(CsvRecord &record, size_t wanted) const;

  std::string_view text_;
  size_t at_, end_;
  char separator_;
  NextLetter line_feed_{'\n'}, carriage_return_{'\r'}, quote_{'"'};
};

// All fields of a record, as they are in the text.
std::vector<std::string_view> fields_of(std::string_view text, const CsvRecord &record, char separator);

// Removes blanks at both ends. A tab is not a blank if it is the separator.
std::string_view trim_blanks(std::string_view text, char separator);
// Removes the quotes around a field and replaces doubled quotes by one; leaves fields without quotes unchanged.
std::string unquote(std::string_view field, char separator);
// The number of line breaks.
size_t count_lines(std::string_view text);

}  // namespace upsweep::cli
#endif
