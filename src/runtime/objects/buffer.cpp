// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates buffers and sub-buffers. With CL_MEM_USE_HOST_PTR the application's memory is the buffer's host memory.
#include "runtime/objects/buffer.h"
#include "runtime/check/initialisation.h"
#include "runtime/commands/bulk_copy.h"
#include "runtime/memory/svm.h"

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
  auto buffer = make_ref<Buffer>(Parts{.context = Ref(&context),
                                       .type = CL_MEM_OBJECT_BUFFER,
                                       .flags = flags,
                                       .size = size,
                                       .properties = std::move(properties),
                                       .host_ptr = uses_host_ptr ? static_cast<char *>(host_ptr) : nullptr,
                                       .parent = nullptr,
                                       .uses_svm_pointer = uses_host_ptr && find_svm(context, host_ptr).has_value()});
  // If all devices use host memory, allocate it now; otherwise only if the application needs it.
  if (context.works_in_host_memory() || (flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR))) {
    auto memory = buffer->host();
    if (!memory) return fail(memory);
    if (flags & CL_MEM_COPY_HOST_PTR) copy_bytes(*memory, host_ptr, size);
    if (!buffer->can_have_copies()) begin_object(*memory, size, flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR));
  }
  return buffer;
}

Ref<Buffer> Buffer::create_sub_buffer(Buffer &parent, cl_mem_flags flags, size_t origin, size_t size) {
  char *parent_pointer = static_cast<char *>(parent.host_ptr());
  return make_ref<Buffer>(Parts{.context = Ref(&parent.context()),
                                .type = CL_MEM_OBJECT_BUFFER,
                                .flags = flags,
                                .size = size,
                                .properties = {},
                                .host_ptr = parent_pointer ? parent_pointer + origin : nullptr,
                                .parent = Ref<MemoryObject>(&parent),
                                .origin = origin,
                                .uses_svm_pointer = parent.uses_svm_pointer()});
}

}  // namespace upsweep
