// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of SVM that cl_khr_unified_svm lists, and their capabilities.
#ifndef UPSWEEP_RUNTIME_MEMORY_SVM_TYPES_H
#define UPSWEEP_RUNTIME_MEMORY_SVM_TYPES_H

#include "base/unified_svm.h"
#include "runtime/memory/address_table.h"
#include "runtime/objects/device.h"
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace upsweep {

/// In the order in which clGetSVMSuggestedTypeIndexKHR prefers types of equal capabilities.
constexpr std::array kSvmTypes = {SvmType::kDevice, SvmType::kHost, SvmType::kShared,
                                  SvmType::kCoarse, SvmType::kFine, SvmType::kSystem};

/// 0 if the device does not support the type.
cl_svm_capabilities_khr capabilities_of(SvmType type, const DeviceProperties &properties);
/// The capabilities that all devices have which support the type; 0 if there are none.
cl_svm_capabilities_khr common_capabilities_of(SvmType type, std::span<const Ref<Device>> devices);

/// The platform's types: each is supported by at least one device. A type's index is its place here.
std::span<const SvmType> platform_svm_types();
/// The type's place in the platform's list; empty for types that the platform lacks.
std::optional<cl_uint> index_of(SvmType type);

/// CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR and CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR.
std::vector<cl_svm_capabilities_khr> platform_svm_capabilities();
std::vector<cl_svm_capabilities_khr> device_svm_capabilities(const DeviceProperties &properties);

}  // namespace upsweep
#endif
