// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the rows of a text table in another order.
#ifndef UPSWEEP_CLI_FILES_SORTED_ROWS_H
#define UPSWEEP_CLI_FILES_SORTED_ROWS_H

#include "cli/files/array.h"
#include "cli/files/output.h"

#include <cstdint>
#include <vector>

namespace upsweep::cli {

// Writes the header and the elements' rows in this order, and finishes the file. Rows keep their bytes; each ends like the
// first line. The array must have been read with its rows (InputOptions::wants_rows).
Result<void> write_rows(const Array &array, const std::vector<uint64_t> &order, OutputFile &file);

}  // namespace upsweep::cli
#endif
