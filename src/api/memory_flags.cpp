// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags and host pointers of new memory objects.
#include "api/memory_flags.h"
#include "runtime/memory/usm.h"
#include "runtime/objects/context.h"
#include <bit>
#include <cstdint>

namespace upsweep {

bool has_several(cl_mem_flags flags, cl_mem_flags of) { return std::popcount(flags & of) > 1; }

Result<void> check_memory_flags(cl_mem_flags flags) {
  if (flags & ~(kDeviceAccess | kHostPointer | kHostAccess))
    return fail(CL_INVALID_VALUE, "flags has bits that are not memory flags: " + std::to_string(flags));
  if (has_several(flags, kDeviceAccess) || has_several(flags, kHostAccess))
    return fail(CL_INVALID_VALUE, "flags names more than one kind of access");
  if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return fail(CL_INVALID_VALUE, "CL_MEM_USE_HOST_PTR excludes CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR");
  return {};
}

Result<void> check_inherited_flags(cl_mem_flags parent, cl_mem_flags flags) {
  if (auto checked = check_memory_flags(flags); !checked) return checked;
  if (flags & kHostPointer) return fail(CL_INVALID_VALUE, "only the object that owns the memory takes host-pointer flags");
  const bool widens_device = ((parent & CL_MEM_WRITE_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) ||
                             ((parent & CL_MEM_READ_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)));
  const bool widens_host = ((parent & CL_MEM_HOST_WRITE_ONLY) && (flags & CL_MEM_HOST_READ_ONLY)) ||
                           ((parent & CL_MEM_HOST_READ_ONLY) && (flags & CL_MEM_HOST_WRITE_ONLY)) ||
                           ((parent & CL_MEM_HOST_NO_ACCESS) && (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)));
  if (widens_device || widens_host)
    return fail(CL_INVALID_VALUE, "flags allow an access that the parent object's flags forbid");
  return {};
}

cl_mem_flags inherit_flags(cl_mem_flags parent, cl_mem_flags flags) {
  if (!(flags & kDeviceAccess)) flags |= parent & kDeviceAccess;
  if (!(flags & kHostAccess)) flags |= parent & kHostAccess;
  return flags | (parent & kHostPointer);
}

Result<void> check_host_ptr(const Context &context, cl_mem_flags flags, size_t bytes, const void *host_ptr) {
  const bool wants_pointer = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
  if (wants_pointer != (host_ptr != nullptr))
    return fail(CL_INVALID_HOST_PTR,
                wants_pointer ? "host_ptr is null but flags use it" : "host_ptr is given but flags do not use it");
  uintptr_t end = 0;
  if (__builtin_add_overflow(reinterpret_cast<uintptr_t>(host_ptr), bytes, &end))
    return fail(CL_INVALID_HOST_PTR, "host_ptr and size leave the address space");
  if (const auto found = find_usm(context, host_ptr);
      found && found->kind == AllocationKind::kDevice && found->device->target().memory())
    return fail(CL_INVALID_HOST_PTR, "host_ptr is a device's own memory, out of the host's reach");
  return {};
}

Result<std::vector<cl_mem_properties>> check_memory_properties(const cl_mem_properties *properties) {
  std::vector<cl_mem_properties> list;
  if (!properties) return list;
  if (*properties) return fail(CL_INVALID_PROPERTY, "property " + std::to_string(*properties) + " is not supported");
  list.push_back(0);
  return list;
}

}  // namespace upsweep
