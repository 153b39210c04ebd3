// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections of elements of any type, by their bytes.
#ifndef UPSWEEP_CLI_FILES_KEEP_H
#define UPSWEEP_CLI_FILES_KEEP_H

#include <cstddef>
#include <cstdint>

namespace upsweep::cli {

// Writes the elements with a flag that is not 0 side by side to `to`, and says how many they are. `bytes` are those of an
// element: 1, 2, 4 or 8. `from` need not be aligned; `to` is, and has room for n.
size_t keep_elements(size_t bytes, const std::byte *from, const uint8_t *flags, std::byte *to, size_t n);

}  // namespace upsweep::cli
#endif
