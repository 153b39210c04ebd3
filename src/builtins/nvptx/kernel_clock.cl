// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_kernel_clock (specification: "Kernel Clock Functions"): the device has a clock of nanoseconds, and each multiprocessor a counter of its
// cycles, which a work-group's threads share.
#include "nvptx.h"

#define DEFINE_CLOCK(scope, register) \
  SMALL ulong CAT(clock_read_, scope)(void) { \
    ulong x; \
    __asm volatile("mov.u64 %0, %" register ";" : "=l"(x) : : "memory"); \
    return x; \
  } \
  SMALL uint2 CAT(clock_read_hilo_, scope)(void) { return __builtin_astype(CAT(clock_read_, scope)(), uint2); }
DEFINE_CLOCK(device, "%globaltimer")
DEFINE_CLOCK(work_group, "%clock64")
DEFINE_CLOCK(sub_group, "%clock64")
