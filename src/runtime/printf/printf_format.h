// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats one call of OpenCL C's printf from the arguments that a kernel packed. Pure: text in, text out.
#ifndef UPSWEEP_RUNTIME_PRINTF_PRINTF_FORMAT_H
#define UPSWEEP_RUNTIME_PRINTF_PRINTF_FORMAT_H

#include <cstdint>
#include <functional>
#include <string>

namespace upsweep {

/// The string at an address that a kernel knows.
using StringAt = std::function<std::string(uint64_t address)>;
std::string string_in_host_memory(uint64_t address);

/// Appends the output of printf(format, ...) to `out`. `arguments` holds each promoted argument at the next multiple of 8 bytes
/// (kernel_abi.h). Returns false for a conversion that OpenCL C does not have; the rest of the format is then appended as it
/// is, because the arguments can no longer be told apart.
bool format_printf(const char *format, const void *arguments, std::string &out,
                   const StringAt &string_at = string_in_host_memory);

}  // namespace upsweep

#endif
