// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Markers and barriers: clEnqueueMarkerWithWaitList, clEnqueueBarrierWithWaitList, and the deprecated clEnqueueMarker,
// clEnqueueBarrier, clEnqueueWaitForEvents.
#include "api/enqueue.h"
#include "api/entry.h"

using namespace upsweep;

namespace {

Result<void> enqueue_sync(cl_command_queue command_queue, cl_command_type type, const EventArguments &events) {
  auto queue = Queue::from(command_queue);
  if (!queue) return fail(queue);
  return enqueue_checked(**queue, type, {}, events);
}

}  // namespace

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue command_queue, cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return enqueue_sync(command_queue, CL_COMMAND_MARKER, {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue command_queue, cl_uint num_events_in_wait_list,
                                                const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return enqueue_sync(command_queue, CL_COMMAND_BARRIER, {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueMarker(cl_command_queue command_queue, cl_event *event) {
  return entry(__func__, [&]() -> Result<void> {
    if (auto queue = Queue::from(command_queue); !queue) return fail(queue);
    if (!event) return fail(CL_INVALID_VALUE, "event is null");
    return enqueue_sync(command_queue, CL_COMMAND_MARKER, {0, nullptr, event});
  });
}

cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue command_queue) {
  return entry(__func__, [&] { return enqueue_sync(command_queue, CL_COMMAND_BARRIER, {0, nullptr, nullptr}); });
}

cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint num_events, const cl_event *event_list) {
  return entry(__func__, [&]() -> Result<void> {
    if (auto queue = Queue::from(command_queue); !queue) return fail(queue);
    if (num_events == 0 || !event_list) return fail(CL_INVALID_VALUE, "num_events is 0 or event_list is null");
    auto result = enqueue_sync(command_queue, CL_COMMAND_BARRIER, {num_events, event_list, nullptr});
    // This function has another error code for a bad event than its successors.
    if (!result && result.error().code == CL_INVALID_EVENT_WAIT_LIST) return fail(CL_INVALID_EVENT, result.error().text);
    return result;
  });
}
