// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of a table in text, in another order.
#ifndef UPSWEEP_CLI_FILES_SORTED_ROWS_H
#define UPSWEEP_CLI_FILES_SORTED_ROWS_H

#include "cli/files/array.h"
#include "cli/files/output.h"

#include <cstdint>
#include <vector>

namespace upsweep::cli {

// Writes the header and the rows of the elements in this order, and finishes the file. Rows keep their bytes; each ends as the
// first line does. The array was read with its rows (InputOptions::wants_rows).
Result<void> write_rows(const Array &array, const std::vector<uint64_t> &order, OutputFile &file);

}  // namespace upsweep::cli
#endif
