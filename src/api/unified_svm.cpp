// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clSVMAllocWithPropertiesKHR, clSVMFreeWithPropertiesKHR, clGetSVMPointerInfoKHR, clGetSVMSuggestedTypeIndexKHR.
#include "base/unified_svm.h"
#include "api/entry.h"
#include "api/info.h"
#include "runtime/memory/host_memory.h"
#include "runtime/memory/svm.h"
#include "runtime/memory/svm_types.h"
#include "runtime/memory/usm.h"
#include "runtime/objects/context.h"
#include <algorithm>
#include <bit>

using namespace upsweep;

namespace {

struct SvmProperties {
  std::vector<cl_svm_alloc_properties_khr> list;  ///< with its end; empty without a list
  Device *device = nullptr;                       ///< CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR
  cl_svm_alloc_access_flags_khr access = 0;       ///< CL_SVM_ALLOC_ACCESS_FLAGS_KHR, which are hints
};

constexpr cl_svm_alloc_access_flags_khr kAccessFlags =
    CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR |
    CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR;

Result<Device *> check_device(const Context &context, cl_device_id handle) {
  auto device = Device::from(handle);
  if (!device) return fail(device);
  if (!context.contains(**device)) return fail(CL_INVALID_DEVICE, "device is not associated with context");
  return *device;
}

Result<void> read_property(const Context &context, cl_svm_alloc_properties_khr name, cl_svm_alloc_properties_khr value,
                           SvmProperties &read) {
  switch (name) {
  case CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR: {
    if (value == 0) return {};                                                   // no device, as without the property
    auto device = check_device(context, reinterpret_cast<cl_device_id>(value));  // NOLINT(performance-no-int-to-ptr)
    if (!device) return fail(device);
    read.device = *device;
    return {};
  }
  case CL_SVM_ALLOC_ACCESS_FLAGS_KHR:
    if (value & ~kAccessFlags) return fail(CL_INVALID_PROPERTY, "CL_SVM_ALLOC_ACCESS_FLAGS_KHR has unknown bits");
    read.access = value;
    return {};
  case CL_SVM_ALLOC_ALIGNMENT_KHR:
    // 0 asks for the largest type's alignment, which is also the largest supported alignment and that of all allocations.
    if (value == 0 || (std::has_single_bit(value) && value <= kBaseAddressAlignment)) return {};
    return fail(CL_INVALID_PROPERTY, "CL_SVM_ALLOC_ALIGNMENT_KHR is " + std::to_string(value) + ", not a power of two up to " +
                                         std::to_string(kBaseAddressAlignment));
  default: return fail(CL_INVALID_PROPERTY, "property " + std::to_string(name) + " is unknown");
  }
}

/// CL_INVALID_PROPERTY for a name or a value that is not supported, or a name that is repeated.
Result<SvmProperties> read_properties(const Context &context, const cl_svm_alloc_properties_khr *properties) {
  SvmProperties read;
  if (!properties) return read;
  for (; *properties != 0; properties += 2) {
    for (size_t i = 0; i < read.list.size(); i += 2)
      if (read.list[i] == *properties)
        return fail(CL_INVALID_PROPERTY, "property " + std::to_string(*properties) + " is repeated");
    if (auto done = read_property(context, properties[0], properties[1], read); !done) return fail(done);
    read.list.insert(read.list.end(), properties, properties + 2);
  }
  read.list.push_back(0);
  return read;
}

/// The capabilities of the type on the associated device, or common to all devices of the context that support the type.
cl_svm_capabilities_khr capabilities_for(SvmType type, const Context &context, const Device *device) {
  return device ? capabilities_of(type, device->properties()) : common_capabilities_of(type, context.devices());
}

Result<SvmType> check_type(const Context &context, cl_uint index, const SvmProperties &properties) {
  const auto types = platform_svm_types();
  if (index >= types.size())
    return fail(CL_INVALID_VALUE,
                "svm_type_index is " + std::to_string(index) + ", the platform has " + std::to_string(types.size()) + " types");
  const SvmType type = types[index];
  if (type == SvmType::kSystem)
    return fail(CL_INVALID_VALUE, "svm_type_index is the type of memory that the host's own allocators allocate");
  const cl_svm_capabilities_khr capabilities = capabilities_for(type, context, properties.device);
  if (capabilities == 0)
    return fail(CL_INVALID_VALUE, properties.device ? "the associated device does not support this type of SVM"
                                                    : "no device of the context supports this type of SVM");
  if (!properties.device && !(capabilities & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR))
    return fail(CL_INVALID_DEVICE, "this type of SVM needs CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR");
  return type;
}

Result<void *> allocate(const Context &context, SvmType type, size_t bytes, SvmProperties properties) {
  if (type == SvmType::kCoarse || type == SvmType::kFine) {
    void *memory = allocate_svm(context, type, bytes, kAllocationAlignment, std::move(properties.list));
    if (!memory) return fail(CL_OUT_OF_HOST_MEMORY, std::to_string(bytes) + " bytes could not be allocated");
    return memory;
  }
  UsmRequest request{.kind = type == SvmType::kDevice ? AllocationKind::kDevice
                             : type == SvmType::kHost ? AllocationKind::kHost
                                                      : AllocationKind::kShared,
                     .device = properties.device,
                     .bytes = bytes,
                     .alignment = kBaseAddressAlignment,
                     .flags = 0,
                     .svm = type,
                     .properties = std::move(properties.list)};
  return allocate_usm(context, request);
}

struct PointerQuery {
  const Context &context;
  const Device *device;  ///< the device that the application names; null if it names none
  std::optional<Allocation> found;
  SvmProperties properties;
};

/// The answers for pointers outside of SVM: UINT_MAX for the index, else 0, null, and an empty list.
const InfoEntry<PointerQuery> kPointerInfo[] = {
    {CL_SVM_INFO_TYPE_INDEX_KHR,
     [](const PointerQuery &q, const InfoOut &out) {
       return out.write<cl_uint>(q.found ? index_of(q.found->svm).value_or(CL_UINT_MAX) : CL_UINT_MAX);
     }},
    {CL_SVM_INFO_CAPABILITIES_KHR,
     [](const PointerQuery &q, const InfoOut &out) {
       return out.write<cl_svm_capabilities_khr>(q.found ? capabilities_for(q.found->svm, q.context, q.device) : 0);
     }},
    {CL_SVM_INFO_PROPERTIES_KHR,
     [](const PointerQuery &q, const InfoOut &out) { return out.write_array<cl_svm_alloc_properties_khr>(q.properties.list); }},
    {CL_SVM_INFO_ACCESS_FLAGS_KHR,
     [](const PointerQuery &q, const InfoOut &out) { return out.write<cl_svm_alloc_access_flags_khr>(q.properties.access); }},
    {CL_SVM_INFO_BASE_PTR_KHR,
     [](const PointerQuery &q, const InfoOut &out) { return out.write<void *>(q.found ? q.found->base : nullptr); }},
    {CL_SVM_INFO_SIZE_KHR,
     [](const PointerQuery &q, const InfoOut &out) { return out.write<size_t>(q.found ? q.found->bytes : 0); }},
    {CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR,
     [](const PointerQuery &q, const InfoOut &out) { return out.write<cl_device_id>(q.properties.device); }},
};

/// The type with all required and most of the desired capabilities; of several, the first.
std::optional<cl_uint> suggest(const Context &context, const Device *device, cl_svm_capabilities_khr required,
                               cl_svm_capabilities_khr desired) {
  std::optional<cl_uint> best;
  int most = -1;
  const auto types = platform_svm_types();
  for (cl_uint i = 0; i < types.size(); ++i) {
    const cl_svm_capabilities_khr capabilities = capabilities_for(types[i], context, device);
    const int wanted = std::popcount(capabilities & desired);
    if (capabilities == 0 || (capabilities & required) != required || wanted <= most) continue;
    most = wanted;
    best = i;
  }
  return best;
}

}  // namespace

void *CL_API_CALL clSVMAllocWithPropertiesKHR(cl_context context, const cl_svm_alloc_properties_khr *properties,
                                              cl_uint svm_type_index, size_t size, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<void *> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    auto read = read_properties(**owner, properties);
    if (!read) return fail(read);
    auto type = check_type(**owner, svm_type_index, *read);
    if (!type) return fail(type);
    if (size == 0) return fail(CL_INVALID_BUFFER_SIZE, "size is 0");
    return allocate(**owner, *type, size, *std::move(read));
  });
}

cl_int CL_API_CALL clSVMFreeWithPropertiesKHR(cl_context context, const cl_svm_free_properties_khr *properties,
                                              cl_svm_free_flags_khr flags, void *ptr) {
  return entry(__func__, [&]() -> Result<void> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    if (properties && *properties != 0)
      return fail(CL_INVALID_PROPERTY, "property " + std::to_string(*properties) + " is unknown");
    if (flags != 0) return fail(CL_INVALID_VALUE, "flags has unknown bits");
    free_svm(**owner, ptr);
    return {};
  });
}

cl_int CL_API_CALL clGetSVMPointerInfoKHR(cl_context context, cl_device_id device, const void *ptr,
                                          cl_svm_pointer_info_khr param_name, size_t param_value_size, void *param_value,
                                          size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    Result<Device *> named = nullptr;
    if (device) named = check_device(**owner, device);
    if (!named) return fail(named);
    PointerQuery query{**owner, *named, find_svm(**owner, ptr), {}};
    if (query.found) {
      const auto list = address_table().properties_at(query.found->base);
      auto read = read_properties(**owner, list.empty() ? nullptr : list.data());
      if (read) query.properties = *std::move(read);
    }
    return answer_info(kPointerInfo, query, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clGetSVMSuggestedTypeIndexKHR(cl_context context, cl_svm_capabilities_khr required_capabilities,
                                                 cl_svm_capabilities_khr desired_capabilities,
                                                 const cl_svm_alloc_properties_khr *properties, size_t /*size*/,
                                                 cl_uint *suggested_svm_type_index) {
  return entry(__func__, [&]() -> Result<void> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    auto read = read_properties(**owner, properties);
    if (!read) return fail(read);
    if (!suggested_svm_type_index) return fail(CL_INVALID_VALUE, "suggested_svm_type_index is null");
    // CL_UINT_MAX says that no type has the required capabilities.
    *suggested_svm_type_index =
        suggest(**owner, read->device, required_capabilities, desired_capabilities).value_or(CL_UINT_MAX);
    return {};
  });
}
