// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A column of a table in text, with a header line or without (csv_record.h), and the places of its rows.
#ifndef UPSWEEP_CLI_FILES_CSV_H
#define UPSWEEP_CLI_FILES_CSV_H

#include "cli/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

// Fields without a value: empty fields, "NA" and the like (is_missing()).
enum class Missing { kError, kNan, kSkip };
enum class Header { kAuto, kYes, kNo };

struct CsvOptions {
  std::optional<std::string> column{};  // a name of the header line, or a number from 1 on; none: the only one
  std::string separator = ",";          // a byte, or "\t" in letters
  Missing missing = Missing::kError;
  bool may_be_missing = true;  // `missing` is a choice of the user, for messages
  Header header = Header::kAuto;
  bool is_text = false;                  // the fields are texts, not numbers
  bool wants_rows = false;               // rows are to be found, and not only their fields
  size_t part_bytes = size_t{1} << 20;   // that a thread reads at a time; the result does not depend on it
  std::string_view option = "--column";  // that chose the column, for messages
};

// Bytes of the text, without the end of the line.
struct CsvRow {
  size_t begin, end;
};

// The table that the column belongs to.
struct CsvTable {
  std::string text;             // that precedes the rows: the mark of UTF-8 and the header, with the end of its line
  std::string line_end = "\n";  // of the first line
  char separator = ',';
  size_t columns = 1;
  std::vector<CsvRow> rows;       // of the elements, if they are wanted
  std::vector<uint64_t> skipped;  // numbers of rows without a value, in rising order
};

// Integers as long as all fields are integers that 64 bits hold, else floating-point numbers; or texts.
struct CsvColumn {
  bool is_real = false;
  std::vector<int64_t> integers;
  std::vector<double> reals;
  std::vector<std::string> texts;
  size_t numbers = 0;  // number of texts that are numbers with digits
  size_t words = 0;    // number of texts that are neither numbers nor missing
  CsvTable table;
};

// Without choice by the options the first line is the header if the column's field there does not look like a number, or if
// --column is its name. Each record has as many columns as the first one; lines of nothing but blanks are left out. Numbers
// that a double does not hold are infinite or 0, as NumPy reads them. The failure continues a sentence that begins with the
// file's name, and says the line and the column.
Result<CsvColumn> read_csv(std::string_view text, const CsvOptions &options);

}  // namespace upsweep::cli
#endif
