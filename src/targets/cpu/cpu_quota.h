// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much processor time a process may use, as Linux's control groups tell.
#ifndef UPSWEEP_TARGETS_CPU_CPU_QUOTA_H
#define UPSWEEP_TARGETS_CPU_CPU_QUOTA_H

#include <cstdint>
#include <filesystem>
#include <optional>

namespace upsweep {

/// Processors whose time the process's groups allow, rounded up; nothing where there is no limit. More threads than that would
/// use up the time of a period at once and then all stand still. `groups`: /sys/fs/cgroup; `own`: /proc/self/cgroup.
std::optional<uint32_t> quota_cpus(const std::filesystem::path &groups, const std::filesystem::path &own);

}  // namespace upsweep
#endif
