// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many builds may run at once on this computer.
#ifndef UPSWEEP_COMPILER_SERVER_BUILD_SLOTS_H
#define UPSWEEP_COMPILER_SERVER_BUILD_SLOTS_H

#include <cstddef>

namespace upsweep::compiler {

/// True when one more build may begin beside those that run: there is a processor for it, and memory. The first always may.
/// UPSWEEP_COMPILE_JOBS is another bound in place of both.
[[nodiscard]] bool has_slot(size_t running);

}  // namespace upsweep::compiler
#endif
