// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of a table in text as RFC 4180 has them: fields between separators. A record ends with LF, CR LF or CR. A field in
// double quotes may hold separators, ends of lines and, doubled, quotes.
#ifndef UPSWEEP_CLI_FILES_CSV_RECORD_H
#define UPSWEEP_CLI_FILES_CSV_RECORD_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

struct CsvRecord {
  size_t begin = 0, end = 0;  // in the text; without the end of the line
  size_t next = 0;            // where the next record begins
  size_t lines = 0;           // of the file, up to `next`
  size_t columns = 0;
  std::string_view field{};  // the wanted field as it stands in the file; only of a record with `columns` > wanted
  bool is_open = false;      // a quote does not end: it is in column `columns`, `lines` lines behind the record's first
  bool is_blank = false;     // one column of nothing but blanks
};

// Takes record after record. The separator is one byte, neither a quote nor the end of a line.
class CsvCursor {
public:
  // Records that begin in [begin, end) of the text; the last one may end behind it.
  CsvCursor(std::string_view text, size_t begin, size_t end, char separator)
      : text_(text), at_(begin), end_(end), separator_(separator) {}

  [[nodiscard]] bool is_done() const { return at_ >= end_; }
  [[nodiscard]] size_t place() const { return at_; }
  CsvRecord next(size_t wanted);

private:
  // The next place of a letter before end_, which is searched again only when it is passed: most texts have no quotes or no CR.
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

// All fields of a record of the text, as they stand there.
std::vector<std::string_view> fields_of(std::string_view text, const CsvRecord &record, char separator);

// Without blanks at its ends. A tab is no blank where it separates.
std::string_view trim_blanks(std::string_view text, char separator);
// The text of a field without the quotes around it; two quotes become one. A field without quotes is itself.
std::string unquote(std::string_view field, char separator);
// The number of ends of lines.
size_t count_lines(std::string_view text);

}  // namespace upsweep::cli
#endif
