// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lanes of a warp a sub-group function in divergent control flow is for. A GPU's warp may go on in parts where the
// program's lanes are together again, so `activemask` does not say it. Instead the lanes of a branch vote before it about where
// they go, and the function waits for all that went its way.
#ifndef UPSWEEP_PASSES_GPU_ACTIVE_LANES_H
#define UPSWEEP_PASSES_GPU_ACTIVE_LANES_H

#include "passes/program.h"

namespace upsweep::passes {

/// Replaces the calls of `__ups_active_lanes` in a kernel into which all functions with such calls have been inlined. Where the
/// control flow before a call is too irregular for votes, the kernel's branches are structured first. Calls that stay irregular
/// get `activemask`, the lanes that happen to arrive together.
void find_kernel_active_lanes(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
