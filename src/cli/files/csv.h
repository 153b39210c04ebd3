// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A column of a text table, with or without a header line (csv_record.h), and the positions of its rows.
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

// Treatment of fields without a value: empty fields, "NA" and similar (is_missing()).
enum class Missing { kError, kNan, kSkip };
enum class Header { kAuto, kYes, kNo };

struct CsvOptions {
  std::optional<std::string> column{};  // a name in the header line, or a number from 1; empty: the only column
  std::string separator = ",";          // a byte, or the two characters "\t"
  Missing missing = Missing::kError;
  bool may_be_missing = true;  // the user can choose `missing`; for messages
  Header header = Header::kAuto;
  bool is_text = false;                  // the fields are texts, not numbers
  bool wants_rows = false;               // record the positions of whole rows
  bool is_real = false;                  // numbers are floating-point numbers, even if all of them are integers
  bool is_exact = false;                 // numbers are compared: integers that a column of doubles would round are errors
  size_t part_bytes = size_t{1} << 20;   // of a thread's pieces; does not affect the result
  std::string_view option = "--column";  // the option that chose the column, for messages
};

// Bytes of the text, without the end of the line.
struct CsvRow {
  size_t begin, end;
};

// The table of a column.
struct CsvTable {
  std::string text;             // before the rows: the mark of UTF-8 and the header with its end of line
  std::string line_end = "\n";  // of the first line
  char separator = ',';
  size_t columns = 1;
  std::vector<CsvRow> rows;       // of the elements, if requested
  std::vector<uint64_t> skipped;  // numbers of rows without a value, ascending
};

// Integers if all fields are 64-bit integers, otherwise floating-point numbers; or texts.
struct CsvColumn {
  bool is_real = false;
  std::vector<int64_t> integers;
  std::vector<double> reals;
  std::vector<std::string> texts;
  size_t numbers = 0;  // texts that are numbers with digits
  size_t words = 0;    // texts that are neither numbers nor missing
  CsvTable table;
};

// The first line is by default the header if the column's field there does not look like a number, or if --column is its name.
// Each record has as many columns as the first; blank lines are skipped. Numbers beyond double's range become infinite or 0, as
// in NumPy. The error continues a sentence that starts with the file's name, and gives the line and the column.
Result<CsvColumn> read_csv(std::string_view text, const CsvOptions &options);

struct CsvLayout;

// A table that is read piece by piece.
struct CsvPlace {
  size_t at = 0;          // of the next record in the text
  size_t lines = 0;       // before it
  std::string rounded{};  // the first integer that a column of doubles would round, and its line
  size_t rounded_line = 0;
};

// Reads the records from `place` on that end before `end`, and moves the place behind them; the last record of the text may
// lack its end of line. `rounded` of the place is no error here.
Result<CsvColumn> read_records(std::string_view text, size_t end, const CsvLayout &layout, const CsvOptions &options,
                               CsvPlace &place);
// The error for `rounded`.
Failure fail_rounded(const CsvLayout &layout, const CsvPlace &place);

}  // namespace upsweep::cli
#endif
