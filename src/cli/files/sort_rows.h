// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of tables that are larger than the verb's memory: whole rows, in the order of a column.
#ifndef UPSWEEP_CLI_FILES_SORT_ROWS_H
#define UPSWEEP_CLI_FILES_SORT_ROWS_H

#include "cli/files/mapping.h"
#include "cli/files/output.h"
#include "cli/files/progress.h"
#include "cli/files/verbs.h"

#include <memory>

namespace upsweep::cli {

// Whether a sort of the text's rows in memory would need more than the limit.
bool exceeds_memory(std::string_view text);

struct SortedTable {
  size_t rows, columns, bytes;
};

Result<SortedTable> sort_rows_externally(const SortOptions &options, const std::shared_ptr<const Mapping> &input,
                                         const CsvOptions &csv, Progress &progress);

}  // namespace upsweep::cli
#endif
