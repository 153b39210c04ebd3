// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties of this computer's CPU: name, caches, memory, registers.
#ifndef UPSWEEP_TARGETS_CPU_PROPERTIES_H
#define UPSWEEP_TARGETS_CPU_PROPERTIES_H

#include "runtime/target.h"

namespace upsweep {

struct MeasuredCpu {
  DeviceProperties properties;
  std::vector<int> worker_cpus;  ///< the CPU of each worker
};

MeasuredCpu measure_cpu();

/// Number of CPUs that the process may use at a time.
uint32_t count_allowed_cpus();

/// The size of a worker's stack.
uint64_t worker_stack_bytes();

}  // namespace upsweep
#endif
