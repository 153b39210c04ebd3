// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers that different arguments point to are mostly different memory, but OpenCL C lets them be the same, so a sum in
// `out[i] += a[k] * b[k]` is stored and loaded again each time around. A kernel that gains gets its body twice, once for
// launches whose arguments do not overlap, which the driver tells.
#ifndef UPSWEEP_PASSES_CPU_APART_ARGUMENTS_H
#define UPSWEEP_PASSES_CPU_APART_ARGUMENTS_H

#include "passes/program.h"

namespace upsweep::passes {

/// For a kernel with a loop in which an access through one argument always has the same address, and an access through another,
/// or to local memory, keeps it there.
void make_apart_version(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
