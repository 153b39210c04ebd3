// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueNDRangeKernel, clEnqueueTask, clGetKernelSuggestedLocalWorkSize, clGetKernelSuggestedLocalWorkSizeKHR.
#include "api/ndrange.h"
#include "api/enqueue.h"
#include "api/entry.h"
#include "api/kernel_device.h"
#include "runtime/commands/local_size.h"
#include "runtime/objects/kernel.h"
#include <CL/cl_ext.h>

using namespace upsweep;

namespace {

std::string at(const char *name, cl_uint dim, size_t value) {
  return std::string(name) + "[" + std::to_string(dim) + "] is " + std::to_string(value);
}

/// Checks dimensions, global size and offset. A range of size 0 passes.
Result<NDRange> check_global(const LaunchSizes &sizes) {
  // "CL_INVALID_WORK_DIMENSION if work_dim is not a valid value (i.e. a value between 1 and
  // CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS)"
  if (sizes.work_dim < 1 || sizes.work_dim > 3)
    return fail(CL_INVALID_WORK_DIMENSION, "work_dim is " + std::to_string(sizes.work_dim) + ", not 1 to 3");
  NDRange range;
  range.work_dim = sizes.work_dim;
  for (cl_uint dim = 0; dim < sizes.work_dim; ++dim) {
    // Since OpenCL 2.1, a missing global size or a size of 0 makes a command without work.
    range.global[dim] = sizes.global ? sizes.global[dim] : 0;
    range.offset[dim] = sizes.offset ? sizes.offset[dim] : 0;
    // "CL_INVALID_GLOBAL_OFFSET if the value specified in global_work_size + the corresponding values in global_work_offset for
    // any dimensions is greater than the maximum value representable by size_t on the device"
    uint64_t end;
    if (__builtin_add_overflow(range.global[dim], range.offset[dim], &end))
      return fail(CL_INVALID_GLOBAL_OFFSET, at("global_work_offset", dim, range.offset[dim]) + ", too large for the size");
  }
  return range;
}

uint32_t lanes_of(const KernelDescription &kernel) { return std::max(1u, kernel.sub_group_size); }

/// The work-items that a device runs together, at least a sub-group: on GPUs a warp may have several sub-groups.
uint32_t items_together(const Device &device, const KernelDescription &kernel) {
  return std::max(lanes_of(kernel), kernel.required_sub_group_size ? device.properties().preferred_sub_group_size : 1u);
}

/// The number of sub-groups in a work-group of the range's local size; 0 if its number of work-items exceeds 64 bits.
uint64_t num_sub_groups(const KernelDescription &kernel, const NDRange &range) {
  uint64_t items = 1;
  for (const uint64_t size : range.local)
    if (__builtin_mul_overflow(items, size, &items)) return 0;
  return items / lanes_of(kernel) + (items % lanes_of(kernel) != 0);
}

/// Checks the work-group sizes that the kernel's source or build options demand.
Result<void> check_required(const KernelDescription &kernel, const NDRange &range) {
  // "CL_INVALID_WORK_GROUP_SIZE if local_work_size is specified and does not match the required work-group size for kernel in
  // the program source"
  for (cl_uint dim = 0; kernel.required_local_size[0] && dim < 3; ++dim)
    if (range.local[dim] != kernel.required_local_size[dim])
      return fail(CL_INVALID_WORK_GROUP_SIZE, at("local_work_size", dim, range.local[dim]) + ", the kernel requires " +
                                                  std::to_string(kernel.required_local_size[dim]));
  // "CL_INVALID_WORK_GROUP_SIZE if local_work_size is not NULL and is not consistent with the required number of sub-groups for
  // kernel"
  if (kernel.required_sub_groups && num_sub_groups(kernel, range) != kernel.required_sub_groups)
    return fail(CL_INVALID_WORK_GROUP_SIZE, "the work-group does not have the " + std::to_string(kernel.required_sub_groups) +
                                                " sub-groups of " + std::to_string(lanes_of(kernel)) +
                                                " work-items that the kernel requires");
  // "CL_INVALID_WORK_GROUP_SIZE if the work-group size must be uniform and the global_work_size is not evenly divisible by
  // local_work_size"
  for (cl_uint dim = 0; kernel.uniform_work_group_size && dim < 3; ++dim)
    if (range.local[dim] != 1 && range.global[dim] % range.local[dim])
      return fail(CL_INVALID_WORK_GROUP_SIZE,
                  at("global_work_size", dim, range.global[dim]) + ", not a multiple of " + std::to_string(range.local[dim]));
  return {};
}

Result<void> check_local(const Device &device, const KernelDescription &kernel, NDRange &range, const size_t *local) {
  const DeviceProperties &limits = device.properties();
  uint64_t items = 1;
  bool is_too_large = false;
  for (cl_uint dim = 0; dim < range.work_dim; ++dim) {
    if (local[dim] == 0) return fail(CL_INVALID_WORK_GROUP_SIZE, at("local_work_size", dim, 0));
    range.local[dim] = local[dim];
    is_too_large |= __builtin_mul_overflow(items, local[dim], &items);
  }
  if (auto checked = check_required(kernel, range); !checked) return checked;
  // "CL_INVALID_WORK_ITEM_SIZE if the number of work-items specified in any of local_work_size is greater than the
  // corresponding values specified by CL_DEVICE_MAX_WORK_ITEM_SIZES"
  for (cl_uint dim = 0; dim < range.work_dim; ++dim)
    if (local[dim] > limits.max_work_item_sizes[dim])
      return fail(CL_INVALID_WORK_ITEM_SIZE,
                  at("local_work_size", dim, local[dim]) + ", at most " + std::to_string(limits.max_work_item_sizes[dim]));
  // "CL_INVALID_WORK_GROUP_SIZE if the total number of work-items in the work-group is greater than CL_KERNEL_WORK_GROUP_SIZE"
  const size_t most = max_work_group_size(device, kernel);
  if (is_too_large || items > most)
    return fail(CL_INVALID_WORK_GROUP_SIZE, "the work-group has more than " + std::to_string(most) + " work-items");
  return {};
}

Result<void> set_local(const Device &device, const KernelDescription &kernel, NDRange &range, const size_t *local) {
  if (local) return check_local(device, kernel, range, local);
  if (kernel.required_local_size[0]) {
    for (int dim = 0; dim < 3; ++dim) range.local[dim] = kernel.required_local_size[dim];
    return check_required(kernel, range);
  }
  if (kernel.required_sub_groups) {
    const size_t line[] = {size_t{kernel.required_sub_groups} * lanes_of(kernel), 1, 1};
    return check_local(device, kernel, range, line);
  }
  const DeviceProperties &limits = device.properties();
  range.local = choose_local_size(
      {.global = range.global,
       .max_sizes = {limits.max_work_item_sizes[0], limits.max_work_item_sizes[1], limits.max_work_item_sizes[2]},
       .max_work_items = max_work_group_size(device, kernel),
       .usual_work_items = limits.usual_work_group_size,
       .sub_group_size = items_together(device, kernel),
       .lane_axis = std::min(kernel.lane_axis, 2u),
       .workers = device.share().count,
       .is_uniform = kernel.uniform_work_group_size});
  return {};
}

/// Compares a launch's needs with the device's resources.
Result<void> check_resources(const Device &device, const KernelCall &call, const NDRange &range) {
  if (call.local_bytes > device.properties().local_memory_bytes)
    return fail(CL_OUT_OF_RESOURCES, "the kernel needs " + std::to_string(call.local_bytes) +
                                         " bytes of local memory; the device has " +
                                         std::to_string(device.properties().local_memory_bytes));
  // On the CPU, private variables that are live across a barrier are in frames; all others are on a worker's stack, with space
  // for a whole sub-group. On a GPU each work-item has its own memory.
  const uint64_t needed = call.kernel->stack_bytes, available = device.properties().private_memory_bytes;
  if (needed > available)
    return fail(CL_OUT_OF_RESOURCES, "the kernel needs " + std::to_string(needed) +
                                         " bytes of private memory; the device has " + std::to_string(available));
  uint64_t groups = 1;
  for (int dim = 0; dim < 3; ++dim) {
    if (__builtin_mul_overflow(groups, range.num_groups(dim), &groups) || groups > device.properties().max_work_groups)
      return fail(CL_OUT_OF_RESOURCES,
                  "the range has more than " + std::to_string(device.properties().max_work_groups) + " work-groups");
  }
  return {};
}

/// A launch whose local size is not decided yet.
struct Request {
  Queue &queue;
  NDRange range;
};

/// Checks everything except work-group sizes, and stores the kernel in `call`.
Result<Request> check_request(cl_command_queue command_queue, cl_kernel kernel, const LaunchSizes &sizes, KernelCall &call) {
  auto queue = Queue::from(command_queue);
  if (!queue) return fail(queue);
  auto kernel_object = Kernel::from(kernel);
  if (!kernel_object) return fail(kernel_object);
  // "CL_INVALID_CONTEXT if context associated with command_queue and kernel are not the same"
  if (&(*kernel_object)->context() != &(*queue)->context())
    return fail(CL_INVALID_CONTEXT, "kernel and command_queue are of different contexts");
  if (auto captured = (*kernel_object)->capture((*queue)->device(), call); !captured) return fail(captured);
  auto range = check_global(sizes);
  if (!range) return fail(range);
  return Request{**queue, *range};
}

Result<void> enqueue_kernel(cl_command_type type, cl_command_queue command_queue, cl_kernel kernel, const LaunchSizes &sizes,
                            const EventArguments &events) {
  CommandBody body;
  auto &launch = body.emplace<Launch>();  // constructed in place, since it is large
  auto request = check_request(command_queue, kernel, sizes, launch.call);
  if (!request) return fail(request);
  auto &[queue, range] = *request;
  if (range.is_empty()) {
    body = std::monostate();
  } else {
    if (auto local = set_local(queue.device(), *launch.call.kernel, range, sizes.local); !local) return local;
    if (auto resources = check_resources(queue.device(), launch.call, range); !resources) return resources;
    launch.range = range;
  }
  return enqueue_checked(queue, type, std::move(body), events);
}

}  // namespace

Result<NDRange> upsweep::check_range_of_launch(const Device &device, const KernelCall &call, const LaunchSizes &sizes) {
  auto range = check_global(sizes);
  if (!range || range->is_empty()) return range;
  if (auto local = set_local(device, *call.kernel, *range, sizes.local); !local) return fail(local);
  if (auto resources = check_resources(device, call, *range); !resources) return fail(resources);
  return range;
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                                          const size_t *global_work_offset, const size_t *global_work_size,
                                          const size_t *local_work_size, cl_uint num_events_in_wait_list,
                                          const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    return enqueue_kernel(CL_COMMAND_NDRANGE_KERNEL, command_queue, kernel,
                          {work_dim, global_work_offset, global_work_size, local_work_size},
                          {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel, cl_uint num_events_in_wait_list,
                                 const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&] {
    // A task is a single work-item, as specified.
    const size_t one = 1;
    return enqueue_kernel(CL_COMMAND_TASK, command_queue, kernel, {1, nullptr, &one, &one},
                          {num_events_in_wait_list, event_wait_list, event});
  });
}

cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                                                     const size_t *global_work_offset, const size_t *global_work_size,
                                                     size_t *suggested_local_work_size) {
  return entry(__func__, [&]() -> Result<void> {
    KernelCall call;
    auto request = check_request(command_queue, kernel, {work_dim, global_work_offset, global_work_size, nullptr}, call);
    if (!request) return fail(request);
    auto &[queue, range] = *request;
    if (range.is_empty()) return fail(CL_INVALID_GLOBAL_WORK_SIZE, "global_work_size is null or has a size of 0");
    if (!suggested_local_work_size) return fail(CL_INVALID_VALUE, "suggested_local_work_size is null");
    if (auto local = set_local(queue.device(), *call.kernel, range, nullptr); !local) return local;
    std::copy_n(range.local.begin(), work_dim, suggested_local_work_size);
    return {};
  });
}

cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                                                        const size_t *global_work_offset, const size_t *global_work_size,
                                                        size_t *suggested_local_work_size) {
  return clGetKernelSuggestedLocalWorkSize(command_queue, kernel, work_dim, global_work_offset, global_work_size,
                                           suggested_local_work_size);
}
