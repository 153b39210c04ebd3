// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creation of buffers and sub-buffers. Device memory is host memory, so CL_MEM_USE_HOST_PTR uses the application's memory
// itself.
#include "runtime/buffer.h"
#include "runtime/bulk_copy.h"
#include "runtime/svm.h"

namespace upsweep {

Result<Buffer *> Buffer::from(cl_mem handle) {
  Result<MemoryObject *> object = MemoryObject::from(handle);
  if (!object) return fail(object);
  if ((*object)->type() != CL_MEM_OBJECT_BUFFER) return fail(CL_INVALID_MEM_OBJECT, "the memory object is not a buffer");
  return static_cast<Buffer *>(*object);
}

Result<Ref<Buffer>> Buffer::create(Context &context, cl_mem_flags flags, size_t size, void *host_ptr,
                                   std::vector<cl_mem_properties> properties) {
  const bool uses_host_ptr = flags & CL_MEM_USE_HOST_PTR;
  HostMemory owned = uses_host_ptr ? nullptr : allocate_host_memory(size);
  if (!uses_host_ptr && !owned)
    return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, std::to_string(size) + " bytes could not be allocated");
  if (flags & CL_MEM_COPY_HOST_PTR) copy_bytes(owned.get(), host_ptr, size);
  char *data = uses_host_ptr ? static_cast<char *>(host_ptr) : owned.get();
  const bool uses_svm = uses_host_ptr && find_svm(context, host_ptr).has_value();
  return make_ref<Buffer>(Parts{.context = Ref(&context),
                                .type = CL_MEM_OBJECT_BUFFER,
                                .flags = flags,
                                .size = size,
                                .properties = std::move(properties),
                                .owned = std::move(owned),
                                .data = data,
                                .parent = nullptr,
                                .uses_svm_pointer = uses_svm});
}

Ref<Buffer> Buffer::create_sub_buffer(Buffer &parent, cl_mem_flags flags, size_t origin, size_t size) {
  return make_ref<Buffer>(Parts{.context = Ref(&parent.context()),
                                .type = CL_MEM_OBJECT_BUFFER,
                                .flags = flags,
                                .size = size,
                                .properties = {},
                                .owned = nullptr,
                                .data = parent.data() + origin,
                                .parent = Ref<MemoryObject>(&parent),
                                .origin = origin,
                                .uses_svm_pointer = parent.uses_svm_pointer()});
}

}  // namespace upsweep
