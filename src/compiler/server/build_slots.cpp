// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries the system each time, since other processes' servers build too.
#include "compiler/server/build_slots.h"

#include "base/options.h"

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace upsweep::compiler {
namespace {

/// A build of a few hundred lines needs half of this at its peak; builds that have just started have not allocated it yet.
constexpr uint64_t kBytesOfABuild = uint64_t{256} << 20;
constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

/// The number of processors that this process may use: fewer than the computer has in a container or under taskset.
size_t processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? static_cast<size_t>(CPU_COUNT(&set)) : 1;
}

/// The first number of a file; kUnlimited for "max", or if the file does not exist.
uint64_t number_in(const std::string &path) {
  uint64_t number = 0;
  return std::ifstream(path) >> number ? number : kUnlimited;
}

/// A group's inactive page cache, which the system can drop immediately.
uint64_t droppable_bytes(const std::string &folder) {
  std::ifstream statistics(folder + "/memory.stat");
  uint64_t bytes = 0;
  for (std::string name; statistics >> name >> bytes;)
    if (name == "inactive_file") return bytes;
  return 0;
}

/// Memory left to this process's control group (version 2) and its ancestors.
uint64_t bytes_left_to_group() {
  std::ifstream groups("/proc/self/cgroup");
  std::string path;
  for (std::string line; std::getline(groups, line);)
    if (line.starts_with("0::")) path = line.substr(3);
  uint64_t left = kUnlimited;
  while (!path.empty()) {
    const std::string folder = "/sys/fs/cgroup" + (path == "/" ? std::string() : path);
    const uint64_t most = number_in(folder + "/memory.max"), used = number_in(folder + "/memory.current");
    if (most != kUnlimited && used != kUnlimited)
      left = std::min(left, (most > used ? most - used : 0) + droppable_bytes(folder));
    path.erase(path == "/" ? 0 : std::max<size_t>(path.rfind('/'), 1));
  }
  return left;
}

uint64_t bytes_left_to_computer() {
  std::ifstream information("/proc/meminfo");
  for (std::string name; information >> name; information.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
    uint64_t kibibytes = 0;
    if (name == "MemAvailable:" && information >> kibibytes) return kibibytes << 10;
  }
  return kUnlimited;
}

}  // namespace

bool has_slot(size_t running) {
  if (running == 0) return true;
  if (options().compile_jobs > 0) return running < static_cast<size_t>(options().compile_jobs);
  return running < processors() && std::min(bytes_left_to_computer(), bytes_left_to_group()) >= kBytesOfABuild;
}

}  // namespace upsweep::compiler
