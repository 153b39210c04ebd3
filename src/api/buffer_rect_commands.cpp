// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueReadBufferRect, clEnqueueWriteBufferRect, clEnqueueCopyBufferRect.
#include "api/command_sink.h"
#include "api/entry.h"
#include "api/memory_checks.h"
#include "runtime/commands/rect_copy.h"

using namespace upsweep;

namespace {

Result<Size3> check_size3(const size_t *values, const char *name) {
  if (!values) return fail(CL_INVALID_VALUE, std::string(name) + " is null");
  return Size3{values[0], values[1], values[2]};
}

Result<Size3> check_region(const size_t *values) {
  auto region = check_size3(values, "region");
  if (region && ((*region)[0] == 0 || (*region)[1] == 0 || (*region)[2] == 0))
    return fail(CL_INVALID_VALUE, "region has an extent of 0");
  return region;
}

/// Completes the given origin and pitches, and checks them for this region.
Result<RectLayout> check_layout(const size_t *origin, size_t row_pitch, size_t slice_pitch, const Size3 &region,
                                const char *name) {
  auto start = check_size3(origin, name);
  if (!start) return fail(start);
  RectLayout layout{*start, row_pitch, slice_pitch};
  if (!complete_pitches(layout, region))
    return fail(CL_INVALID_VALUE, std::string("row or slice pitch does not fit the region for ") + name);
  return layout;
}

Result<void> check_inside(const Buffer &buffer, const RectLayout &layout, const Size3 &region) {
  if (region_end(layout, region) > buffer.size())
    return fail(CL_INVALID_VALUE, "the region leaves the buffer of " + std::to_string(buffer.size()) + " bytes");
  return {};
}

/// The common parameters of clEnqueueReadBufferRect and clEnqueueWriteBufferRect.
struct RectTransfer {
  cl_command_type type;
  cl_mem buffer;
  bool blocking;
  const size_t *buffer_origin;
  const size_t *host_origin;
  const size_t *region;
  size_t buffer_row_pitch;
  size_t buffer_slice_pitch;
  size_t host_row_pitch;
  size_t host_slice_pitch;
  void *host;
};

struct CheckedRects {
  Size3 region;
  RectLayout device;
  RectLayout host;
};

Result<CheckedRects> check_rects(const Buffer &buffer, const RectTransfer &t) {
  auto region = check_region(t.region);
  if (!region) return fail(region);
  auto device = check_layout(t.buffer_origin, t.buffer_row_pitch, t.buffer_slice_pitch, *region, "buffer_origin");
  if (!device) return fail(device);
  auto host = check_layout(t.host_origin, t.host_row_pitch, t.host_slice_pitch, *region, "host_origin");
  if (!host) return fail(host);
  if (auto checked = check_inside(buffer, *device, *region); !checked) return fail(checked);
  if (!t.host) return fail(CL_INVALID_VALUE, "ptr is null");
  // region_end() is SIZE_MAX on overflow, which exceeds the address space for any pointer but null.
  if (auto checked = check_host_range(t.host, region_end(*host, *region), "ptr"); !checked) return fail(checked);
  return CheckedRects{*region, *device, *host};
}

Result<void> transfer(cl_command_queue command_queue, const RectTransfer &t, const EventArguments &events) {
  const bool reads = t.type == CL_COMMAND_READ_BUFFER_RECT;
  auto queue = Queue::from(command_queue);
  if (!queue) return fail(queue);
  auto buffer = check_buffer(**queue, t.buffer);
  if (!buffer) return fail(buffer);
  auto rects = check_rects(**buffer, t);
  if (!rects) return fail(rects);
  const Place device = place_in(**buffer);
  const Place host = place_at(t.host);
  Transfer copy = reads ? rect_copy(host, device, rects->host, rects->device, rects->region)
                        : rect_copy(device, host, rects->device, rects->host, rects->region);
  return enqueue_checked(**queue, t.type, std::move(copy), events, t.blocking,
                         reads ? check_host_may_read(**buffer) : check_host_may_write(**buffer));
}

}  // namespace

Result<void> upsweep::copy_buffer_rect(const CommandSink &sink, const BufferRectCopy &c) {
  auto queue = sink.queue();
  if (!queue) return fail(queue);
  auto copy = check_copy(**queue, c.src_buffer, c.dst_buffer);
  if (!copy) return fail(copy);
  auto &[from, to] = *copy;
  auto extent = check_region(c.region);
  if (!extent) return fail(extent);
  auto source = check_layout(c.src_origin, c.src_row_pitch, c.src_slice_pitch, *extent, "src_origin");
  if (!source) return fail(source);
  auto target = check_layout(c.dst_origin, c.dst_row_pitch, c.dst_slice_pitch, *extent, "dst_origin");
  if (!target) return fail(target);
  if (auto checked = check_inside(from, *source, *extent); !checked) return checked;
  if (auto checked = check_inside(to, *target, *extent); !checked) return checked;
  if (&from == &to && (source->row_pitch != target->row_pitch || source->slice_pitch != target->slice_pitch))
    return fail(CL_INVALID_VALUE, "within one buffer the pitches of source and destination must be equal");
  Result<void> apart;
  if (may_overlap(from, *source, to, *target, *extent)) apart = fail(CL_MEM_COPY_OVERLAP, "source and destination overlap");
  Transfer transfer = rect_copy(place_in(to), place_in(from), *target, *source, *extent);
  return sink.take(**queue, CL_COMMAND_COPY_BUFFER_RECT, std::move(transfer), apart);
}

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
                                           const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
                                           size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                                           size_t host_slice_pitch, void *ptr, cl_uint num_events_in_wait_list,
                                           const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return transfer(command_queue,
                    {CL_COMMAND_READ_BUFFER_RECT, buffer, blocking_read != CL_FALSE, buffer_origin, host_origin, region,
                     buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr},
                    {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
                                            const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
                                            size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                                            size_t host_slice_pitch, const void *ptr, cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return transfer(command_queue,
                    {CL_COMMAND_WRITE_BUFFER_RECT, buffer, blocking_write != CL_FALSE, buffer_origin, host_origin, region,
                     buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch, const_cast<void *>(ptr)},
                    {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
                                           const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                           size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                                           size_t dst_slice_pitch, cl_uint num_events_in_wait_list,
                                           const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return copy_buffer_rect(QueueSink(command_queue, {num_events_in_wait_list, event_wait_list, event}),
                            {src_buffer, dst_buffer, src_origin, dst_origin, region, src_row_pitch, src_slice_pitch,
                             dst_row_pitch, dst_slice_pitch});
  });
}
