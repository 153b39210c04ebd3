// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateUserEvent, clSetUserEventStatus, clWaitForEvents, clGetEventInfo, clSetEventCallback, clRetainEvent, clReleaseEvent,
// clGetEventProfilingInfo.
#include "runtime/objects/event.h"
#include "api/entry.h"
#include "api/info.h"
#include "runtime/commands/command.h"
#include "runtime/objects/queue.h"

using namespace upsweep;

namespace {

const InfoEntry<Event> kEventInfo[] = {
    {CL_EVENT_COMMAND_QUEUE, [](const Event &e, const InfoOut &out) { return out.write<cl_command_queue>(e.queue()); }},
    {CL_EVENT_CONTEXT, [](const Event &e, const InfoOut &out) { return out.write<cl_context>(&e.context()); }},
    {CL_EVENT_COMMAND_TYPE, [](const Event &e, const InfoOut &out) { return out.write<cl_command_type>(e.type()); }},
    {CL_EVENT_COMMAND_EXECUTION_STATUS, [](const Event &e, const InfoOut &out) { return out.write<cl_int>(e.poll()); }},
    {CL_EVENT_REFERENCE_COUNT, [](const Event &e, const InfoOut &out) { return out.write<cl_uint>(e.application_count()); }},
};

const InfoEntry<Event> kProfilingInfo[] = {
    {CL_PROFILING_COMMAND_QUEUED, [](const Event &e, const InfoOut &out) { return out.write<cl_ulong>(e.time_ns(CL_QUEUED)); }},
    {CL_PROFILING_COMMAND_SUBMIT,
     [](const Event &e, const InfoOut &out) { return out.write<cl_ulong>(e.time_ns(CL_SUBMITTED)); }},
    {CL_PROFILING_COMMAND_START, [](const Event &e, const InfoOut &out) { return out.write<cl_ulong>(e.time_ns(CL_RUNNING)); }},
    {CL_PROFILING_COMMAND_END, [](const Event &e, const InfoOut &out) { return out.write<cl_ulong>(e.end_ns()); }},
    // Without child kernels, a command is complete when it ends.
    {CL_PROFILING_COMMAND_COMPLETE,
     [](const Event &e, const InfoOut &out) { return out.write<cl_ulong>(e.time_ns(CL_COMPLETE)); }},
};

}  // namespace

cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_event> {
    auto object = Context::from(context);
    if (!object) return fail(object);
    return hand_out(make_ref<Event>(**object));
  });
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int execution_status) {
  return entry(__func__, [&]() -> Result<void> {
    // "CL_INVALID_EVENT if event is not a valid user event object"
    auto object = Event::from(event);
    if (!object) return fail(object);
    if (!(*object)->is_user_event()) return fail(CL_INVALID_EVENT, "event is not a user event");
    if (execution_status > CL_COMPLETE)
      return fail(CL_INVALID_VALUE,
                  "execution_status is " + std::to_string(execution_status) + ", not CL_COMPLETE or negative");
    // "CL_INVALID_OPERATION if the execution_status for event has already been changed"
    Ref<Event> kept(*object);
    if (!kept->set_user_status(execution_status)) return fail(CL_INVALID_OPERATION, "the status of event is set already");
    return {};
  });
}

cl_int CL_API_CALL clWaitForEvents(cl_uint num_events, const cl_event *event_list) {
  return entry(__func__, [&]() -> Result<void> {
    if (num_events == 0 || !event_list) return fail(CL_INVALID_VALUE, "num_events is 0 or event_list is null");
    WaitList events;
    for (cl_uint i = 0; i < num_events; ++i) {
      auto event = Event::from(event_list[i]);
      if (!event) return fail(CL_INVALID_EVENT, "event_list[" + std::to_string(i) + "] is not an event");
      events.emplace_back(*event);
    }
    for (const Ref<Event> &event : events)
      if (&event->context() != &events.front()->context())
        return fail(CL_INVALID_CONTEXT, "the events are of different contexts");
    const TraceWaitScope traced("clWaitForEvents");
    bool has_failed = false;
    for (const Ref<Event> &event : events) has_failed |= event->wait() < 0;
    // "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the execution status of any of the events in event_list is negative"
    if (has_failed) return fail(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command of event_list failed");
    return {};
  });
}

cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Event::from(event);
    if (!object) return fail(object);
    return answer_info(kEventInfo, **object, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int command_exec_callback_type, Event::Callback pfn_notify,
                                      void *user_data) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Event::from(event);
    if (!object) return fail(object);
    // "CL_INVALID_VALUE if pfn_event_notify is NULL or if command_exec_callback_type is not CL_SUBMITTED, CL_RUNNING, or
    // CL_COMPLETE"
    if (!pfn_notify) return fail(CL_INVALID_VALUE, "pfn_event_notify is null");
    if (command_exec_callback_type != CL_SUBMITTED && command_exec_callback_type != CL_RUNNING &&
        command_exec_callback_type != CL_COMPLETE)
      return fail(CL_INVALID_VALUE, "command_exec_callback_type is " + std::to_string(command_exec_callback_type));
    return (*object)->add_callback(command_exec_callback_type, pfn_notify, user_data);
  });
}

cl_int CL_API_CALL clRetainEvent(cl_event event) {
  return entry(__func__, [&] { return Event::from(event).map([](Event *object) { object->retain(); }); });
}

cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  return entry(__func__, [&] { return Event::from(event).and_then([](Event *object) { return object->release(); }); });
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name, size_t param_value_size,
                                           void *param_value, size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Event::from(event);
    if (!object) return fail(object);
    const Event &checked = **object;
    // "CL_PROFILING_INFO_NOT_AVAILABLE if the CL_QUEUE_PROFILING_ENABLE flag is not set for the command-queue, if the execution
    // status of the command identified by event is not CL_COMPLETE or if event is a user event object"
    if (checked.is_user_event() || !checked.queue()->is_profiling() || checked.status() != CL_COMPLETE)
      return fail(CL_PROFILING_INFO_NOT_AVAILABLE,
                  "the event is a user event, its queue has no profiling, or its command is not complete");
    return answer_info(kProfilingInfo, checked, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}
