// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts whole records by a field, within the verb's memory.
#ifndef UPSWEEP_CLI_FILES_SORT_RECORDS_H
#define UPSWEEP_CLI_FILES_SORT_RECORDS_H

#include "cli/files/progress.h"
#include "cli/files/records.h"
#include "cli/files/verbs.h"

namespace upsweep::cli {

// Records can be written to .npy files, standard output and the null device.
Result<void> require_npy(const std::filesystem::path &out);

Result<void> sort_records(const SortOptions &options, const Records &records, Progress &progress);

}  // namespace upsweep::cli
#endif
