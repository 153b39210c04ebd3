// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A column of a text table that is too large for the verb's memory: its numbers are in a temporary file.
#ifndef UPSWEEP_CLI_FILES_CSV_STORED_H
#define UPSWEEP_CLI_FILES_CSV_STORED_H

#include "cli/files/csv.h"
#include "cli/files/mapping.h"

#include <memory>

namespace upsweep::cli {

struct StoredColumn {
  std::shared_ptr<const Mapping> numbers;  // of 64 bits
  bool is_real = false;
  size_t count = 0;
  CsvTable table{};  // without rows
};

// Reads the table of a mapped file in parts, which need at most `memory`. Results and errors are as of read_csv().
Result<StoredColumn> store_csv(const Mapping &file, CsvOptions options, size_t memory);

}  // namespace upsweep::cli
#endif
