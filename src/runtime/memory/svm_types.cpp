// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Capabilities of the types of SVM, from a device's capabilities for SVM and for unified shared memory.
#include "runtime/memory/svm_types.h"
#include "runtime/objects/platform.h"
#include <CL/cl_ext.h>
#include <algorithm>

namespace upsweep {
namespace {

using Capabilities = cl_svm_capabilities_khr;
using UsmAccess = cl_device_unified_shared_memory_capabilities_intel;

// All types have one address space with the host and may hold pointers to each other, since kernels can use all addresses.
constexpr Capabilities kKernels = CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_DEVICE_READ_KHR |
                                  CL_SVM_CAPABILITY_DEVICE_WRITE_KHR | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR;
constexpr Capabilities kHostAccess = CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR;
constexpr Capabilities kWholeContext = CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR;

Capabilities of_usm(UsmAccess access, Capabilities further) {
  if (!(access & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL)) return 0;
  return kKernels | further |
         (access & CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL ? CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR : 0) |
         (access & CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL ? CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR : 0) |
         (access & CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL ? CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR
                                                                           : 0);
}

constexpr Capabilities kCoarse =
    kKernels | kWholeContext | CL_SVM_CAPABILITY_HOST_MAP_KHR | CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR;

}  // namespace

cl_svm_capabilities_khr capabilities_of(SvmType type, const DeviceProperties &properties) {
  const UsmCapabilities &usm = properties.usm;
  const bool has_atomics = properties.svm & CL_DEVICE_SVM_ATOMICS;
  switch (type) {
  case SvmType::kNone: return 0;
  case SvmType::kDevice: return of_usm(usm.device, CL_SVM_CAPABILITY_DEVICE_OWNED_KHR);
  case SvmType::kHost: return of_usm(usm.host, kWholeContext | kHostAccess | CL_SVM_CAPABILITY_HOST_OWNED_KHR);
  case SvmType::kShared:
    // Without access to shared memory of other devices, an allocation belongs to its device.
    return of_usm(usm.single_shared, kHostAccess | (usm.cross_shared ? kWholeContext : 0));
  case SvmType::kCoarse: return properties.svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER ? kCoarse : 0;
  case SvmType::kFine:
    if (!(properties.svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) return 0;
    return kCoarse | kHostAccess | CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR |
           (has_atomics ? CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR : 0);
  case SvmType::kSystem:
    return of_usm(usm.system,
                  kWholeContext | kHostAccess | CL_SVM_CAPABILITY_HOST_MAP_KHR | CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR);
  }
  return 0;
}

cl_svm_capabilities_khr common_capabilities_of(SvmType type, std::span<const Ref<Device>> devices) {
  Capabilities common = 0;
  for (const Ref<Device> &device : devices)
    if (const Capabilities own = capabilities_of(type, device->properties())) common = common ? common & own : own;
  return common;
}

std::span<const SvmType> platform_svm_types() {
  static const std::vector<SvmType> types = [] {
    std::vector<SvmType> listed;
    for (const SvmType type : kSvmTypes)
      if (common_capabilities_of(type, Platform::get().devices())) listed.push_back(type);
    return listed;
  }();
  return types;
}

std::optional<cl_uint> index_of(SvmType type) {
  const auto types = platform_svm_types();
  const auto found = std::ranges::find(types, type);
  return found == types.end() ? std::nullopt : std::optional(static_cast<cl_uint>(found - types.begin()));
}

std::vector<cl_svm_capabilities_khr> platform_svm_capabilities() {
  std::vector<Capabilities> list;
  for (const SvmType type : platform_svm_types()) list.push_back(common_capabilities_of(type, Platform::get().devices()));
  return list;
}

std::vector<cl_svm_capabilities_khr> device_svm_capabilities(const DeviceProperties &properties) {
  std::vector<Capabilities> list;
  for (const SvmType type : platform_svm_types()) list.push_back(capabilities_of(type, properties));
  return list;
}

}  // namespace upsweep
