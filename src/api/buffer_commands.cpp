// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueReadBuffer, clEnqueueWriteBuffer, clEnqueueCopyBuffer, clEnqueueFillBuffer.
#include "api/command_sink.h"
#include "api/entry.h"
#include "api/memory_checks.h"
#include <utility>

using namespace upsweep;

namespace {

/// clEnqueueReadBuffer and clEnqueueWriteBuffer, which differ only in direction.
struct BufferHostTransfer {
  cl_command_type type;
  cl_mem buffer;
  bool blocking;
  size_t offset;
  size_t bytes;
  void *host;
};

Result<void> transfer_buffer(cl_command_queue command_queue, const BufferHostTransfer &t, const EventArguments &events) {
  const bool reads = t.type == CL_COMMAND_READ_BUFFER;
  auto queue = Queue::from(command_queue);
  if (!queue) return fail(queue);
  auto buffer = check_buffer(**queue, t.buffer);
  if (!buffer) return fail(buffer);
  if (auto checked = check_range(**buffer, t.offset, t.bytes); !checked) return checked;
  if (!t.host) return fail(CL_INVALID_VALUE, "ptr is null");
  if (auto checked = check_host_range(t.host, t.bytes, "ptr"); !checked) return checked;
  Place device = place_in(**buffer, t.offset);
  Place host = place_at(t.host);
  if (reads) std::swap(device, host);
  Transfer copy = linear_copy(std::move(device), std::move(host), t.bytes);
  return enqueue_checked(**queue, t.type, std::move(copy), events, t.blocking,
                         reads ? check_host_may_read(**buffer) : check_host_may_write(**buffer));
}

/// Source and destination are offsets into their buffers, which may share memory.
Result<void> check_apart(const Buffer &a, size_t a_offset, const Buffer &b, size_t b_offset, size_t bytes) {
  if (&a.root() != &b.root()) return {};
  const size_t a_begin = a.origin() + a_offset;
  const size_t b_begin = b.origin() + b_offset;
  if (a_begin >= b_begin + bytes || b_begin >= a_begin + bytes) return {};
  return fail(CL_MEM_COPY_OVERLAP, "source and destination overlap");
}

}  // namespace

namespace upsweep {

Result<void> copy_buffer(const CommandSink &sink, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                         size_t size) {
  auto queue = sink.queue();
  if (!queue) return fail(queue);
  auto copy = check_copy(**queue, src_buffer, dst_buffer);
  if (!copy) return fail(copy);
  auto &[from, to] = *copy;
  if (auto checked = check_range(from, src_offset, size); !checked) return checked;
  if (auto checked = check_range(to, dst_offset, size); !checked) return checked;
  Transfer transfer = linear_copy(place_in(to, dst_offset), place_in(from, src_offset), size);
  return sink.take(**queue, CL_COMMAND_COPY_BUFFER, std::move(transfer), check_apart(from, src_offset, to, dst_offset, size));
}

Result<void> fill_buffer(const CommandSink &sink, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset,
                         size_t size) {
  auto queue = sink.queue();
  if (!queue) return fail(queue);
  auto target = check_buffer(**queue, buffer);
  if (!target) return fail(target);
  if (auto checked = check_range(**target, offset, size); !checked) return checked;
  if (auto checked = check_fill_pattern(pattern, pattern_size, offset, size); !checked) return checked;
  Transfer fill = make_fill(place_in(**target, offset), size, pattern, pattern_size);
  return sink.take(**queue, CL_COMMAND_FILL_BUFFER, std::move(fill));
}

}  // namespace upsweep

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read, size_t offset,
                                       size_t size, void *ptr, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                       cl_event *event) {
  return entry(__func__, [&] {
    return transfer_buffer(command_queue, {CL_COMMAND_READ_BUFFER, buffer, blocking_read != CL_FALSE, offset, size, ptr},
                           {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write, size_t offset,
                                        size_t size, const void *ptr, cl_uint num_events_in_wait_list,
                                        const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return transfer_buffer(command_queue,
                           {CL_COMMAND_WRITE_BUFFER, buffer, blocking_write != CL_FALSE, offset, size, const_cast<void *>(ptr)},
                           {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                                       size_t dst_offset, size_t size, cl_uint num_events_in_wait_list,
                                       const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return copy_buffer(QueueSink(command_queue, {num_events_in_wait_list, event_wait_list, event}), src_buffer, dst_buffer,
                       src_offset, dst_offset, size);
  });
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                                       size_t offset, size_t size, cl_uint num_events_in_wait_list,
                                       const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return fill_buffer(QueueSink(command_queue, {num_events_in_wait_list, event_wait_list, event}), buffer, pattern,
                       pattern_size, offset, size);
  });
}
