// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processor time that Linux's control groups allow the process.
#ifndef UPSWEEP_TARGETS_CPU_CPU_QUOTA_H
#define UPSWEEP_TARGETS_CPU_CPU_QUOTA_H

#include <cstdint>
#include <filesystem>
#include <optional>

namespace upsweep {

/// Number of processors whose time the process's groups allow, rounded up; empty if unlimited. More threads would use up a
/// period's time early and then stall together. `groups`: /sys/fs/cgroup; `own`: /proc/self/cgroup.
std::optional<uint32_t> quota_cpus(const std::filesystem::path &groups, const std::filesystem::path &own);

}  // namespace upsweep
#endif
