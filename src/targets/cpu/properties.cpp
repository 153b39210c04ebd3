// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this computer's CPU is, from cpuid, /proc and /sys.
#include "targets/cpu/properties.h"
#include "base/options.h"
#include "targets/cpu/kernel_abi.h"
#include <algorithm>
#include <cpuid.h>
#include <cstring>
#include <fstream>
#include <sched.h>
#include <unistd.h>

namespace upsweep {
namespace {

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// The brand string of cpuid leaves 0x80000002 to 0x80000004.
std::string brand_name() {
  unsigned words[12] = {};
  for (unsigned leaf = 0; leaf < 3; ++leaf)
    if (!__get_cpuid(0x80000002 + leaf, &words[4 * leaf], &words[4 * leaf + 1], &words[4 * leaf + 2], &words[4 * leaf + 3]))
      return "x86-64 CPU";
  char text[sizeof(words) + 1] = {};
  std::memcpy(text, words, sizeof(words));
  return trimmed(text);
}

/// The vendor string of cpuid leaf 0, twelve characters in EBX, EDX, ECX.
std::string vendor_name() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  __get_cpuid(0, &eax, &ebx, &ecx, &edx);
  unsigned words[3] = {ebx, edx, ecx};
  char text[sizeof(words) + 1] = {};
  std::memcpy(text, words, sizeof(words));
  return text;
}

/// The PCI vendor identifier, which OpenCL uses for this query.
cl_uint vendor_id(const std::string &vendor) {
  if (vendor == "GenuineIntel") return 0x8086;
  if (vendor == "AuthenticAMD") return 0x1022;
  return 0;
}

uint64_t number_in(const char *path) {
  std::ifstream file(path);
  uint64_t value = 0;
  file >> value;
  return file ? value : 0;
}

uint64_t memory_bytes() {
  uint64_t bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  // A container's limit; "max" reads as no number.
  uint64_t limit = number_in("/sys/fs/cgroup/memory.max");
  return limit ? std::min(bytes, limit) : bytes;
}

uint64_t cache_bytes(int name) { return static_cast<uint64_t>(std::max(0L, sysconf(name))); }

/// Highest clock in MHz: sysfs where the kernel knows it, else /proc/cpuinfo's current one.
cl_uint clock_mhz() {
  if (uint64_t khz = number_in("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"))
    return static_cast<cl_uint>(khz / 1000);
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("cpu MHz")) return static_cast<cl_uint>(std::atof(line.c_str() + line.find(':') + 1));
  return 0;
}

/// What functions need on top of a kernel's private variables.
constexpr uint64_t kStackReserve = 128 << 10;

cl_uint worker_count() {
  // More threads than this would be a mistyped option; a bound keeps it from taking all memory.
  constexpr int64_t kMaxWorkers = 1024;
  if (options().threads > 0) return static_cast<cl_uint>(std::min(options().threads, kMaxWorkers));
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return static_cast<cl_uint>(CPU_COUNT(&allowed));
  return static_cast<cl_uint>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace

uint64_t worker_stack_bytes() {
  constexpr int64_t kMinStack = 256 << 10;
  return static_cast<uint64_t>(std::max(options().worker_stack, kMinStack));
}

DeviceProperties measure_cpu() {
  DeviceProperties p;
  p.name = brand_name();
  p.vendor = vendor_name();
  p.vendor_id = vendor_id(p.vendor);
  p.compute_units = worker_count();
  p.clock_mhz = clock_mhz();
  if (uint64_t line = cache_bytes(_SC_LEVEL1_DCACHE_LINESIZE)) p.cacheline_bytes = static_cast<cl_uint>(line);
  uint64_t level2 = cache_bytes(_SC_LEVEL2_CACHE_SIZE);
  p.cache_bytes = std::max(cache_bytes(_SC_LEVEL3_CACHE_SIZE), level2);
  p.global_memory_bytes = memory_bytes();
  // One object may take most of the memory; some is left for the program itself.
  p.max_allocation_bytes = p.global_memory_bytes / 4 * 3;
  // Half a core's second-level cache: work-groups that use it all stay in it.
  p.local_memory_bytes = std::max<uint64_t>(64 << 10, level2 / 2);
  p.private_memory_bytes = worker_stack_bytes() - kStackReserve;
  bool has_avx512 = __builtin_cpu_supports("avx512f");
  p.vector_bytes = has_avx512 ? 64 : __builtin_cpu_supports("avx") ? 32 : 16;
  p.max_work_group_size = UPSWEEP_MAX_WORK_GROUP_SIZE;
  p.preferred_sub_group_size = has_avx512 ? 16 : 8;
  return p;
}

}  // namespace upsweep
