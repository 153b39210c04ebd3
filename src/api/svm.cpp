// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clSVMAlloc, clSVMFree.
#include "runtime/memory/svm.h"
#include "api/entry.h"
#include "runtime/memory/host_memory.h"
#include "runtime/objects/context.h"
#include <algorithm>
#include <bit>

using namespace upsweep;

namespace {

Result<void *> allocate(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  auto owner = Context::from(context);
  if (!owner) return fail(owner);
  constexpr cl_svm_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  if (flags & ~(kAccess | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS))
    return fail(CL_INVALID_VALUE, "flags has bits that are not SVM flags");
  if (std::popcount(flags & kAccess) > 1) return fail(CL_INVALID_VALUE, "flags names more than one kind of access");
  if ((flags & CL_MEM_SVM_ATOMICS) && !(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER))
    return fail(CL_INVALID_VALUE, "CL_MEM_SVM_ATOMICS needs CL_MEM_SVM_FINE_GRAIN_BUFFER");
  for (const Ref<Device> &device : (*owner)->devices())
    if (size == 0 || size > device->properties().max_allocation_bytes)
      return fail(CL_INVALID_BUFFER_SIZE, "size is 0 or more than a device allows");
  // 0 asks for the largest type's alignment, which is also the largest supported alignment.
  if (alignment != 0 && (!std::has_single_bit(alignment) || alignment > kBaseAddressAlignment))
    return fail(CL_INVALID_VALUE, "alignment is not a power of two up to " + std::to_string(kBaseAddressAlignment));
  const SvmType type = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER ? SvmType::kFine : SvmType::kCoarse;
  void *memory = allocate_svm(**owner, type, size, kAllocationAlignment);
  if (!memory) return fail(CL_OUT_OF_HOST_MEMORY, std::to_string(size) + " bytes could not be allocated");
  return memory;
}

}  // namespace

void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  return entry(__func__, nullptr, [&] { return allocate(context, flags, size, alignment); });
}

void CL_API_CALL clSVMFree(cl_context context, void *svm_pointer) {
  (void)entry(__func__,
              [&] { return Context::from(context).map([&](const Context *owner) { free_svm(*owner, svm_pointer); }); });
}
