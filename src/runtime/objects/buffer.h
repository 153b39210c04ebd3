// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers and sub-buffers.
#ifndef UPSWEEP_RUNTIME_OBJECTS_BUFFER_H
#define UPSWEEP_RUNTIME_OBJECTS_BUFFER_H

#include "runtime/objects/memory_object.h"

namespace upsweep {

class Buffer final : public MemoryObject {
public:
  /// The buffer behind a handle; CL_INVALID_MEM_OBJECT for any other memory object.
  static Result<Buffer *> from(cl_mem handle);

  /// `flags` and `host_ptr` are already validated. Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE.
  static Result<Ref<Buffer>> create(Context &context, cl_mem_flags flags, size_t size, void *host_ptr,
                                    std::vector<cl_mem_properties> properties);
  /// `flags` include those inherited from the parent.
  static Ref<Buffer> create_sub_buffer(Buffer &parent, cl_mem_flags flags, size_t origin, size_t size);

  /// Whether [offset, offset + bytes) is inside the buffer.
  bool contains(size_t offset, size_t bytes) const { return offset <= size() && bytes <= size() - offset; }

  explicit Buffer(Parts parts) : MemoryObject(std::move(parts)) {}
};

}  // namespace upsweep
#endif
