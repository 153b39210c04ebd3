// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetDeviceIDs, clGetDeviceInfo, clRetainDevice, clReleaseDevice, clGetDeviceAndHostTimer, clGetHostTimer,
// clSetDefaultDeviceCommandQueue.
#include "runtime/objects/device.h"
#include "api/device_info.h"
#include "api/device_list.h"
#include "api/entry.h"
#include "runtime/objects/event.h"
#include "runtime/objects/queue.h"

using namespace upsweep;

Result<std::vector<Ref<Device>>> upsweep::devices_of_type(const Platform &platform, cl_device_type type) {
  constexpr cl_device_type kKnown =
      CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~kKnown)))
    return fail(CL_INVALID_DEVICE_TYPE, "device_type is " + std::to_string(type));
  std::vector<Ref<Device>> found;
  for (const Ref<Device> &device : platform.devices()) {
    const bool is_default = &device == &platform.devices().front();
    if ((type & device->properties().type) || (is_default && (type & CL_DEVICE_TYPE_DEFAULT))) found.push_back(device);
  }
  if (found.empty()) return fail(CL_DEVICE_NOT_FOUND, "no device of type " + std::to_string(type));
  return found;
}

Result<std::vector<Ref<Device>>> upsweep::devices_of_context(const Context &context, cl_uint count,
                                                             const cl_device_id *device_list) {
  std::vector<Ref<Device>> devices;
  for (cl_uint i = 0; i < count; ++i) {
    auto device = Device::from(device_list[i]);
    if (!device || !context.contains(**device))
      return fail(CL_INVALID_DEVICE, "device_list[" + std::to_string(i) + "] is not a device of the context");
    devices.emplace_back(*device);
  }
  return devices;
}

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries,
                                  cl_device_id *devices, cl_uint *num_devices) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = platform ? Platform::from(platform) : Result<Platform *>(&Platform::get());
    if (!object) return fail(object);
    auto found = devices_of_type(**object, device_type);
    if (!found && found.error().code == CL_INVALID_DEVICE_TYPE) return fail(found);
    // "CL_INVALID_VALUE if num_entries is equal to zero and devices is not NULL or if both num_devices and devices are NULL"
    if ((num_entries == 0 && devices) || (!devices && !num_devices))
      return fail(CL_INVALID_VALUE, "num_entries is 0 with devices, or devices and num_devices are null");
    if (!found) {
      if (num_devices) *num_devices = 0;
      return fail(found);
    }
    for (cl_uint i = 0; devices && i < num_entries && i < found->size(); ++i) devices[i] = (*found)[i].get();
    if (num_devices) *num_devices = static_cast<cl_uint>(found->size());
    return {};
  });
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size, void *param_value,
                                   size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Device::from(device);
    if (!object) return fail(object);
    return answer_info(device_info_table(), **object, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clRetainDevice(cl_device_id device) {
  return entry(__func__, [&] {
    // "If device is a root-level device, no action"
    return Device::from(device).map([](Device *object) {
      if (object->parent()) object->retain();
    });
  });
}

cl_int CL_API_CALL clReleaseDevice(cl_device_id device) {
  return entry(__func__, [&] {
    return Device::from(device).and_then([](Device *object) { return object->parent() ? object->release() : Result<void>{}; });
  });
}

cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp, cl_ulong *host_timestamp) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Device::from(device);
    if (!object) return fail(object);
    if (!device_timestamp || !host_timestamp) return fail(CL_INVALID_VALUE, "device_timestamp or host_timestamp is null");
    *device_timestamp = *host_timestamp = now_ns();
    return {};
  });
}

cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Device::from(device);
    if (!object) return fail(object);
    if (!host_timestamp) return fail(CL_INVALID_VALUE, "host_timestamp is null");
    *host_timestamp = now_ns();
    return {};
  });
}

cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device, cl_command_queue command_queue) {
  return entry(__func__, [&]() -> Result<void> {
    auto context_object = Context::from(context);
    if (!context_object) return fail(context_object);
    auto device_object = Device::from(device);
    if (!device_object) return fail(device_object);
    if (!(*context_object)->contains(**device_object)) return fail(CL_INVALID_DEVICE, "device is not in context");
    // "CL_INVALID_OPERATION if device does not support a replaceable default on-device queue"
    if (!(*device_object)->properties().on_device.max_queue_bytes)
      return fail(CL_INVALID_OPERATION, "the device has no on-device queues");
    // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid command-queue for device"
    auto queue = Queue::of_any_kind(command_queue);
    if (!queue) return fail(queue);
    if (!(*queue)->on_device() || &(*queue)->context() != *context_object || &(*queue)->device() != *device_object)
      return fail(CL_INVALID_COMMAND_QUEUE, "the queue is not an on-device queue of the device");
    (*context_object)->set_default_queue(**device_object, **queue);
    return {};
  });
}
