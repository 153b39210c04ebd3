// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the CPUs that share a cache or a NUMA node, from Linux's /sys/devices/system.
#ifndef UPSWEEP_TARGETS_CPU_TOPOLOGY_H
#define UPSWEEP_TARGETS_CPU_TOPOLOGY_H

#include "runtime/target.h"
#include <filesystem>
#include <vector>

namespace upsweep {

struct Topology {
  std::vector<int> cpus;              ///< of each worker; consecutive workers share as much as possible
  std::vector<AffinityLevel> levels;  ///< NUMA, then caches from the last level to the first, as far as the system reports them
};

/// For `workers` threads on `cpus`, which the process may use, in ascending order. `system`: /sys/devices/system.
Topology read_topology(const std::filesystem::path &system, const std::vector<int> &cpus, uint32_t workers);

}  // namespace upsweep
#endif
