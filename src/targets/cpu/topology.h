// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which CPUs share a cache or a NUMA node, as Linux tells under /sys/devices/system.
#ifndef UPSWEEP_TARGETS_CPU_TOPOLOGY_H
#define UPSWEEP_TARGETS_CPU_TOPOLOGY_H

#include "runtime/target.h"
#include <filesystem>
#include <vector>

namespace upsweep {

struct Topology {
  std::vector<int> cpus;              ///< of each worker; neighbours share as much as possible
  std::vector<AffinityLevel> levels;  ///< NUMA, then caches from the last level to the first; those that the system tells
};

/// For `workers` threads on `cpus`, the CPUs that the process may use, ascending. `system`: /sys/devices/system.
Topology read_topology(const std::filesystem::path &system, const std::vector<int> &cpus, uint32_t workers);

}  // namespace upsweep
#endif
