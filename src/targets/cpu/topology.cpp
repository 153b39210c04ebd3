// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads sysfs: cpu<N>/cache/index<K> for caches, node/node<N>/cpulist for NUMA. glibc's sysconf() is no alternative: it reads
// cache sizes from cpuid, which in virtual machines describes the whole processor (384 MiB, although a core reaches only one L3
// of 32 MiB).
#include "targets/cpu/topology.h"
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace upsweep {
namespace {

namespace fs = std::filesystem;

/// Location of a CPU: for each domain, the lowest CPU of its cache or the number of its node.
using CpuPlace = std::map<cl_device_affinity_domain, int>;

constexpr cl_device_affinity_domain kOutermostFirst[] = {CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
                                                         CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
                                                         CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE};

std::string line_of(const fs::path &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Parses a list such as "0-3,8".
std::vector<int> numbers_in(const std::string &list) {
  std::vector<int> numbers;
  std::istringstream stream(list);
  for (std::string range; std::getline(stream, range, ',');) {
    int first = 0, last = 0;
    char dash = 0;
    std::istringstream parts(range);
    if (!(parts >> first)) continue;
    if (!(parts >> dash >> last)) last = first;
    for (int number = first; number <= last; ++number) numbers.push_back(number);
  }
  return numbers;
}

cl_device_affinity_domain cache_domain(const std::string &level) {
  if (level == "1") return CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE;
  if (level == "2") return CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE;
  if (level == "3") return CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE;
  if (level == "4") return CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE;
  return 0;
}

/// Adds a CPU's caches to its place and their sizes to `bytes`. If cores differ, the first CPU's sizes are used.
void read_caches(const fs::path &cpu, CpuPlace &place, std::map<cl_device_affinity_domain, uint64_t> &bytes) {
  std::error_code ignored;
  for (const auto &cache : fs::directory_iterator(cpu / "cache", ignored)) {
    const fs::path &folder = cache.path();
    const cl_device_affinity_domain domain = cache_domain(line_of(folder / "level"));
    const std::vector<int> sharers = numbers_in(line_of(folder / "shared_cpu_list"));
    if (!domain || sharers.empty() || line_of(folder / "type") == "Instruction") continue;
    place[domain] = sharers.front();
    bytes.emplace(domain, std::strtoull(line_of(folder / "size").c_str(), nullptr, 10) << 10);  // "32768K"
  }
}

}  // namespace

Topology read_topology(const fs::path &system, const std::vector<int> &cpus, uint32_t workers) {
  std::map<int, CpuPlace> places;
  std::map<cl_device_affinity_domain, uint64_t> bytes;
  for (int cpu : cpus) read_caches(system / "cpu" / ("cpu" + std::to_string(cpu)), places[cpu], bytes);
  for (int node : numbers_in(line_of(system / "node/online")))
    for (int cpu : numbers_in(line_of(system / "node" / ("node" + std::to_string(node)) / "cpulist")))
      if (auto found = places.find(cpu); found != places.end()) found->second[CL_DEVICE_AFFINITY_DOMAIN_NUMA] = node;

  auto instances = [&](int cpu) {
    std::vector<int> ids;
    for (auto domain : kOutermostFirst) ids.push_back(places[cpu].contains(domain) ? places[cpu][domain] : -1);
    return ids;
  };
  std::vector<int> ordered = cpus;
  std::ranges::sort(ordered, [&](int a, int b) { return std::pair(instances(a), a) < std::pair(instances(b), b); });

  Topology topology;
  for (uint64_t i = 0; i < workers && !ordered.empty(); ++i) topology.cpus.push_back(ordered[i * ordered.size() / workers]);
  for (auto domain : kOutermostFirst) {
    auto is_known = [&](int cpu) { return places[cpu].contains(domain); };
    if (cpus.empty() || !std::all_of(cpus.begin(), cpus.end(), is_known)) continue;
    AffinityLevel level{domain, bytes[domain], {}};
    for (int cpu : topology.cpus) level.instance_of.push_back(places[cpu][domain]);
    topology.levels.push_back(std::move(level));
  }
  return topology;
}

}  // namespace upsweep
