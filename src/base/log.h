// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logging of the driver's errors: silent unless UPSWEEP_LOG=1.
#ifndef UPSWEEP_BASE_LOG_H
#define UPSWEEP_BASE_LOG_H

#include <string_view>

namespace upsweep {

/// Prints one line to standard error when UPSWEEP_LOG=1.
void log_line(std::string_view where, std::string_view text);

}  // namespace upsweep
#endif
