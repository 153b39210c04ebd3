// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateContext, clCreateContextFromType, clRetainContext, clReleaseContext, clGetContextInfo,
// clSetContextDestructorCallback.
#include "runtime/objects/context.h"
#include "api/device_list.h"
#include "api/entry.h"
#include "api/info.h"
#include "runtime/objects/platform.h"
#include <algorithm>

using namespace upsweep;

namespace {

std::vector<cl_device_id> handles(const Context &context) {
  std::vector<cl_device_id> list;
  for (const Ref<Device> &device : context.devices()) list.push_back(device.get());
  return list;
}

const InfoEntry<Context> kContextInfo[] = {
    {CL_CONTEXT_REFERENCE_COUNT,
     [](const Context &c, const InfoOut &out) { return out.write<cl_uint>(c.application_count()); }},
    {CL_CONTEXT_NUM_DEVICES,
     [](const Context &c, const InfoOut &out) { return out.write<cl_uint>(static_cast<cl_uint>(c.devices().size())); }},
    {CL_CONTEXT_DEVICES, [](const Context &c, const InfoOut &out) { return out.write_array<cl_device_id>(handles(c)); }},
    {CL_CONTEXT_PROPERTIES, [](const Context &c, const InfoOut &out) { return out.write_array(c.properties()); }},
};

/// The validated property list, with its terminating 0.
Result<std::vector<cl_context_properties>> check_properties(const cl_context_properties *properties) {
  std::vector<cl_context_properties> list;
  if (!properties) return list;
  for (const cl_context_properties *property = properties; *property; property += 2) {
    for (size_t i = 0; i < list.size(); i += 2)
      if (list[i] == property[0])
        return fail(CL_INVALID_PROPERTY, "property " + std::to_string(property[0]) + " is given twice");
    switch (property[0]) {
    case CL_CONTEXT_PLATFORM:
      if (!is_live_handle(reinterpret_cast<const void *>(property[1]), CL_INVALID_PLATFORM))
        return fail(CL_INVALID_PLATFORM, "the value of CL_CONTEXT_PLATFORM is not a platform");
      break;
    case CL_CONTEXT_INTEROP_USER_SYNC:
      if (property[1] != CL_TRUE && property[1] != CL_FALSE)
        return fail(CL_INVALID_PROPERTY, "CL_CONTEXT_INTEROP_USER_SYNC is neither CL_TRUE nor CL_FALSE");
      break;
    default: return fail(CL_INVALID_PROPERTY, "property " + std::to_string(property[0]) + " is not supported");
    }
    list.insert(list.end(), property, property + 2);
  }
  list.push_back(0);
  return list;
}

Result<cl_context> create(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties,
                          Context::Notify notify, void *user_data) {
  // "CL_DEVICE_NOT_AVAILABLE if a device in devices is currently not available even though the device was returned by
  // clGetDeviceIDs"
  for (const Ref<Device> &device : devices)
    if (!device->target().is_available())
      return fail(CL_DEVICE_NOT_AVAILABLE, device->properties().name + " has failed in this process");
  return hand_out(make_ref<Context>(std::move(devices), std::move(properties), notify, user_data));
}

}  // namespace

cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                                       const cl_device_id *devices, Context::Notify pfn_notify, void *user_data,
                                       cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_context> {
    auto list = check_properties(properties);
    if (!list) return fail(list);
    // "CL_INVALID_VALUE if devices is NULL; if num_devices is equal to zero; if pfn_notify is NULL but user_data is not NULL"
    if (!devices || num_devices == 0) return fail(CL_INVALID_VALUE, "devices is null or num_devices is 0");
    if (!pfn_notify && user_data) return fail(CL_INVALID_VALUE, "user_data without pfn_notify");
    std::vector<Ref<Device>> checked;
    for (cl_uint i = 0; i < num_devices; ++i) {
      auto device = Device::from(devices[i]);
      if (!device) return fail(CL_INVALID_DEVICE, "devices[" + std::to_string(i) + "] is not a device");
      // "Duplicate devices specified in devices are ignored."
      if (std::ranges::none_of(checked, [&](const Ref<Device> &known) { return known.get() == *device; }))
        checked.emplace_back(*device);
    }
    return create(std::move(checked), *std::move(list), pfn_notify, user_data);
  });
}

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties, cl_device_type device_type,
                                               Context::Notify pfn_notify, void *user_data, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_context> {
    auto list = check_properties(properties);
    if (!list) return fail(list);
    if (!pfn_notify && user_data) return fail(CL_INVALID_VALUE, "user_data without pfn_notify");
    auto devices = devices_of_type(Platform::get(), device_type);
    if (!devices) return fail(devices);
    return create(*std::move(devices), *std::move(list), pfn_notify, user_data);
  });
}

cl_int CL_API_CALL clRetainContext(cl_context context) {
  return entry(__func__, [&] { return Context::from(context).map([](Context *object) { object->retain(); }); });
}

cl_int CL_API_CALL clReleaseContext(cl_context context) {
  return entry(__func__, [&] { return Context::from(context).and_then([](Context *object) { return object->release(); }); });
}

cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info param_name, size_t param_value_size, void *param_value,
                                    size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Context::from(context);
    if (!object) return fail(object);
    return answer_info(kContextInfo, **object, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context, Context::Destructor pfn_notify, void *user_data) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Context::from(context);
    if (!object) return fail(object);
    if (!pfn_notify) return fail(CL_INVALID_VALUE, "pfn_notify is null");
    return (*object)->add_destructor(pfn_notify, user_data);
  });
}
