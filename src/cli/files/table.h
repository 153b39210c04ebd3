// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as text: a number a line, or a row of a matrix a line.
#ifndef UPSWEEP_CLI_FILES_TABLE_H
#define UPSWEEP_CLI_FILES_TABLE_H

#include "cli/files/element.h"
#include "cli/files/output.h"

#include <vector>

namespace upsweep::cli {

// Writes the elements of `file`, of a shape of at most two extents, to `text`, and finishes it. Numbers are the shortest that
// read back as the same; truths are 0 and 1.
Result<void> write_table(const OutputFile &file, ElementType type, const std::vector<size_t> &shape, bool is_fortran,
                         char separator, OutputFile &text);

}  // namespace upsweep::cli
#endif
