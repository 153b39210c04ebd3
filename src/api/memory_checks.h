// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that the commands on memory objects share.
#ifndef UPSWEEP_API_MEMORY_CHECKS_H
#define UPSWEEP_API_MEMORY_CHECKS_H

#include "runtime/commands/rect_copy.h"
#include "runtime/objects/buffer.h"
#include "runtime/objects/queue.h"

namespace upsweep {

/// A memory object that a command of `queue` may use.
Result<MemoryObject *> check_memory(const Queue &queue, cl_mem handle);

/// A buffer that a command of `queue` may use.
Result<Buffer *> check_buffer(const Queue &queue, cl_mem handle);

/// The queue and the two buffers that a copy names.
struct CopyObjects {
  Queue &queue;
  Buffer &from;
  Buffer &to;
};
Result<CopyObjects> check_copy(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer);

/// CL_INVALID_VALUE unless [offset, offset + bytes) lies in the buffer.
Result<void> check_range(const Buffer &buffer, size_t offset, size_t bytes);

/// CL_INVALID_VALUE when `bytes` bytes of host memory at `pointer`, which the argument `name` gives, wrap around the address
/// space.
Result<void> check_host_range(const void *pointer, size_t bytes, const char *name);

/// CL_INVALID_OPERATION when the buffer's flags forbid the host to read, or to write.
Result<void> check_host_may_read(const MemoryObject &memory);
Result<void> check_host_may_write(const MemoryObject &memory);

/// Overlap of two regions of one allocation. Exact for equal pitches, which the specification demands within one buffer; for
/// two objects of one allocation with other pitches the whole spans are compared.
bool may_overlap(const MemoryObject &from, const RectLayout &from_layout, const MemoryObject &to, const RectLayout &to_layout,
                 const Size3 &region);

/// CL_INVALID_VALUE unless a fill with this pattern over [offset, offset + bytes) is one that the specification allows.
Result<void> check_fill_pattern(const void *pattern, size_t pattern_bytes, size_t offset, size_t bytes);

}  // namespace upsweep
#endif
