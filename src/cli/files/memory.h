// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a verb may use: --memory, or half of the free memory.
#ifndef UPSWEEP_CLI_FILES_MEMORY_H
#define UPSWEEP_CLI_FILES_MEMORY_H

#include "cli/result.h"

#include <cstdint>
#include <string_view>

namespace upsweep::cli {

constexpr uint64_t kLeastMemory = uint64_t{64} << 20;

// "500MB", "1.5GiB", "2G" (2 GiB), or bytes.
Result<uint64_t> parse_memory(std::string_view text);

// A process runs one verb, so its limit belongs to the process.
void limit_memory(uint64_t bytes);
uint64_t memory_limit();
// The bytes of the limit that arrays may use: the program itself and its buffers need the rest.
uint64_t memory_for_arrays();

}  // namespace upsweep::cli
#endif
