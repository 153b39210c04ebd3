// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueCopyImage, clEnqueueCopyImageToBuffer, clEnqueueCopyBufferToImage.
#include "api/command_sink.h"
#include "api/entry.h"
#include "api/image_checks.h"
#include "api/memory_checks.h"

using namespace upsweep;

namespace {

/// The texels in the buffer have no gaps.
Result<RectLayout> check_packed(const Buffer &buffer, size_t offset, const Size3 &bytes) {
  // Cannot overflow: the region has at most the image's size.
  const size_t slice = bytes[0] * bytes[1];
  if (auto checked = check_range(buffer, offset, slice * bytes[2]); !checked) return fail(checked);
  return RectLayout{{0, 0, 0}, bytes[0], slice};
}

}  // namespace

namespace upsweep {

Result<void> copy_image_and_buffer(const CommandSink &sink, const ImageBufferCopy &c) {
  const bool from_image = c.type == CL_COMMAND_COPY_IMAGE_TO_BUFFER;
  auto queue = sink.queue();
  if (!queue) return fail(queue);
  auto image = check_image(**queue, c.image);
  if (!image) return fail(image);
  auto buffer = check_buffer(**queue, c.buffer);
  if (!buffer) return fail(buffer);
  // "CL_INVALID_MEM_OBJECT … if src_image is a 1D image buffer object created from dst_buffer"
  if ((*image)->type() == CL_MEM_OBJECT_IMAGE1D_BUFFER && (*image)->parent() == *buffer)
    return fail(CL_INVALID_MEM_OBJECT, "the image was created from the buffer");
  auto region = check_image_region(**image, c.origin, c.region, from_image ? "src_origin" : "dst_origin");
  if (!region) return fail(region);
  const Size3 bytes = (*image)->bytes_of(*region);
  auto packed = check_packed(**buffer, c.offset, bytes);
  if (!packed) return fail(packed);
  const RectLayout rect = (*image)->rect_of(*region);
  RectLayout in_buffer = *packed;
  in_buffer.origin[0] = c.offset;
  auto usable = check_image_device(**queue, **image);
  // The specification does not mention other images of the buffer.
  if (usable && may_overlap(**image, rect, **buffer, in_buffer, bytes))
    usable = fail(CL_MEM_COPY_OVERLAP, "source and destination overlap");
  const Place of_image = place_in(**image);
  const Place of_buffer = place_in(**buffer, c.offset);
  Transfer transfer =
      from_image ? rect_copy(of_buffer, of_image, *packed, rect, bytes) : rect_copy(of_image, of_buffer, rect, *packed, bytes);
  return sink.take(**queue, c.type, std::move(transfer), usable);
}

Result<void> copy_image(const CommandSink &sink, cl_mem src_image, cl_mem dst_image, const size_t *src_origin,
                        const size_t *dst_origin, const size_t *region) {
  auto queue = sink.queue();
  if (!queue) return fail(queue);
  auto from = check_image(**queue, src_image);
  if (!from) return fail(from);
  auto to = check_image(**queue, dst_image);
  if (!to) return fail(to);
  const cl_image_format a = (*from)->format().value(), b = (*to)->format().value();
  if (a.image_channel_order != b.image_channel_order || a.image_channel_data_type != b.image_channel_data_type)
    return fail(CL_IMAGE_FORMAT_MISMATCH, "src_image and dst_image have different formats");
  auto source = check_image_region(**from, src_origin, region, "src_origin");
  if (!source) return fail(source);
  auto target = check_image_region(**to, dst_origin, region, "dst_origin");
  if (!target) return fail(target);
  const RectLayout from_rect = (*from)->rect_of(*source), to_rect = (*to)->rect_of(*target);
  const Size3 bytes = (*from)->bytes_of(*source);
  auto usable = check_image_device(**queue, **from);
  if (usable) usable = check_image_device(**queue, **to);
  if (usable && may_overlap(**from, from_rect, **to, to_rect, bytes))
    usable = fail(CL_MEM_COPY_OVERLAP, "source and destination overlap");
  Transfer transfer = rect_copy(place_in(**to), place_in(**from), to_rect, from_rect, bytes);
  return sink.take(**queue, CL_COMMAND_COPY_IMAGE, std::move(transfer), usable);
}

}  // namespace upsweep

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image,
                                      const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                      cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return copy_image(QueueSink(command_queue, {num_events_in_wait_list, event_wait_list, event}), src_image, dst_image,
                      src_origin, dst_origin, region);
  });
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_buffer,
                                              const size_t *src_origin, const size_t *region, size_t dst_offset,
                                              cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                              cl_event *event) {
  return entry(__func__, [&] {
    return copy_image_and_buffer(QueueSink(command_queue, {num_events_in_wait_list, event_wait_list, event}),
                                 {CL_COMMAND_COPY_IMAGE_TO_BUFFER, src_image, dst_buffer, src_origin, region, dst_offset});
  });
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image,
                                              size_t src_offset, const size_t *dst_origin, const size_t *region,
                                              cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                              cl_event *event) {
  return entry(__func__, [&] {
    return copy_image_and_buffer(QueueSink(command_queue, {num_events_in_wait_list, event_wait_list, event}),
                                 {CL_COMMAND_COPY_BUFFER_TO_IMAGE, dst_image, src_buffer, dst_origin, region, src_offset});
  });
}
