// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueReadImage, clEnqueueWriteImage, clEnqueueFillImage.
#include "api/command_sink.h"
#include "api/entry.h"
#include "api/image_checks.h"
#include "api/memory_checks.h"
#include <algorithm>

using namespace upsweep;

namespace {

/// clEnqueueReadImage and clEnqueueWriteImage, which differ only in direction.
struct ImageHostTransfer {
  cl_command_type type;
  cl_mem image;
  bool blocking;
  const size_t *origin;
  const size_t *region;
  size_t row_pitch;
  size_t slice_pitch;
  void *host;
};

Result<RectLayout> check_host_rect(const Image &image, const ImageRegion &region, const ImageHostTransfer &t) {
  // "CL_INVALID_VALUE … if image is a 1D or 2D image and slice_pitch or input_slice_pitch is not zero"
  const ImageType &type = *image.shape().type;
  if (!type.is_array && type.dims < 3 && t.slice_pitch != 0)
    return fail(CL_INVALID_VALUE, "the slice pitch of a 1D or 2D image is " + std::to_string(t.slice_pitch) + ", not 0");
  const auto rect = host_rect(type, region, image.format().texel_bytes(), t.row_pitch, t.slice_pitch);
  if (!rect)
    return fail(CL_INVALID_VALUE, "row pitch " + std::to_string(t.row_pitch) + " or slice pitch " +
                                      std::to_string(t.slice_pitch) + " does not fit the region");
  if (!t.host) return fail(CL_INVALID_VALUE, "ptr is null");
  // region_end() is SIZE_MAX on overflow, which exceeds the address space for any pointer but null.
  if (auto checked = check_host_range(t.host, region_end(*rect, image.bytes_of(region)), "ptr"); !checked) return fail(checked);
  return *rect;
}

Result<void> transfer_image(cl_command_queue command_queue, const ImageHostTransfer &t, const EventArguments &events) {
  const bool reads = t.type == CL_COMMAND_READ_IMAGE;
  auto queue = Queue::from(command_queue);
  if (!queue) return fail(queue);
  auto image = check_image(**queue, t.image);
  if (!image) return fail(image);
  auto region = check_image_region(**image, t.origin, t.region, "origin");
  if (!region) return fail(region);
  auto host_layout = check_host_rect(**image, *region, t);
  if (!host_layout) return fail(host_layout);
  const Place of_image = place_in(**image);
  const Place host = place_at(t.host);
  const RectLayout rect = (*image)->rect_of(*region);
  const Size3 bytes = (*image)->bytes_of(*region);
  Transfer copy =
      reads ? rect_copy(host, of_image, *host_layout, rect, bytes) : rect_copy(of_image, host, rect, *host_layout, bytes);
  auto usable = check_image_device(**queue, **image);
  if (usable) usable = reads ? check_host_may_read(**image) : check_host_may_write(**image);
  return enqueue_checked(**queue, t.type, std::move(copy), events, t.blocking, usable);
}

}  // namespace

Result<void> upsweep::fill_image(const CommandSink &sink, cl_mem image, const void *fill_color, const size_t *origin,
                                 const size_t *region) {
  auto queue = sink.queue();
  if (!queue) return fail(queue);
  auto object = check_image(**queue, image);
  if (!object) return fail(object);
  if (!fill_color) return fail(CL_INVALID_VALUE, "fill_color is null");
  auto checked = check_image_region(**object, origin, region, "origin");
  if (!checked) return fail(checked);
  const auto colour = encode_texel((*object)->format(), fill_color);
  Transfer fill = make_rect_fill(place_in(**object), (*object)->rect_of(*checked), (*object)->bytes_of(*checked), colour.data(),
                                 (*object)->format().texel_bytes());
  return sink.take(**queue, CL_COMMAND_FILL_IMAGE, std::move(fill), check_image_device(**queue, **object));
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read, const size_t *origin,
                                      const size_t *region, size_t row_pitch, size_t slice_pitch, void *ptr,
                                      cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return transfer_image(
        command_queue, {CL_COMMAND_READ_IMAGE, image, blocking_read != CL_FALSE, origin, region, row_pitch, slice_pitch, ptr},
        {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_write,
                                       const size_t *origin, const size_t *region, size_t input_row_pitch,
                                       size_t input_slice_pitch, const void *ptr, cl_uint num_events_in_wait_list,
                                       const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return transfer_image(command_queue,
                          {CL_COMMAND_WRITE_IMAGE, image, blocking_write != CL_FALSE, origin, region, input_row_pitch,
                           input_slice_pitch, const_cast<void *>(ptr)},
                          {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem image, const void *fill_color,
                                      const size_t *origin, const size_t *region, cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return fill_image(QueueSink(command_queue, {num_events_in_wait_list, event_wait_list, event}), image, fill_color, origin,
                      region);
  });
}
