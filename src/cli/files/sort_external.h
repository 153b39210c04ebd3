// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of arrays that are larger than the verb's memory (upsweep/external/sort.h).
#ifndef UPSWEEP_CLI_FILES_SORT_EXTERNAL_H
#define UPSWEEP_CLI_FILES_SORT_EXTERNAL_H

#include "cli/files/progress.h"
#include "cli/files/sink.h"
#include "cli/files/verbs.h"

namespace upsweep::cli {

// Whether a sort in memory would need more than the limit.
bool exceeds_memory(const SortOptions &options, const Array &array, const Array &by);

// Writes the sorted elements, or their indices, to the sink.
Result<void> sort_externally(const SortOptions &options, const Array &array, const Array &by, Sink &sink, Progress &progress);

}  // namespace upsweep::cli
#endif
