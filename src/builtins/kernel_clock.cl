// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_kernel_clock (specification: "Kernel Clock Functions"): one clock for all scopes, the processor's time-stamp counter, which is the same
// on all cores.
#include "library.h"

#define DEFINE_CLOCK(scope) \
  SMALL ulong CAT(clock_read_, scope)(void) { return __builtin_readcyclecounter(); } \
  SMALL uint2 CAT(clock_read_hilo_, scope)(void) { return __builtin_astype(CAT(clock_read_, scope)(), uint2); }
DEFINE_CLOCK(device)
DEFINE_CLOCK(work_group)
DEFINE_CLOCK(sub_group)
