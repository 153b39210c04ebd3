// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCommandNDRangeKernelKHR, clUpdateMutableCommandsKHR, clGetMutableCommandInfoKHR: kernels of command buffers.
#include "api/command_buffer_functions.h"
#include "api/command_sink.h"
#include "api/entry.h"
#include "api/info.h"
#include "api/kernel_exec_info.h"
#include "api/ndrange.h"
#include <algorithm>
#include <ranges>
#include <vector>

namespace upsweep {
namespace {

constexpr cl_mutable_dispatch_fields_khr kAllFields = CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR |
                                                      CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR | CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR |
                                                      CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

struct KernelProperties {
  /// "If CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR is not specified then it defaults to" all that the device has.
  cl_mutable_dispatch_fields_khr fields = kAllFields;
  bool may_lack_arguments = false;
  cl_mutable_dispatch_asserts_khr asserts = 0;
  std::vector<cl_command_properties_khr> list;  ///< with the terminating 0
};

Result<KernelProperties> check_kernel_properties(const cl_command_properties_khr *properties) {
  KernelProperties result;
  if (!properties) return result;
  for (const cl_command_properties_khr *property = properties; *property; property += 2) {
    for (size_t i = 0; i < result.list.size(); i += 2)
      if (result.list[i] == property[0])
        return fail(CL_INVALID_VALUE, "property " + std::to_string(property[0]) + " is given twice");
    if (property[0] == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR) {
      // Devices have all fields (device_info.def), so none is CL_INVALID_OPERATION.
      if (property[1] & ~kAllFields) return fail(CL_INVALID_VALUE, "unknown fields: " + std::to_string(property[1]));
      result.fields = property[1];
      result.may_lack_arguments = property[1] & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR;
    } else if (property[0] == CL_MUTABLE_DISPATCH_ASSERTS_KHR) {
      if (property[1] & ~cl_bitfield{CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR})
        return fail(CL_INVALID_VALUE, "unknown assertions: " + std::to_string(property[1]));
      result.asserts = property[1];
    } else {
      return fail(CL_INVALID_VALUE, "unknown property " + std::to_string(property[0]));
    }
    result.list.insert(result.list.end(), property, property + 2);
  }
  result.list.push_back(0);
  return result;
}

/// The body of a launch, and whether it is complete.
struct LaunchBody {
  CommandBody body;
  bool is_complete;
};

/// A kernel whose arguments are not all set gives a body that is not complete.
Result<LaunchBody> make_launch(const Device &device, const Dispatch &dispatch) {
  LaunchBody made{{}, dispatch.arguments->has_all_arguments()};
  auto &launch = made.body.emplace<Launch>();  // constructed in place, since it is large
  if (made.is_complete) {
    if (auto captured = dispatch.arguments->capture(device, launch.call); !captured) return fail(captured);
  } else {
    launch.call.kernel = dispatch.arguments->function(device);
    if (!launch.call.kernel) return fail(CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built for the queue's device");
  }
  auto range = check_range_of_launch(device, launch.call,
                                     {dispatch.work_dim, dispatch.offset.data(), dispatch.global.data(),
                                      dispatch.has_local ? dispatch.local.data() : nullptr});
  if (!range) return fail(range);
  if (range->is_empty() || !made.is_complete)
    made.body = std::monostate();
  else
    launch.range = *range;
  return made;
}

Result<void> check_uniformity(const Dispatch &before, const Dispatch &after) {
  const auto is_uniform = [](const Dispatch &dispatch) {
    for (cl_uint dim = 0; dim < dispatch.work_dim; ++dim)
      if (dispatch.local[dim] && dispatch.global[dim] % dispatch.local[dim]) return false;
    return true;
  };
  // "CL_INVALID_OPERATION if the values of local_work_size and/or global_work_size result in a change to work-group uniformity"
  if (before.has_local && after.has_local && is_uniform(before) != is_uniform(after))
    return fail(CL_INVALID_OPERATION, "the sizes change whether all work-groups have the same size");
  return {};
}

/// `count` and `list` must agree, and only be given if the command has the field.
Result<void> check_list(const MutableCommand &command, cl_uint count, const void *list, cl_mutable_dispatch_fields_khr field,
                        const char *name) {
  if ((list == nullptr) != (count == 0)) return fail(CL_INVALID_VALUE, std::string(name) + " and its number do not agree");
  if (count && !(command.fields() & field)) return fail(CL_INVALID_OPERATION, std::string(name) + " is not updatable");
  return {};
}

Result<void> check_config(const MutableCommand &command, const Dispatch &before, const MutableDispatchConfig &config) {
  if (config.work_dim && config.work_dim != before.work_dim)
    return fail(CL_INVALID_OPERATION,
                "work_dim is " + std::to_string(config.work_dim) + ", not " + std::to_string(before.work_dim));
  const struct {
    const void *value;
    cl_mutable_dispatch_fields_khr field;
    const char *name;
  } kSizes[] = {{config.global_work_offset, CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR, "global_work_offset"},
                {config.global_work_size, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, "global_work_size"},
                {config.local_work_size, CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR, "local_work_size"}};
  for (const auto &[value, field, name] : kSizes)
    if (value && !(command.fields() & field)) return fail(CL_INVALID_OPERATION, std::string(name) + " is not updatable");
  if (auto checked = check_list(command, config.num_args, config.arg_list, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, "arg_list");
      !checked)
    return checked;
  if (auto checked =
          check_list(command, config.num_svm_args, config.arg_svm_list, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, "arg_svm_list");
      !checked)
    return checked;
  return check_list(command, config.num_exec_infos, config.exec_info_list, CL_MUTABLE_DISPATCH_EXEC_INFO_KHR, "exec_info_list");
}

/// The dispatch after an update.
Result<Dispatch> updated(const Dispatch &before, const MutableDispatchConfig &config) {
  Dispatch after = before;
  if (config.num_args || config.num_svm_args) after.arguments = before.arguments->clone();
  for (const auto &[index, size, value] : std::span(config.arg_list, config.num_args))
    if (auto set = after.arguments->set_argument(index, size, value); !set) return fail(set);
  for (const auto &[index, size, value] : std::span(config.arg_svm_list, config.num_svm_args))
    if (auto set = after.arguments->set_pointer(index, value); !set) return fail(set);
  for (const auto &[name, size, value] : std::span(config.exec_info_list, config.num_exec_infos))
    if (auto checked = check_exec_info(*after.arguments, name, size, value); !checked) return fail(checked);
  if (config.global_work_offset) std::copy_n(config.global_work_offset, before.work_dim, after.offset.begin());
  if (config.global_work_size) std::copy_n(config.global_work_size, before.work_dim, after.global.begin());
  if (config.local_work_size) {
    std::copy_n(config.local_work_size, before.work_dim, after.local.begin());
    after.has_local = true;
  }
  return after;
}

/// `earlier`: the updates of the same call.
Result<CommandBuffer::Update> make_update(const CommandBuffer &buffer, const MutableDispatchConfig &config,
                                          std::span<const CommandBuffer::Update> earlier) {
  auto command = MutableCommand::from(config.command);
  if (!command) return fail(command);
  if (&(*command)->buffer() != &buffer) return fail(CL_INVALID_MUTABLE_COMMAND_KHR, "command is of another command buffer");
  Dispatch before = (*command)->dispatch();
  for (const CommandBuffer::Update &update : earlier)
    if (update.command == *command) before = update.dispatch;
  if (auto checked = check_config(**command, before, config); !checked) return fail(checked);
  auto after = updated(before, config);
  if (!after) return fail(after);
  auto launch = make_launch(buffer.queue().device(), *after);
  if (!launch) return fail(launch);
  if (auto checked = check_uniformity(before, *after); !checked) return fail(checked);
  return CommandBuffer::Update{*command, *std::move(after), std::move(launch->body), launch->is_complete};
}

Result<void> write_sizes(const MutableCommand &c, std::array<size_t, 3> Dispatch::*sizes, const InfoOut &out) {
  const Dispatch dispatch = c.dispatch();
  return out.write_array(std::span<const size_t>(dispatch.*sizes).first(dispatch.work_dim));
}

const InfoEntry<MutableCommand> kMutableCommandInfo[] = {
    {CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR,
     [](const MutableCommand &c, const InfoOut &out) { return out.write<cl_command_queue>(&c.buffer().queue()); }},
    {CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR,
     [](const MutableCommand &c, const InfoOut &out) { return out.write<cl_command_buffer_khr>(&c.buffer()); }},
    {CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR,
     [](const MutableCommand &, const InfoOut &out) { return out.write<cl_command_type>(CL_COMMAND_NDRANGE_KERNEL); }},
    {CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR,
     [](const MutableCommand &c, const InfoOut &out) { return out.write_array(c.properties()); }},
    {CL_MUTABLE_DISPATCH_KERNEL_KHR,
     [](const MutableCommand &c, const InfoOut &out) { return out.write<cl_kernel>(&c.kernel()); }},
    {CL_MUTABLE_DISPATCH_DIMENSIONS_KHR,
     [](const MutableCommand &c, const InfoOut &out) { return out.write<cl_uint>(c.dispatch().work_dim); }},
    {CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR,
     [](const MutableCommand &c, const InfoOut &out) { return write_sizes(c, &Dispatch::offset, out); }},
    {CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR,
     [](const MutableCommand &c, const InfoOut &out) { return write_sizes(c, &Dispatch::global, out); }},
    {CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR,
     [](const MutableCommand &c, const InfoOut &out) { return write_sizes(c, &Dispatch::local, out); }},
};

Result<void> record_kernel(const RecordArguments &arguments, cl_kernel kernel, const LaunchSizes &sizes) {
  auto buffer = check_command_buffer(arguments);
  if (!buffer) return fail(buffer);
  auto properties = check_kernel_properties(arguments.properties);
  if (!properties) return fail(properties);
  auto object = Kernel::from(kernel);
  if (!object) return fail(object);
  // "CL_INVALID_CONTEXT if the context associated with command_buffer and kernel is not the same"
  if (&(*object)->context() != &(*buffer)->context())
    return fail(CL_INVALID_CONTEXT, "kernel and command_buffer are of different contexts");
  // "CL_INVALID_VALUE if … CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR and local_work_size is NULL"
  if (((*buffer)->asserts() | properties->asserts) && !sizes.local)
    return fail(CL_INVALID_VALUE, "local_work_size is null, but the number of work-groups is asserted");
  if (sizes.work_dim < 1 || sizes.work_dim > 3)
    return fail(CL_INVALID_WORK_DIMENSION, "work_dim is " + std::to_string(sizes.work_dim) + ", not 1 to 3");
  Dispatch dispatch{.arguments = (*object)->clone(), .work_dim = sizes.work_dim, .has_local = sizes.local != nullptr};
  if (sizes.offset) std::copy_n(sizes.offset, sizes.work_dim, dispatch.offset.begin());
  if (sizes.global) std::copy_n(sizes.global, sizes.work_dim, dispatch.global.begin());
  if (sizes.local) std::copy_n(sizes.local, sizes.work_dim, dispatch.local.begin());
  auto launch = make_launch((*buffer)->queue().device(), dispatch);
  if (!launch) return fail(launch);
  // "CL_INVALID_KERNEL_ARGS if the kernel argument values have not been specified and the CL_MUTABLE_DISPATCH_ARGUMENTS_KHR
  // flag was not set in the properties parameter"
  if (!launch->is_complete && !(properties->may_lack_arguments && (*buffer)->is_mutable()))
    return fail(CL_INVALID_KERNEL_ARGS, "an argument is not set");
  auto recorded =
      (*buffer)->record({CL_COMMAND_NDRANGE_KERNEL, std::move(launch->body), arguments.num_sync_points, arguments.sync_points},
                        CommandBuffer::RecordedKernel{**object, properties->fields, std::move(properties->list),
                                                      std::move(dispatch), launch->is_complete});
  if (!recorded) return fail(recorded);
  if (arguments.sync_point) *arguments.sync_point = recorded->sync_point;
  if (arguments.mutable_handle) *arguments.mutable_handle = recorded->handle;
  return {};
}

Result<void> check_update(const CommandBuffer &buffer, cl_uint num_configs, const cl_command_buffer_update_type_khr *types,
                          const void **configs) {
  if (buffer.state() == CL_COMMAND_BUFFER_STATE_RECORDING_KHR)
    return fail(CL_INVALID_OPERATION, "command_buffer is not finalized");
  if (!buffer.is_mutable()) return fail(CL_INVALID_OPERATION, "command_buffer is not mutable");
  if ((types == nullptr) != (num_configs == 0)) return fail(CL_INVALID_VALUE, "num_configs and config_types do not agree");
  if ((configs == nullptr) != (num_configs == 0)) return fail(CL_INVALID_VALUE, "num_configs and configs do not agree");
  for (cl_uint i = 0; i < num_configs; ++i) {
    if (types[i] != kMutableDispatchUpdate)
      return fail(CL_INVALID_VALUE,
                  "config_types[" + std::to_string(i) + "] is " + std::to_string(types[i]) + ", which is unknown");
    if (!configs[i]) return fail(CL_INVALID_VALUE, "configs[" + std::to_string(i) + "] is null");
  }
  return {};
}

}  // namespace

cl_int CL_API_CALL clCommandNDRangeKernelKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                             const cl_command_properties_khr *properties, cl_kernel kernel, cl_uint work_dim,
                                             const size_t *global_work_offset, const size_t *global_work_size,
                                             const size_t *local_work_size, cl_uint num_sync_points_in_wait_list,
                                             const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
                                             cl_mutable_command_khr *mutable_handle) {
  return entry(__func__, [&] {
    return record_kernel({command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list,
                          sync_point, mutable_handle},
                         kernel, {work_dim, global_work_offset, global_work_size, local_work_size});
  });
}

cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer, cl_uint num_configs,
                                              const cl_command_buffer_update_type_khr *config_types, const void **configs) {
  return entry(__func__, [&]() -> Result<void> {
    auto buffer = CommandBuffer::from(command_buffer);
    if (!buffer) return fail(buffer);
    if (auto checked = check_update(**buffer, num_configs, config_types, configs); !checked) return checked;
    // "Otherwise, none of the updates to mutable-command objects are preserved"
    std::vector<CommandBuffer::Update> updates;
    updates.reserve(num_configs);
    for (cl_uint i = 0; i < num_configs; ++i) {
      auto update = make_update(**buffer, *static_cast<const MutableDispatchConfig *>(configs[i]), updates);
      if (!update) return fail(update);
      updates.push_back(*std::move(update));
    }
    (*buffer)->update(std::move(updates));
    return {};
  });
}

cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr command, cl_mutable_command_info_khr param_name,
                                              size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = MutableCommand::from(command);
    if (!object) return fail(object);
    return answer_info(kMutableCommandInfo, **object, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

}  // namespace upsweep
