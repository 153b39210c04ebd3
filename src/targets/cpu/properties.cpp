// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties of this computer's CPU, from cpuid, /proc and /sys.
#include "targets/cpu/properties.h"
#include "base/options.h"
#include "runtime/enqueue/device_events.h"
#include "runtime/objects/image.h"
#include "targets/cpu/cpu_quota.h"
#include "targets/cpu/kernel_abi.h"
#include "targets/cpu/topology.h"
#include <algorithm>
#include <cpuid.h>
#include <cstring>
#include <fstream>
#include <sched.h>
#include <string_view>
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

/// FNV-1a: a UUID must not depend on the driver's version, so neither may its hash.
uint64_t stable_hash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// "Device UUIDs must be immutable for a given device across processes, driver APIs, driver versions, and system reboots." The
/// first half is a hash of the processor's model, and the last 32 bits are a hash of /etc/machine-id. More bits of it could
/// reveal that number, which machine-id(5) wants to keep from others.
Uuid uuid_of(const std::string &vendor, const std::string &brand) {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  __get_cpuid(1, &eax, &ebx, &ecx, &edx);  // EAX: family, model and stepping
  std::string machine;
  std::getline(std::ifstream("/etc/machine-id"), machine);
  const uint64_t model = stable_hash(vendor + "\n" + brand + "\n" + std::to_string(eax));
  const uint64_t of_machine = stable_hash(machine);
  const auto folded = static_cast<uint32_t>(of_machine ^ of_machine >> 32);
  Uuid uuid{};
  std::memcpy(uuid.data(), &model, sizeof model);
  std::memcpy(&uuid[8], "\0CPU", 4);
  std::memcpy(&uuid[12], &folded, sizeof folded);
  uuid[6] = static_cast<cl_uchar>((uuid[6] & 0x0f) | 0x80);  // RFC 9562's version 8, for fields of one's own
  uuid[8] = 0x80;                                            // and its variant
  return uuid;
}

uint64_t number_in(const char *path) {
  std::ifstream file(path);
  uint64_t value = 0;
  file >> value;
  return file ? value : 0;
}

uint64_t memory_bytes() {
  uint64_t bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  // The limit of a container; "max" is not a number and is ignored.
  uint64_t limit = number_in("/sys/fs/cgroup/memory.max");
  return limit ? std::min(bytes, limit) : bytes;
}

/// Highest clock in MHz from sysfs, or else the current clock from /proc/cpuinfo.
cl_uint clock_mhz() {
  if (uint64_t khz = number_in("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"))
    return static_cast<cl_uint>(khz / 1000);
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("cpu MHz")) return static_cast<cl_uint>(std::atof(line.c_str() + line.find(':') + 1));
  return 0;
}

/// Bytes of the widest register of this computer, or of the x86-64 level given by UPSWEEP_CPU.
cl_uint vector_bytes() {
  const std::string &cpu = options().cpu;
  if (cpu == "x86-64" || cpu == "x86-64-v2") return 16;
  if (cpu == "x86-64-v3") return 32;
  return __builtin_cpu_supports("avx512f") ? 64 : __builtin_cpu_supports("avx") ? 32 : 16;
}

uint64_t cache_bytes(const DeviceProperties &p, cl_device_affinity_domain domain) {
  for (const AffinityLevel &level : p.affinity)
    if (level.domain == domain) return level.cache_bytes;
  return 0;
}

/// Properties common to all x86-64 CPUs.
void set_capabilities(DeviceProperties &p) {
  p.type = CL_DEVICE_TYPE_CPU;
  p.features = FeatureColumn::kCpu;
  p.runs_native_kernels = true;
  p.can_partition = true;
  p.max_work_group_size = UPSWEEP_MAX_WORK_GROUP_SIZE;
  p.max_work_item_sizes.fill(UPSWEEP_MAX_WORK_GROUP_SIZE);
  // The counters have 64 bits; each thread may count past the end. More work-groups would not finish in a thousand years.
  p.max_work_groups = uint64_t{1} << 62;
  // intel_reqd_sub_group_size(4) gives the most sub-groups.
  p.max_sub_groups = UPSWEEP_MAX_WORK_GROUP_SIZE / 4;
  p.sub_group_sizes = {4, 8, 16, 32};
  p.sub_groups_progress = true;
  p.max_parameter_bytes = 4352;
  p.half = p.double_ =
      CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
  p.single = p.double_ | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  p.local_memory_type = CL_GLOBAL;
  p.max_constant_arguments = 480;
  // Program-scope variables are in the code object's data; 64 KiB is the specification's minimum, and x86-64's small code model
  // allows far more than this.
  p.max_global_variable_bytes = size_t{64} << 20;
  p.has_unified_memory = true;
  // A command takes at least 256 bytes. A queue may be large, since nothing is allocated before a kernel enqueues.
  p.on_device = {
      .preferred_queue_bytes = 32 << 20, .max_queue_bytes = 512 << 20, .max_queues = 1024, .max_events = kMaxDeviceEvents};
  p.svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM |
          CL_DEVICE_SVM_ATOMICS;
  // Each pointer of the process is valid in kernels.
  p.usm = {.host = kAllUsmAccesses,
           .device = kAllUsmAccesses,
           .single_shared = kAllUsmAccesses,
           .cross_shared = kAllUsmAccesses,
           .system = kAllUsmAccesses};
  p.atomic_memory = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
                    CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |
                    CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  p.atomic_fence = p.atomic_memory;
}

/// Stack for functions, in addition to a kernel's private variables.
constexpr uint64_t kStackReserve = 128 << 10;

/// The CPUs that the process may use.
std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
  } else {  // more CPUs than fit in the set
    for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace

uint32_t count_allowed_cpus() {
  static const uint32_t count = [] {
    const auto cpus = static_cast<uint32_t>(std::max<size_t>(1, allowed_cpus().size()));
    return std::min(cpus, quota_cpus("/sys/fs/cgroup", "/proc/self/cgroup").value_or(cpus));
  }();
  return count;
}

namespace {

cl_uint worker_count(const std::vector<int> &cpus) {
  // A larger number is probably a typing error; the limit prevents running out of memory.
  constexpr int64_t kMaxWorkers = 1024;
  if (options().threads > 0) return static_cast<cl_uint>(std::min(options().threads, kMaxWorkers));
  return static_cast<cl_uint>(std::clamp<size_t>(cpus.size(), 1, count_allowed_cpus()));
}

}  // namespace

uint64_t worker_stack_bytes() {
  constexpr int64_t kMinStack = 256 << 10;
  return static_cast<uint64_t>(std::max(options().worker_stack, kMinStack));
}

MeasuredCpu measure_cpu() {
  DeviceProperties p;
  set_capabilities(p);
  p.name = brand_name();
  p.vendor = vendor_name();
  p.vendor_id = vendor_id(p.vendor);
  p.uuid = uuid_of(p.vendor, p.name);
  const std::vector<int> cpus = allowed_cpus();
  p.compute_units = worker_count(cpus);
  p.clock_mhz = clock_mhz();
  if (long line = sysconf(_SC_LEVEL1_DCACHE_LINESIZE); line > 0) p.cacheline_bytes = static_cast<cl_uint>(line);
  Topology topology = read_topology("/sys/devices/system", cpus, p.compute_units);
  p.affinity = std::move(topology.levels);
  p.global_memory_bytes = memory_bytes();
  // An object may take most of the memory; the rest is left for the program.
  p.max_allocation_bytes = p.global_memory_bytes / 4 * 3;
  p.max_constant_bytes = p.max_allocation_bytes;
  p.images = linear_image_limits(p);
  // Half a core's second-level cache, so that a work-group's local memory stays in it. But not more than GPUs have, since
  // programs allocate this much for each work-group.
  p.local_memory_bytes = std::clamp<uint64_t>(cache_bytes(p, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE) / 2, 64 << 10, 128 << 10);
  p.private_memory_bytes = worker_stack_bytes() - kStackReserve;
  p.vector_bytes = vector_bytes();
  p.preferred_sub_group_size = p.vector_bytes == 64 ? 16 : 8;
  return {std::move(p), std::move(topology.cpus)};
}

}  // namespace upsweep
