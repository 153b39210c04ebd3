// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats one call of OpenCL C's printf from the arguments that a kernel packed. Has no side effects.
#ifndef UPSWEEP_RUNTIME_PRINTF_PRINTF_FORMAT_H
#define UPSWEEP_RUNTIME_PRINTF_PRINTF_FORMAT_H

#include <cstdint>
#include <functional>
#include <string>

namespace upsweep {

/// The string at an address in a kernel's memory.
using StringAt = std::function<std::string(uint64_t address)>;
std::string string_in_host_memory(uint64_t address);

/// Appends the output of printf(format, ...) to `out`. `arguments` holds the promoted arguments at multiples of 8 bytes
/// (kernel_abi.h). Returns false for a conversion that OpenCL C lacks. The rest of the format is then appended verbatim, since
/// the following arguments cannot be located.
bool format_printf(const char *format, const void *arguments, std::string &out,
                   const StringAt &string_at = string_in_host_memory);

}  // namespace upsweep

#endif
