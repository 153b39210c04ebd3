// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCommand…KHR: the commands of command buffers, except kernels.
#include "api/command_buffer_functions.h"
#include "api/command_sink.h"
#include "api/entry.h"

namespace upsweep {

Result<CommandBuffer *> check_command_buffer(const RecordArguments &arguments) {
  auto buffer = CommandBuffer::from(arguments.command_buffer);
  if (!buffer) return fail(buffer);
  // "CL_INVALID_COMMAND_QUEUE if the cl_khr_command_buffer_multi_device extension is not supported and command_queue is not
  // NULL"
  if (arguments.command_queue) return fail(CL_INVALID_COMMAND_QUEUE, "command_queue is not null");
  if (auto checked = (*buffer)->check_recording(); !checked) return fail(checked);
  return buffer;
}

Result<Queue *> BufferSink::queue() const {
  auto buffer = check_command_buffer(arguments_);
  if (!buffer) return fail(buffer);
  if (arguments_.properties && *arguments_.properties)
    return fail(CL_INVALID_VALUE, "property " + std::to_string(*arguments_.properties) + " is unknown");
  if (arguments_.mutable_handle) return fail(CL_INVALID_VALUE, "mutable_handle is not null");
  return &(*buffer)->queue();
}

Result<void> BufferSink::take(Queue &, cl_command_type type, CommandBody &&body, const Result<void> &last_check) const {
  auto buffer = CommandBuffer::from(arguments_.command_buffer);
  if (!buffer) return fail(buffer);
  if (auto checked = (*buffer)->check_sync_points(arguments_.num_sync_points, arguments_.sync_points); !checked) return checked;
  if (!last_check) return last_check;
  auto recorded = (*buffer)->record({type, std::move(body), arguments_.num_sync_points, arguments_.sync_points});
  if (!recorded) return fail(recorded);
  if (arguments_.sync_point) *arguments_.sync_point = recorded->sync_point;
  return {};
}

cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                                   const cl_command_properties_khr *properties,
                                                   cl_uint num_sync_points_in_wait_list,
                                                   const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
                                                   cl_mutable_command_khr *mutable_handle) {
  return entry(__func__, [&]() -> Result<void> {
    const BufferSink sink({command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list,
                           sync_point, mutable_handle});
    auto queue = sink.queue();
    if (!queue) return fail(queue);
    return sink.take(**queue, CL_COMMAND_BARRIER, {}, {});
  });
}

cl_int CL_API_CALL clCommandCopyBufferKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                          const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_buffer,
                                          size_t src_offset, size_t dst_offset, size_t size,
                                          cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
                                          cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle) {
  return entry(__func__, [&] {
    const BufferSink sink({command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list,
                           sync_point, mutable_handle});
    return copy_buffer(sink, src_buffer, dst_buffer, src_offset, dst_offset, size);
  });
}

cl_int CL_API_CALL clCommandCopyBufferRectKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                              const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_buffer,
                                              const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                              size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                                              size_t dst_slice_pitch, cl_uint num_sync_points_in_wait_list,
                                              const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
                                              cl_mutable_command_khr *mutable_handle) {
  return entry(__func__, [&] {
    const BufferSink sink({command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list,
                           sync_point, mutable_handle});
    return copy_buffer_rect(sink, {src_buffer, dst_buffer, src_origin, dst_origin, region, src_row_pitch, src_slice_pitch,
                                   dst_row_pitch, dst_slice_pitch});
  });
}

cl_int CL_API_CALL clCommandCopyBufferToImageKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                                 const cl_command_properties_khr *properties, cl_mem src_buffer,
                                                 cl_mem dst_image, size_t src_offset, const size_t *dst_origin,
                                                 const size_t *region, cl_uint num_sync_points_in_wait_list,
                                                 const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
                                                 cl_mutable_command_khr *mutable_handle) {
  return entry(__func__, [&] {
    const BufferSink sink({command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list,
                           sync_point, mutable_handle});
    return copy_image_and_buffer(sink,
                                 {CL_COMMAND_COPY_BUFFER_TO_IMAGE, dst_image, src_buffer, dst_origin, region, src_offset});
  });
}

cl_int CL_API_CALL clCommandCopyImageKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                         const cl_command_properties_khr *properties, cl_mem src_image, cl_mem dst_image,
                                         const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                         cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
                                         cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle) {
  return entry(__func__, [&] {
    const BufferSink sink({command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list,
                           sync_point, mutable_handle});
    return copy_image(sink, src_image, dst_image, src_origin, dst_origin, region);
  });
}

cl_int CL_API_CALL clCommandCopyImageToBufferKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                                 const cl_command_properties_khr *properties, cl_mem src_image,
                                                 cl_mem dst_buffer, const size_t *src_origin, const size_t *region,
                                                 size_t dst_offset, cl_uint num_sync_points_in_wait_list,
                                                 const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
                                                 cl_mutable_command_khr *mutable_handle) {
  return entry(__func__, [&] {
    const BufferSink sink({command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list,
                           sync_point, mutable_handle});
    return copy_image_and_buffer(sink,
                                 {CL_COMMAND_COPY_IMAGE_TO_BUFFER, src_image, dst_buffer, src_origin, region, dst_offset});
  });
}

cl_int CL_API_CALL clCommandFillBufferKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                          const cl_command_properties_khr *properties, cl_mem buffer, const void *pattern,
                                          size_t pattern_size, size_t offset, size_t size, cl_uint num_sync_points_in_wait_list,
                                          const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
                                          cl_mutable_command_khr *mutable_handle) {
  return entry(__func__, [&] {
    const BufferSink sink({command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list,
                           sync_point, mutable_handle});
    return fill_buffer(sink, buffer, pattern, pattern_size, offset, size);
  });
}

cl_int CL_API_CALL clCommandFillImageKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                         const cl_command_properties_khr *properties, cl_mem image, const void *fill_color,
                                         const size_t *origin, const size_t *region, cl_uint num_sync_points_in_wait_list,
                                         const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
                                         cl_mutable_command_khr *mutable_handle) {
  return entry(__func__, [&] {
    const BufferSink sink({command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list,
                           sync_point, mutable_handle});
    return fill_image(sink, image, fill_color, origin, region);
  });
}

cl_int CL_API_CALL clCommandSVMMemcpyKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                         const cl_command_properties_khr *properties, void *dst_ptr, const void *src_ptr,
                                         size_t size, cl_uint num_sync_points_in_wait_list,
                                         const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
                                         cl_mutable_command_khr *mutable_handle) {
  return entry(__func__, [&] {
    const BufferSink sink({command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list,
                           sync_point, mutable_handle});
    return copy_svm(sink, dst_ptr, src_ptr, size);
  });
}

cl_int CL_API_CALL clCommandSVMMemFillKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                          const cl_command_properties_khr *properties, void *svm_ptr, const void *pattern,
                                          size_t pattern_size, size_t size, cl_uint num_sync_points_in_wait_list,
                                          const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
                                          cl_mutable_command_khr *mutable_handle) {
  return entry(__func__, [&] {
    const BufferSink sink({command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list,
                           sync_point, mutable_handle});
    return fill_svm(sink, svm_ptr, pattern, pattern_size, size);
  });
}

}  // namespace upsweep
