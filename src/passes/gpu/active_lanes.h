// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the lanes of a sub-group that take part in a function in divergent control flow. Parts of a warp may run
// separately even after the program's lanes have joined, so `activemask` is not enough. Instead the lanes vote before a branch
// about their direction, and the function waits for all lanes that went the same way.
#ifndef UPSWEEP_PASSES_GPU_ACTIVE_LANES_H
#define UPSWEEP_PASSES_GPU_ACTIVE_LANES_H

#include "passes/program.h"

namespace upsweep::passes {

/// Replaces the calls of `__ups_active_lanes` in a kernel into which all functions with such calls have been inlined. If the
/// control flow before a call is too irregular for votes, structures the kernel's branches first. Calls that stay irregular get
/// `activemask`, the lanes that happen to arrive together.
void find_kernel_active_lanes(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
