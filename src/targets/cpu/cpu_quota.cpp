// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Version 2: cpu.max, "QUOTA PERIOD" or "max PERIOD" in microseconds, of the process's group and all its ancestors. Version 1:
// cpu.cfs_quota_us (-1 if there is no limit) and cpu.cfs_period_us. In a container the group's path may be the host's, which
// does not exist; the mounted folder is then the container's group.
#include "targets/cpu/cpu_quota.h"
#include <algorithm>
#include <fstream>
#include <string>

namespace upsweep {
namespace {

namespace fs = std::filesystem;

std::optional<uint32_t> processors(int64_t quota, int64_t period) {
  if (quota <= 0 || period <= 0) return std::nullopt;
  return static_cast<uint32_t>(std::min<int64_t>((quota - 1) / period + 1, UINT32_MAX));
}

std::optional<uint32_t> quota_of(const fs::path &group) {
  int64_t quota = 0, period = 0;
  if (std::ifstream file(group / "cpu.max"); file >> quota >> period) return processors(quota, period);
  if (std::ifstream(group / "cpu.cfs_quota_us") >> quota && std::ifstream(group / "cpu.cfs_period_us") >> period)
    return processors(quota, period);
  return std::nullopt;
}

/// The lowest quota of a group and its ancestors, up to the mounted folder.
void take_least(std::optional<uint32_t> &least, const fs::path &mounted, const std::string &path) {
  for (fs::path group = fs::path(path).relative_path();; group = group.parent_path()) {
    if (const auto quota = quota_of(group.empty() ? mounted : mounted / group))
      least = std::min(least.value_or(*quota), *quota);
    if (group.empty()) return;
  }
}

}  // namespace

std::optional<uint32_t> quota_cpus(const fs::path &groups, const fs::path &own) {
  std::optional<uint32_t> least;
  std::ifstream file(own);
  for (std::string line; std::getline(file, line);) {  // "0::/path", or in version 1 "4:cpu,cpuacct:/path"
    const size_t controllers = line.find(':') + 1, path = line.find(':', controllers) + 1;
    if (controllers == 0 || path == 0) continue;
    const std::string names = line.substr(controllers, path - 1 - controllers);
    if (names.empty()) take_least(least, groups, line.substr(path));
    if (("," + names + ",").find(",cpu,") != std::string::npos) take_least(least, groups / names, line.substr(path));
  }
  return least;
}

}  // namespace upsweep
