// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The position of a column in a table, determined from its first line.
#ifndef UPSWEEP_CLI_FILES_CSV_LAYOUT_H
#define UPSWEEP_CLI_FILES_CSV_LAYOUT_H

#include "cli/files/csv.h"

namespace upsweep::cli {

struct CsvLayout {
  size_t column = 0;  // from 0
  size_t columns = 1;
  char separator = ',';
  size_t begin = 0;  // start of the first row in the text
  size_t lines = 0;  // lines before the first row
  std::string line_end = "\n";
};

// A byte, or a tab as the two characters "\t".
Result<char> parse_separator(std::string_view text);
Result<CsvLayout> find_layout(std::string_view text, const CsvOptions &options);

}  // namespace upsweep::cli
#endif
