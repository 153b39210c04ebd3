// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateCommandQueue(WithProperties), clRetainCommandQueue, clReleaseCommandQueue, clGetCommandQueueInfo,
// clSetCommandQueueProperty, clFlush, clFinish.
#include "runtime/objects/queue.h"
#include "api/entry.h"
#include "api/info.h"
#include <CL/cl_ext.h>

using namespace upsweep;

namespace {

const InfoEntry<Queue> kQueueInfo[] = {
    {CL_QUEUE_CONTEXT, [](const Queue &q, const InfoOut &out) { return out.write<cl_context>(&q.context()); }},
    {CL_QUEUE_DEVICE, [](const Queue &q, const InfoOut &out) { return out.write<cl_device_id>(&q.device()); }},
    {CL_QUEUE_REFERENCE_COUNT, [](const Queue &q, const InfoOut &out) { return out.write<cl_uint>(q.application_count()); }},
    {CL_QUEUE_PROPERTIES,
     [](const Queue &q, const InfoOut &out) { return out.write<cl_command_queue_properties>(q.properties()); }},
    {CL_QUEUE_PROPERTIES_ARRAY, [](const Queue &q, const InfoOut &out) { return out.write_array(q.property_list()); }},
    // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue for param_name": only on-device queues have a
    // size.
    {CL_QUEUE_SIZE,
     [](const Queue &q, const InfoOut &out) -> Result<void> {
       if (!q.on_device()) return fail(CL_INVALID_COMMAND_QUEUE, "the queue is on the host");
       return out.write<cl_uint>(q.on_device()->bytes());
     }},
    {CL_QUEUE_DEVICE_DEFAULT,
     [](const Queue &q, const InfoOut &out) {
       return out.write<cl_command_queue>(q.context().default_queue(q.device()).get());
     }},
};

constexpr cl_command_queue_properties kHostProperties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

/// CL_INVALID_VALUE for unknown or contradicting bits, CL_INVALID_QUEUE_PROPERTIES for bits that the device does not support.
Result<void> check_bits(cl_command_queue_properties bits, const OnDeviceLimits &on_device) {
  constexpr cl_command_queue_properties kKnown = kHostProperties | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
  if (bits & ~kKnown) return fail(CL_INVALID_VALUE, "unknown bits in CL_QUEUE_PROPERTIES: " + std::to_string(bits));
  if ((bits & CL_QUEUE_ON_DEVICE) && !(bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    return fail(CL_INVALID_VALUE, "CL_QUEUE_ON_DEVICE without CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE");
  if ((bits & CL_QUEUE_ON_DEVICE_DEFAULT) && !(bits & CL_QUEUE_ON_DEVICE))
    return fail(CL_INVALID_VALUE, "CL_QUEUE_ON_DEVICE_DEFAULT without CL_QUEUE_ON_DEVICE");
  if (bits & ~kHostProperties && !on_device.max_queue_bytes)
    return fail(CL_INVALID_QUEUE_PROPERTIES, "the device has no on-device queues");
  return {};
}

struct QueueProperties {
  cl_command_queue_properties bits = 0;
  cl_uint size = 0;                       ///< of an on-device queue
  std::vector<cl_queue_properties> list;  ///< with the terminating 0
};

Result<QueueProperties> check_property_list(const cl_queue_properties *properties, const OnDeviceLimits &on_device) {
  QueueProperties result;
  if (!properties) return result;
  const cl_queue_properties *size = nullptr;
  for (const cl_queue_properties *property = properties; *property; property += 2) {
    for (size_t i = 0; i < result.list.size(); i += 2)
      if (result.list[i] == property[0])
        return fail(CL_INVALID_VALUE, "property " + std::to_string(property[0]) + " is given twice");
    if (property[0] == CL_QUEUE_PROPERTIES)
      result.bits = property[1];
    else if (property[0] == CL_QUEUE_SIZE)
      size = &property[1];
    else
      return fail(CL_INVALID_VALUE, "unknown property " + std::to_string(property[0]));
    result.list.insert(result.list.end(), property, property + 2);
  }
  result.list.push_back(0);
  if (size && !(result.bits & CL_QUEUE_ON_DEVICE)) return fail(CL_INVALID_VALUE, "CL_QUEUE_SIZE without CL_QUEUE_ON_DEVICE");
  if (auto checked = check_bits(result.bits, on_device); !checked) return fail(checked);
  // "This must be a value <= CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE. … If CL_QUEUE_SIZE is not specified, the device queue is
  // created with CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE"
  if (size && (*size == 0 || *size > on_device.max_queue_bytes))
    return fail(CL_INVALID_QUEUE_PROPERTIES,
                "CL_QUEUE_SIZE is " + std::to_string(*size) + ", not 1 to " + std::to_string(on_device.max_queue_bytes));
  result.size = size ? static_cast<cl_uint>(*size) : on_device.preferred_queue_bytes;
  return result;
}

/// Validates the context and device of a new queue.
Result<std::pair<Context *, Device *>> check_owner(cl_context context, cl_device_id device) {
  auto context_object = Context::from(context);
  if (!context_object) return fail(context_object);
  // "CL_INVALID_DEVICE if device is not a valid device or is not associated with context"
  auto device_object = Device::from(device);
  if (!device_object) return fail(device_object);
  if (!(*context_object)->contains(**device_object)) return fail(CL_INVALID_DEVICE, "device is not associated with context");
  return std::pair(*context_object, *device_object);
}

/// "If a default device queue has already been created, … will return the default device queue that has already been created
/// and increment its retain count by 1."
Result<cl_command_queue> create_on_device(Context &context, Device &device, QueueProperties &&properties) {
  const bool is_default = properties.bits & CL_QUEUE_ON_DEVICE_DEFAULT;
  auto make = [&] {
    return make_ref<Queue>(context, device, properties.bits, std::move(properties.list),
                           make_ref<DeviceQueue>(properties.size));
  };
  return hand_out(is_default ? context.default_queue_or(device, make) : make());
}

}  // namespace

cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                                const cl_queue_properties *properties, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_command_queue> {
    auto owner = check_owner(context, device);
    if (!owner) return fail(owner);
    auto checked = check_property_list(properties, owner->second->properties().on_device);
    if (!checked) return fail(checked);
    if (checked->bits & CL_QUEUE_ON_DEVICE) return create_on_device(*owner->first, *owner->second, *std::move(checked));
    return hand_out(make_ref<Queue>(*owner->first, *owner->second, checked->bits, std::move(checked->list)));
  });
}

cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(cl_context context, cl_device_id device,
                                                                   const cl_queue_properties_khr *properties,
                                                                   cl_int *errcode_ret) {
  static_assert(sizeof(cl_queue_properties_khr) == sizeof(cl_queue_properties));
  return clCreateCommandQueueWithProperties(context, device, properties, errcode_ret);
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties properties, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_command_queue> {
    auto owner = check_owner(context, device);
    if (!owner) return fail(owner);
    // This function predates on-device queues, so their bits are unknown here.
    if (properties & ~kHostProperties)
      return fail(CL_INVALID_VALUE, "unknown bits in properties: " + std::to_string(properties));
    return hand_out(make_ref<Queue>(*owner->first, *owner->second, properties, std::vector<cl_queue_properties>{}));
  });
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue command_queue) {
  return entry(__func__, [&] { return Queue::of_any_kind(command_queue).map([](Queue *object) { object->retain(); }); });
}

cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue) {
  return entry(__func__,
               [&] { return Queue::of_any_kind(command_queue).and_then([](Queue *object) { return object->release(); }); });
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue command_queue, cl_command_queue_info param_name,
                                         size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Queue::of_any_kind(command_queue);
    if (!object) return fail(object);
    return answer_info(kQueueInfo, **object, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue command_queue, cl_command_queue_properties, cl_bool,
                                             cl_command_queue_properties *) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Queue::of_any_kind(command_queue);
    if (!object) return fail(object);
    // "CL_INVALID_OPERATION if no devices in the context support modifying the properties of a command-queue"
    return fail(CL_INVALID_OPERATION, "the properties of a queue cannot be changed");
  });
}

cl_int CL_API_CALL clFlush(cl_command_queue command_queue) {
  // Commands are submitted when they are enqueued, so there is nothing to flush.
  return entry(__func__, [&] { return Queue::from(command_queue).map([](Queue *) {}); });
}

cl_int CL_API_CALL clFinish(cl_command_queue command_queue) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Queue::from(command_queue);
    if (!object) return fail(object);
    // A callback of the application may release the queue during the call.
    Ref<Queue> queue(*object);
    queue->finish();
    return {};
  });
}
