// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clHostMemAllocINTEL, clDeviceMemAllocINTEL, clSharedMemAllocINTEL, clMemFreeINTEL, clMemBlockingFreeINTEL,
// clGetMemAllocInfoINTEL.
#include "runtime/memory/usm.h"
#include "api/entry.h"
#include "api/info.h"
#include "runtime/memory/host_memory.h"
#include "runtime/objects/context.h"
#include <CL/cl_ext.h>
#include <algorithm>
#include <bit>

using namespace upsweep;

namespace {

/// The application's arguments of an allocation.
struct UsmArguments {
  const cl_mem_properties_intel *properties;
  size_t size;
  cl_uint alignment;
};

using Supports = bool (*)(const UsmCapabilities &);
bool supports_host(const UsmCapabilities &usm) { return usm.host != 0; }
bool supports_shared(const UsmCapabilities &usm) { return usm.any_shared(); }

constexpr cl_mem_alloc_flags_intel kPlacements =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

/// "CL_INVALID_VALUE if alignment is not zero or a power of two" or "is greater than the size of the largest data type", which
/// is the same for all devices.
Result<void> check_usm_alignment(cl_uint alignment) {
  if (alignment == 0 || (std::has_single_bit(alignment) && alignment <= kBaseAddressAlignment)) return {};
  return fail(CL_INVALID_VALUE, "alignment is " + std::to_string(alignment) + ", not a power of two up to " +
                                    std::to_string(kBaseAddressAlignment));
}

/// CL_MEM_ALLOC_FLAGS_INTEL of the list. "CL_INVALID_PROPERTY if a memory property name in properties is not a supported
/// property name, if the value specified for a supported property name is not valid, or if the same property name is specified
/// more than once."
Result<cl_mem_alloc_flags_intel> read_properties(const cl_mem_properties_intel *properties, AllocationKind kind) {
  cl_mem_alloc_flags_intel flags = 0;
  bool has_flags = false;
  for (; properties && *properties != 0; properties += 2) {
    if (*properties != CL_MEM_ALLOC_FLAGS_INTEL)
      return fail(CL_INVALID_PROPERTY, "property " + std::to_string(*properties) + " is unknown");
    if (std::exchange(has_flags, true)) return fail(CL_INVALID_PROPERTY, "CL_MEM_ALLOC_FLAGS_INTEL is there twice");
    flags = properties[1];
  }
  if (flags & ~(kPlacements | CL_MEM_ALLOC_WRITE_COMBINED_INTEL))
    return fail(CL_INVALID_PROPERTY, "CL_MEM_ALLOC_FLAGS_INTEL has unknown bits");
  // "either the CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL or CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL flags are specified";
  // for shared allocations "both".
  const bool is_shared = kind == AllocationKind::kShared;
  if (is_shared ? (flags & kPlacements) == kPlacements : (flags & kPlacements) != 0)
    return fail(CL_INVALID_PROPERTY,
                is_shared ? "the placement flags exclude each other" : "the placement flags are for shared allocations alone");
  return flags;
}

/// "CL_INVALID_BUFFER_SIZE if size is zero or greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE".
Result<void> check_usm_size(size_t size, const Device &device) {
  const cl_ulong most = device.properties().max_allocation_bytes;
  if (size != 0 && size <= most) return {};
  return fail(CL_INVALID_BUFFER_SIZE, "size is " + std::to_string(size) + ", not 1 to " + std::to_string(most));
}

/// The same for each device that supports the kind of allocation.
Result<void> check_usm_size(size_t size, const Context &context, Supports supports) {
  for (const Ref<Device> &device : context.devices())
    if (supports(device->properties().usm))
      if (auto checked = check_usm_size(size, *device); !checked) return checked;
  return {};
}

Result<void *> allocate_kind(const Context &context, AllocationKind kind, Device *device, const UsmArguments &arguments,
                             Supports supports) {
  if (auto checked = check_usm_alignment(arguments.alignment); !checked) return fail(checked);
  auto flags = read_properties(arguments.properties, kind);
  if (!flags) return fail(flags);
  auto sized = device ? check_usm_size(arguments.size, *device) : check_usm_size(arguments.size, context, supports);
  if (!sized) return fail(sized);
  // 0 asks for the largest type's alignment, which is also the largest supported alignment.
  return allocate_usm(context, {kind, device, arguments.size, kBaseAddressAlignment, *flags, SvmType::kNone, {}});
}

/// "CL_INVALID_OPERATION if …, indicating that no devices in context support" such allocations.
Result<void> check_usm_supported(const Context &context, Supports supports) {
  if (std::ranges::any_of(context.devices(), [&](const Ref<Device> &device) { return supports(device->properties().usm); }))
    return {};
  return fail(CL_INVALID_OPERATION, "no device of the context supports such allocations");
}

Result<Device *> check_usm_device(const Context &context, cl_device_id device) {
  auto object = Device::from(device);
  if (!object) return fail(object);
  if (!context.contains(**object)) return fail(CL_INVALID_DEVICE, "device is not associated with context");
  return *object;
}

struct UsmQuery {
  Allocation allocation;
  bool is_known;
};

cl_unified_shared_memory_type_intel type_of(const UsmQuery &query) {
  if (!query.is_known) return CL_MEM_TYPE_UNKNOWN_INTEL;
  switch (query.allocation.kind) {
  case AllocationKind::kHost: return CL_MEM_TYPE_HOST_INTEL;
  case AllocationKind::kDevice: return CL_MEM_TYPE_DEVICE_INTEL;
  case AllocationKind::kShared: return CL_MEM_TYPE_SHARED_INTEL;
  case AllocationKind::kSvm: break;
  }
  return CL_MEM_TYPE_UNKNOWN_INTEL;
}

/// For pointers outside of all allocations the members of UsmQuery are null and 0, as specified.
const InfoEntry<UsmQuery> kAllocationInfo[] = {
    {CL_MEM_ALLOC_TYPE_INTEL,
     [](const UsmQuery &q, const InfoOut &out) { return out.write<cl_unified_shared_memory_type_intel>(type_of(q)); }},
    {CL_MEM_ALLOC_BASE_PTR_INTEL, [](const UsmQuery &q, const InfoOut &out) { return out.write<void *>(q.allocation.base); }},
    {CL_MEM_ALLOC_SIZE_INTEL, [](const UsmQuery &q, const InfoOut &out) { return out.write<size_t>(q.allocation.bytes); }},
    {CL_MEM_ALLOC_DEVICE_INTEL,
     [](const UsmQuery &q, const InfoOut &out) { return out.write<cl_device_id>(const_cast<Device *>(q.allocation.device)); }},
    {CL_MEM_ALLOC_FLAGS_INTEL,
     [](const UsmQuery &q, const InfoOut &out) { return out.write<cl_mem_alloc_flags_intel>(q.allocation.flags); }},
};

Result<void> free_allocation(cl_context context, void *ptr, Result<void> (*free)(Context &, void *)) {
  auto owner = Context::from(context);
  if (!owner) return fail(owner);
  // "If ptr is NULL then no action occurs."
  return ptr ? free(**owner, ptr) : Result<void>();
}

}  // namespace

void *CL_API_CALL clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel *properties, size_t size,
                                      cl_uint alignment, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<void *> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    if (auto supported = check_usm_supported(**owner, supports_host); !supported) return fail(supported);
    return allocate_kind(**owner, AllocationKind::kHost, nullptr, {properties, size, alignment}, supports_host);
  });
}

void *CL_API_CALL clDeviceMemAllocINTEL(cl_context context, cl_device_id device, const cl_mem_properties_intel *properties,
                                        size_t size, cl_uint alignment, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<void *> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    auto object = check_usm_device(**owner, device);
    if (!object) return fail(object);
    if ((*object)->properties().usm.device == 0)
      return fail(CL_INVALID_OPERATION, "device does not support device allocations");
    return allocate_kind(**owner, AllocationKind::kDevice, *object, {properties, size, alignment}, nullptr);
  });
}

void *CL_API_CALL clSharedMemAllocINTEL(cl_context context, cl_device_id device, const cl_mem_properties_intel *properties,
                                        size_t size, cl_uint alignment, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<void *> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    Result<Device *> object = nullptr;
    if (device) object = check_usm_device(**owner, device);
    if (!object) return fail(object);
    if (*object && !(*object)->properties().usm.any_shared())
      return fail(CL_INVALID_OPERATION, "device does not support shared allocations");
    if (auto supported = check_usm_supported(**owner, supports_shared); !supported) return fail(supported);
    return allocate_kind(**owner, AllocationKind::kShared, *object, {properties, size, alignment}, supports_shared);
  });
}

cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void *ptr) {
  return entry(__func__, [&] { return free_allocation(context, ptr, free_usm); });
}

cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void *ptr) {
  return entry(__func__, [&] { return free_allocation(context, ptr, free_usm_after_commands); });
}

cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void *ptr, cl_mem_info_intel param_name,
                                          size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    const std::optional<Allocation> found = find_usm(**owner, ptr);
    return answer_info(kAllocationInfo, UsmQuery{found.value_or(Allocation()), found.has_value()}, param_name,
                       {param_value_size, param_value, param_value_size_ret});
  });
}
