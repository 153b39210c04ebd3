// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits the number of concurrent builds on this computer.
#ifndef UPSWEEP_COMPILER_SERVER_BUILD_SLOTS_H
#define UPSWEEP_COMPILER_SERVER_BUILD_SLOTS_H

#include <cstddef>

namespace upsweep::compiler {

/// Whether one more build may start: there is a processor and memory for it, or it is the first. UPSWEEP_COMPILE_JOBS replaces
/// both limits.
[[nodiscard]] bool has_slot(size_t running);

}  // namespace upsweep::compiler
#endif
