// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges of sorted files by a column: whole rows of tables, and records.
#ifndef UPSWEEP_CLI_FILES_MERGE_ROWS_H
#define UPSWEEP_CLI_FILES_MERGE_ROWS_H

#include "cli/files/mapping.h"
#include "cli/files/progress.h"
#include "cli/files/verbs.h"

#include <memory>
#include <vector>

namespace upsweep::cli {

struct MergeInput {
  std::filesystem::path path;
  std::shared_ptr<const Mapping> file;
};

struct MergedFiles {
  size_t rows, bytes;
};

// All tables have the same header, separator and number of columns. The rows get the ends of lines of the first table.
Result<MergedFiles> merge_tables(const MergeOptions &options, const std::vector<MergeInput> &inputs, Progress &progress);
// All records have the same type.
Result<MergedFiles> merge_records(const MergeOptions &options, const std::vector<MergeInput> &inputs, Progress &progress);

}  // namespace upsweep::cli
#endif
