// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One column of a table in text: lines of fields between separators, with a header line or without.
#ifndef UPSWEEP_CLI_FILES_CSV_H
#define UPSWEEP_CLI_FILES_CSV_H

#include "cli/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

struct CsvOptions {
  std::string column;  // a name of the header line, or a number from 1 on; empty: the only one
  std::string separator = ",";
};

// Integers as long as all fields are integers that 64 bits hold, else floating-point numbers.
struct CsvColumn {
  bool is_real = false;
  std::vector<int64_t> integers;
  std::vector<double> reals;
};

// A first line whose field is no number is the header. Fields may be in double quotes, which must not hold the end of a line;
// empty lines are left out. The failure continues a sentence that begins with the file's name, and says the line.
Result<CsvColumn> read_csv(std::string_view text, const CsvOptions &options);

}  // namespace upsweep::cli
#endif
