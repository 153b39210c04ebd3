// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections of elements of any type, by their bytes.
#ifndef UPSWEEP_CLI_FILES_KEEP_H
#define UPSWEEP_CLI_FILES_KEEP_H

#include <cstddef>
#include <cstdint>

namespace upsweep::cli {

// Writes the elements whose flag is not 0 to `to`, without gaps, and returns their number. `bytes`: size of an element, 1, 2, 4
// or 8. `from` need not be aligned; `to` must be, and have space for n.
size_t keep_elements(size_t bytes, const std::byte *from, const uint8_t *flags, std::byte *to, size_t n);

}  // namespace upsweep::cli
#endif
