// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of different arguments rarely overlap, but OpenCL C permits it, so the sum in `out[i] += a[k] * b[k]` is stored and
// loaded in each iteration. A kernel that profits gets a second version of its body for launches whose arguments do not
// overlap; the driver tells which launches these are.
#ifndef UPSWEEP_PASSES_CPU_APART_ARGUMENTS_H
#define UPSWEEP_PASSES_CPU_APART_ARGUMENTS_H

#include "passes/program.h"

namespace upsweep::passes {

/// For kernels with a loop in which an access through one argument has a constant address, but an access through another
/// argument or to local memory keeps it in the loop.
void make_apart_version(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
