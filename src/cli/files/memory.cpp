// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads sizes, and the system's statistics of memory.
#include "cli/files/memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <unistd.h>

namespace upsweep::cli {
namespace {

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();
// The inputs and outputs have windows of mapped files, the sink's rooms, and the pages of a direct write.
constexpr uint64_t kBuffers = uint64_t{28} << 20;
constexpr double kMost = 1e18;

std::atomic<uint64_t> limit = 0;  // 0: not yet known

// The factor of "MB", "M" or "MiB"; 0 if the unit is unknown.
double factor_of(std::string_view unit) {
  constexpr std::string_view kPrefixes = "KMGTP";
  if (unit.empty() || unit == "B") return 1;
  const char first = unit.front() >= 'a' ? static_cast<char>(unit.front() - 'a' + 'A') : unit.front();
  const size_t power = kPrefixes.find(first);
  const std::string_view rest = unit.substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "B" && rest != "iB")) return 0;
  return std::pow(rest == "B" ? 1000.0 : 1024.0, static_cast<double>(power + 1));
}

// The first number of a file that a container's system has; no limit if there is none.
uint64_t number_in(const char *path) {
  uint64_t number = 0;
  return std::ifstream(path) >> number ? number : kNoLimit;
}

uint64_t free_memory() {
  uint64_t available = kNoLimit;
  std::ifstream file("/proc/meminfo");
  for (std::string name, unit; file >> name;) {
    uint64_t kib = 0;
    if (name == "MemAvailable:" && file >> kib) available = kib << 10;
    std::getline(file, unit);
  }
  // Containers have a limit of their own (control groups, versions 2 and 1).
  return std::min(
      {available, number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t whole = 0, resident = 0;
  file >> whole >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

Result<uint64_t> parse_memory(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const double factor = factor_of(text.substr(static_cast<size_t>(end - text.data())));
  if (error != std::errc{} || factor == 0 || !std::isfinite(number) || number < 0 || number * factor > kMost)
    return misuse("--memory '{}': write a size such as 500MB, 2GiB or 2G", text);
  const auto bytes = static_cast<uint64_t>(number * factor);
  if (bytes < kLeastMemory) return misuse("--memory '{}': a verb needs at least {} MiB", text, kLeastMemory >> 20);
  return bytes;
}

void limit_memory(uint64_t bytes) { limit = bytes; }

uint64_t memory_limit() {
  if (limit == 0) limit = std::max(kLeastMemory, free_memory() / 2);
  return limit;
}

uint64_t memory_for_arrays() {
  const uint64_t used = resident_bytes() + kBuffers, least = kLeastMemory / 4;
  return memory_limit() > used + least ? memory_limit() - used : least;
}

}  // namespace upsweep::cli
