// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks common to commands on memory objects.
#ifndef UPSWEEP_API_MEMORY_CHECKS_H
#define UPSWEEP_API_MEMORY_CHECKS_H

#include "runtime/commands/rect_copy.h"
#include "runtime/objects/buffer.h"
#include "runtime/objects/queue.h"

namespace upsweep {

/// The memory object, if a command of `queue` may use it.
Result<MemoryObject *> check_memory(const Queue &queue, cl_mem handle);

/// The buffer, if a command of `queue` may use it.
Result<Buffer *> check_buffer(const Queue &queue, cl_mem handle);

/// The two buffers of a copy.
struct CopyObjects {
  Buffer &from;
  Buffer &to;
};
Result<CopyObjects> check_copy(const Queue &queue, cl_mem src_buffer, cl_mem dst_buffer);

/// CL_INVALID_VALUE unless [offset, offset + bytes) is inside the buffer.
Result<void> check_range(const Buffer &buffer, size_t offset, size_t bytes);

/// CL_INVALID_VALUE if `bytes` bytes of host memory at `pointer`, the argument `name`, wrap around the address space.
Result<void> check_host_range(const void *pointer, size_t bytes, const char *name);

/// Whether `bytes` bytes at each of two pointers overlap.
bool ranges_overlap(const void *a, const void *b, size_t bytes);

/// CL_INVALID_OPERATION if the buffer's flags forbid the host to read, or to write.
Result<void> check_host_may_read(const MemoryObject &memory);
Result<void> check_host_may_write(const MemoryObject &memory);

/// Whether two regions of one allocation may overlap. Exact for equal pitches, which the specification demands within one
/// buffer; for two objects of one allocation with different pitches, compares the whole spans.
bool may_overlap(const MemoryObject &from, const RectLayout &from_layout, const MemoryObject &to, const RectLayout &to_layout,
                 const Size3 &region);

/// CL_INVALID_VALUE unless the specification allows a fill of [offset, offset + bytes) with this pattern.
Result<void> check_fill_pattern(const void *pattern, size_t pattern_bytes, size_t offset, size_t bytes);

}  // namespace upsweep
#endif
