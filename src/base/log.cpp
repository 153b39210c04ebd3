// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logging of the driver's errors.
#include "base/log.h"
#include "base/options.h"
#include <cstdio>

namespace upsweep {

void log_line(std::string_view where, std::string_view text) {
  if (options().log)
    std::fprintf(stderr, "upsweep: %.*s: %.*s\n", static_cast<int>(where.size()), where.data(), static_cast<int>(text.size()),
                 text.data());
}

}  // namespace upsweep
