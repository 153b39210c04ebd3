// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a validated command goes: into a queue (clEnqueue…), or into a command buffer (clCommand…KHR).
#ifndef UPSWEEP_API_COMMAND_SINK_H
#define UPSWEEP_API_COMMAND_SINK_H

#include "api/enqueue.h"
#include "base/command_buffers.h"
#include "runtime/objects/command_buffer.h"

namespace upsweep {

class CommandSink {
public:
  /// The queue with whose device the command is checked, after the checks of the first arguments.
  virtual Result<Queue *> queue() const = 0;
  /// `last_check` as for enqueue_checked().
  virtual Result<void> take(Queue &queue, cl_command_type type, CommandBody &&body,
                            const Result<void> &last_check = {}) const = 0;

protected:
  ~CommandSink() = default;
};

class QueueSink final : public CommandSink {
public:
  QueueSink(cl_command_queue queue, const EventArguments &events, bool blocking = false)
      : queue_(queue), events_(events), blocking_(blocking) {}

  Result<Queue *> queue() const override { return Queue::from(queue_); }
  Result<void> take(Queue &queue, cl_command_type type, CommandBody &&body, const Result<void> &last_check) const override {
    return enqueue_checked(queue, type, std::move(body), events_, blocking_, last_check);
  }

private:
  const cl_command_queue queue_;
  const EventArguments events_;
  const bool blocking_;
};

/// The arguments that all clCommand…KHR share.
struct RecordArguments {
  cl_command_buffer_khr command_buffer;
  cl_command_queue command_queue;
  const cl_command_properties_khr *properties;
  cl_uint num_sync_points;
  const cl_sync_point_khr *sync_points;
  cl_sync_point_khr *sync_point;
  cl_mutable_command_khr *mutable_handle;
};

/// The command buffer, if commands may be recorded to it: CL_INVALID_COMMAND_BUFFER_KHR, CL_INVALID_COMMAND_QUEUE,
/// CL_INVALID_OPERATION.
Result<CommandBuffer *> check_command_buffer(const RecordArguments &arguments);

/// Commands other than kernels, which have neither properties nor handles.
class BufferSink final : public CommandSink {
public:
  explicit BufferSink(const RecordArguments &arguments) : arguments_(arguments) {}

  Result<Queue *> queue() const override;
  Result<void> take(Queue &queue, cl_command_type type, CommandBody &&body, const Result<void> &last_check) const override;

private:
  const RecordArguments arguments_;
};

// The commands that both kinds of functions have.
Result<void> copy_buffer(const CommandSink &sink, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                         size_t size);
struct BufferRectCopy {
  cl_mem src_buffer, dst_buffer;
  const size_t *src_origin, *dst_origin, *region;
  size_t src_row_pitch, src_slice_pitch, dst_row_pitch, dst_slice_pitch;
};
Result<void> copy_buffer_rect(const CommandSink &sink, const BufferRectCopy &copy);
Result<void> fill_buffer(const CommandSink &sink, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset,
                         size_t size);
Result<void> copy_image(const CommandSink &sink, cl_mem src_image, cl_mem dst_image, const size_t *src_origin,
                        const size_t *dst_origin, const size_t *region);
/// CL_COMMAND_COPY_IMAGE_TO_BUFFER or CL_COMMAND_COPY_BUFFER_TO_IMAGE.
struct ImageBufferCopy {
  cl_command_type type;
  cl_mem image;
  cl_mem buffer;
  const size_t *origin;
  const size_t *region;
  size_t offset;
};
Result<void> copy_image_and_buffer(const CommandSink &sink, const ImageBufferCopy &copy);
Result<void> fill_image(const CommandSink &sink, cl_mem image, const void *fill_color, const size_t *origin,
                        const size_t *region);
Result<void> copy_svm(const CommandSink &sink, void *dst_ptr, const void *src_ptr, size_t size);
Result<void> fill_svm(const CommandSink &sink, void *svm_ptr, const void *pattern, size_t pattern_size, size_t size);

}  // namespace upsweep
#endif
