// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Failed assertions of kernels (UpsweepHooks::assert_failed).
#ifndef UPSWEEP_TARGETS_CPU_ASSERTION_H
#define UPSWEEP_TARGETS_CPU_ASSERTION_H

#include "targets/cpu/kernel_abi.h"

namespace upsweep {

/// Prints the assertion, its place and the work-item to the standard error stream, and calls std::abort().
[[noreturn]] void assert_failed(UpsweepGroup *group, const char *expression, const char *file, int32_t line,
                                const char *function, uint64_t g0, uint64_t g1, uint64_t g2, uint64_t l0, uint64_t l1,
                                uint64_t l2);

}  // namespace upsweep
#endif
