// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates the CPU device.
#ifndef UPSWEEP_TARGETS_CPU_CPU_TARGET_H
#define UPSWEEP_TARGETS_CPU_CPU_TARGET_H

#include "runtime/target.h"
#include <memory>

namespace upsweep {

/// Starts the worker threads. The target must live until the process ends.
std::unique_ptr<Target> make_cpu_target();

}  // namespace upsweep
#endif
