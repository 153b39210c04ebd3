// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of memory commands.
#include "api/memory_checks.h"
#include "runtime/commands/bulk_copy.h"
#include <algorithm>
#include <bit>
#include <cstdint>

namespace upsweep {
namespace {

Result<void> check_context(const Queue &queue, const MemoryObject &memory) {
  if (&memory.context() != &queue.context())
    return fail(CL_INVALID_CONTEXT, "the memory object and the command queue belong to different contexts");
  return {};
}

}  // namespace

Result<MemoryObject *> check_memory(const Queue &queue, cl_mem handle) {
  return MemoryObject::from(handle).and_then(
      [&](MemoryObject *memory) { return check_context(queue, *memory).map([&] { return memory; }); });
}

Result<Buffer *> check_buffer(const Queue &queue, cl_mem handle) {
  return Buffer::from(handle).and_then(
      [&](Buffer *buffer) { return check_context(queue, *buffer).map([&] { return buffer; }); });
}

Result<CopyObjects> check_copy(const Queue &queue, cl_mem src_buffer, cl_mem dst_buffer) {
  auto from = check_buffer(queue, src_buffer);
  if (!from) return fail(from);
  auto to = check_buffer(queue, dst_buffer);
  if (!to) return fail(to);
  return CopyObjects{**from, **to};
}

Result<void> check_range(const Buffer &buffer, size_t offset, size_t bytes) {
  if (buffer.contains(offset, bytes)) return {};
  return fail(CL_INVALID_VALUE, "offset " + std::to_string(offset) + " and size " + std::to_string(bytes) +
                                    " leave the buffer of " + std::to_string(buffer.size()) + " bytes");
}

Result<void> check_host_range(const void *pointer, size_t bytes, const char *name) {
  uintptr_t end = 0;
  if (!__builtin_add_overflow(reinterpret_cast<uintptr_t>(pointer), bytes, &end)) return {};
  return fail(CL_INVALID_VALUE, std::to_string(bytes) + " bytes at " + name + " leave the address space");
}

bool ranges_overlap(const void *a, const void *b, size_t bytes) {
  const auto first = reinterpret_cast<uintptr_t>(a);
  const auto second = reinterpret_cast<uintptr_t>(b);
  return std::max(first, second) - std::min(first, second) < bytes;
}

Result<void> check_host_may_read(const MemoryObject &memory) {
  if (memory.flags() & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS))
    return fail(CL_INVALID_OPERATION, "the memory object's flags forbid the host to read it");
  return {};
}

Result<void> check_host_may_write(const MemoryObject &memory) {
  if (memory.flags() & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))
    return fail(CL_INVALID_OPERATION, "the memory object's flags forbid the host to write it");
  return {};
}

bool may_overlap(const MemoryObject &from, const RectLayout &from_layout, const MemoryObject &to, const RectLayout &to_layout,
                 const Size3 &region) {
  if (&from.root() != &to.root()) return false;
  if (from_layout.row_pitch == to_layout.row_pitch && from_layout.slice_pitch == to_layout.slice_pitch) {
    RectLayout a = from_layout;
    RectLayout b = to_layout;
    a.origin[0] += from.origin();
    b.origin[0] += to.origin();
    return regions_overlap(a, b, region);
  }
  return from.origin() + region_begin(from_layout) < to.origin() + region_end(to_layout, region) &&
         to.origin() + region_begin(to_layout) < from.origin() + region_end(from_layout, region);
}

Result<void> check_fill_pattern(const void *pattern, size_t pattern_bytes, size_t offset, size_t bytes) {
  if (!pattern) return fail(CL_INVALID_VALUE, "pattern is null");
  if (!std::has_single_bit(pattern_bytes) || pattern_bytes > kMaxFillPattern)
    return fail(CL_INVALID_VALUE, "pattern_size is " + std::to_string(pattern_bytes) + ", not a power of two up to 128");
  if (offset % pattern_bytes != 0 || bytes % pattern_bytes != 0)
    return fail(CL_INVALID_VALUE,
                "offset and size must be multiples of pattern_size, which is " + std::to_string(pattern_bytes));
  return {};
}

}  // namespace upsweep
