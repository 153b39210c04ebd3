// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateCommandBufferKHR, clRetainCommandBufferKHR, clReleaseCommandBufferKHR, clFinalizeCommandBufferKHR,
// clEnqueueCommandBufferKHR, clGetCommandBufferInfoKHR.
#include "runtime/objects/command_buffer.h"
#include "api/command_buffer_functions.h"
#include "api/entry.h"
#include "api/info.h"

namespace upsweep {
namespace {

const InfoEntry<CommandBuffer> kCommandBufferInfo[] = {
    {CL_COMMAND_BUFFER_NUM_QUEUES_KHR, [](const CommandBuffer &, const InfoOut &out) { return out.write<cl_uint>(1); }},
    {CL_COMMAND_BUFFER_QUEUES_KHR,
     [](const CommandBuffer &b, const InfoOut &out) { return out.write<cl_command_queue>(&b.queue()); }},
    {CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR,
     [](const CommandBuffer &b, const InfoOut &out) { return out.write<cl_uint>(b.application_count()); }},
    {CL_COMMAND_BUFFER_STATE_KHR,
     [](const CommandBuffer &b, const InfoOut &out) { return out.write<cl_command_buffer_state_khr>(b.state()); }},
    {CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR,
     [](const CommandBuffer &b, const InfoOut &out) { return out.write_array(b.properties()); }},
    {CL_COMMAND_BUFFER_CONTEXT_KHR,
     [](const CommandBuffer &b, const InfoOut &out) { return out.write<cl_context>(&b.context()); }},
};

struct BufferProperties {
  cl_command_buffer_flags_khr flags = 0;
  cl_mutable_dispatch_asserts_khr asserts = 0;
  std::vector<cl_command_buffer_properties_khr> list;  ///< with the terminating 0
};

Result<BufferProperties> check_buffer_properties(const cl_command_buffer_properties_khr *properties) {
  BufferProperties result;
  if (!properties) return result;
  for (const cl_command_buffer_properties_khr *property = properties; *property; property += 2) {
    for (size_t i = 0; i < result.list.size(); i += 2)
      if (result.list[i] == property[0])
        return fail(CL_INVALID_VALUE, "property " + std::to_string(property[0]) + " is given twice");
    cl_bitfield known = 0;
    if (property[0] == CL_COMMAND_BUFFER_FLAGS_KHR) {
      known = CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR;
      result.flags = property[1];
    } else if (property[0] == CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR) {
      known = CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;
      result.asserts = property[1];
    } else {
      return fail(CL_INVALID_VALUE, "unknown property " + std::to_string(property[0]));
    }
    if (property[1] & ~known)
      return fail(CL_INVALID_VALUE,
                  "unknown bits in property " + std::to_string(property[0]) + ": " + std::to_string(property[1]));
    result.list.insert(result.list.end(), property, property + 2);
  }
  result.list.push_back(0);
  return result;
}

/// The queue that runs the command buffer: its own, or a substitute.
Result<Queue *> check_queues(const CommandBuffer &buffer, cl_uint num_queues, const cl_command_queue *queues) {
  if ((queues == nullptr) != (num_queues == 0)) return fail(CL_INVALID_VALUE, "num_queues and queues do not agree");
  if (num_queues > 1) return fail(CL_INVALID_VALUE, "num_queues is " + std::to_string(num_queues) + ", not 0 or 1");
  if (!queues) return &buffer.queue();
  // Queues of the host have no properties that command buffers lack, and none is required (device_info.def).
  auto queue = Queue::from(queues[0]);
  if (!queue) return fail(queue);
  if (&(*queue)->device() != &buffer.queue().device())
    return fail(CL_INVALID_DEVICE, "the queue is of another device than the command buffer");
  if (&(*queue)->context() != &buffer.context())
    return fail(CL_INVALID_CONTEXT, "the queue is of another context than the command buffer");
  return queue;
}

}  // namespace

cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues,
                                                           const cl_command_buffer_properties_khr *properties,
                                                           cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_command_buffer_khr> {
    // "CL_INVALID_VALUE … if the cl_khr_command_buffer_multi_device extension is not supported and num_queues is not one"
    if (num_queues != 1) return fail(CL_INVALID_VALUE, "num_queues is " + std::to_string(num_queues) + ", not 1");
    if (!queues) return fail(CL_INVALID_VALUE, "queues is null");
    auto queue = Queue::from(queues[0]);
    if (!queue) return fail(queue);
    auto checked = check_buffer_properties(properties);
    if (!checked) return fail(checked);
    return hand_out(make_ref<CommandBuffer>(**queue, checked->flags, checked->asserts, std::move(checked->list)));
  });
}

cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return entry(__func__, [&] { return CommandBuffer::from(command_buffer).map([](CommandBuffer *b) { b->retain(); }); });
}

cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return entry(__func__,
               [&] { return CommandBuffer::from(command_buffer).and_then([](CommandBuffer *b) { return b->release(); }); });
}

cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer) {
  return entry(__func__, [&]() -> Result<void> {
    auto buffer = CommandBuffer::from(command_buffer);
    if (!buffer) return fail(buffer);
    if (auto finalized = (*buffer)->finalize(); !finalized) return finalized;
    // Work that would otherwise delay the first enqueue. A buffer that still lacks arguments has no graph.
    if (auto graph = (*buffer)->graph()) static_cast<void>((*buffer)->queue().device().target().runs_whole(**graph));
    return {};
  });
}

cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues, cl_command_buffer_khr command_buffer,
                                             cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                             cl_event *event) {
  return entry(__func__, [&]() -> Result<void> {
    auto buffer = CommandBuffer::from(command_buffer);
    if (!buffer) return fail(buffer);
    auto graph = (*buffer)->graph();
    if (!graph) return fail(graph);
    auto queue = check_queues(**buffer, num_queues, queues);
    if (!queue) return fail(queue);
    auto waits = check_wait_list((*buffer)->context(), num_events_in_wait_list, event_wait_list);
    if (!waits) return fail(waits);
    return enqueue_graph(**queue, *graph, *waits, event);
  });
}

cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer, cl_command_buffer_info_khr param_name,
                                             size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto buffer = CommandBuffer::from(command_buffer);
    if (!buffer) return fail(buffer);
    return answer_info(kCommandBufferInfo, **buffer, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

}  // namespace upsweep
