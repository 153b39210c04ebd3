// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hooks that kernels call: enqueuing, events, queries of blocks. They run on the thread that runs the kernel.
#include "runtime/commands/local_size.h"
#include "runtime/enqueue/block_arguments.h"
#include "targets/cpu/assertion.h"
#include "targets/cpu/check_hooks.h"
#include "targets/cpu/launch_tree.h"
#include "targets/cpu/meeting_hooks.h"
#include "targets/cpu/race_hooks.h"
#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <vector>

namespace upsweep {
namespace {

/// Bytes that a command takes of its queue in addition to its arguments: about its size in memory.
constexpr uint64_t kCommandBytes = 256;

size_t max_work_group_size(const KernelDescription &kernel, const DeviceProperties &limits) {
  return kernel.max_work_group_size ? kernel.max_work_group_size : limits.max_work_group_size;
}

struct RangeLimits {
  const KernelDescription &kernel;
  const DeviceProperties &device;
  uint32_t workers;
};

void choose_local(NDRange &range, const RangeLimits &limits) {
  const auto &most = limits.device.max_work_item_sizes;
  range.local = choose_local_size({.global = range.global,
                                   .max_sizes = {most[0], most[1], most[2]},
                                   .max_work_items = max_work_group_size(limits.kernel, limits.device),
                                   .usual_work_items = limits.device.usual_work_group_size,
                                   .sub_group_size = std::max(1u, limits.kernel.sub_group_size),
                                   .workers = limits.workers,
                                   .is_uniform = limits.kernel.uniform_work_group_size});
}

/// Checks that the device and the program support the work-group size.
bool check_local(const NDRange &range, const RangeLimits &limits) {
  uint64_t items = 1;
  for (size_t dim = 0; dim < 3; ++dim) {
    if (range.local[dim] > limits.device.max_work_item_sizes[dim]) return false;
    items *= range.local[dim];
    // "CLK_INVALID_NDRANGE … if the program was compiled with -cl-uniform-work-group-size and the local_work_size is specified
    // in ndrange but the global_work_size specified in ndrange is not a multiple of the local_work_size."
    if (limits.kernel.uniform_work_group_size && range.global[dim] % range.local[dim]) return false;
  }
  return items <= max_work_group_size(limits.kernel, limits.device);
}

/// False if the range is invalid. A range without work-items has no work-groups, as in host enqueues.
bool make_range(NDRange &range, const UpsweepRange &wanted, const RangeLimits &limits) {
  if (wanted.work_dim < 1 || wanted.work_dim > 3) return false;
  range = {};
  range.work_dim = wanted.work_dim;
  bool has_local = true;
  for (size_t dim = 0; dim < wanted.work_dim; ++dim) {
    range.global[dim] = wanted.global_size[dim];
    range.offset[dim] = wanted.global_offset[dim];
    range.local[dim] = wanted.local_size[dim];
    has_local &= wanted.local_size[dim] != 0;
    uint64_t end;
    if (__builtin_add_overflow(range.global[dim], range.offset[dim], &end)) return false;
  }
  if (!range.global[0] || !range.global[1] || !range.global[2]) return true;
  if (has_local) {
    if (!check_local(range, limits)) return false;
  } else {
    choose_local(range, limits);
  }
  uint64_t groups = 1;
  for (size_t dim = 0; dim < 3; ++dim)
    if (__builtin_mul_overflow(groups, range.num_groups(dim), &groups) || groups > limits.device.max_work_groups) return false;
  return true;
}

constexpr uint64_t bounds_place(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

/// The bounds of a block's local arguments, then the launch's bounds, for pointers that the block captured.
void write_bounds(UpsweepBounds *bounds, const KernelDescription &kernel, std::span<const uint64_t> local_bytes,
                  const std::vector<UpsweepBounds> &of_launch) {
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const uint64_t bytes = i < local_bytes.size() ? local_bytes[i] : 0;
    *bounds++ = {0, 0, bytes, bytes};
  }
  std::ranges::copy(of_launch, bounds);
}

bool is_empty(const NDRange &range) { return !range.global[0] || !range.global[1] || !range.global[2]; }

}  // namespace

const DeviceProperties &LaunchTree::limits() const { return host_.command().queue().device().properties(); }

/// Checks a request, independent of the device's state.
int32_t LaunchTree::check(const EnqueueRequest &request) {
  if (!request.queue) return UPSWEEP_INVALID_QUEUE;
  const std::span<const uint64_t> events = request.wait_list;
  // A marker without events to wait for is invalid.
  const bool needs_events = !request.kernel;
  if ((events.data() == nullptr) != events.empty() || (needs_events && events.empty())) return UPSWEEP_INVALID_EVENT_WAIT_LIST;
  for (const uint64_t event : events)
    if (!events_.is_valid(event)) return UPSWEEP_INVALID_EVENT_WAIT_LIST;
  return UPSWEEP_ENQUEUED;
}

/// Sets the command's kernel, range and arguments.
int32_t LaunchTree::prepare(Place &place, ChildKernel &command, const EnqueueRequest &request) const {
  uint64_t bytes = kCommandBytes;
  if (request.kernel) {
    const KernelDescription &kernel = code().blocks()[request.kernel - 1];
    if (!make_range(command.range, *request.range, {kernel, limits(), num_workers_})) return UPSWEEP_INVALID_NDRANGE;
    bytes += kernel.argument_block_bytes + request.block->bytes;
  }
  constexpr uint64_t kStep = 64;
  if (!take_queue(place, command, request.queue, (bytes + kStep - 1) / kStep * kStep)) return UPSWEEP_DEVICE_QUEUE_FULL;
  if (!request.kernel || is_empty(command.range)) return UPSWEEP_ENQUEUED;
  const int32_t result = prepare_arguments(command, code().blocks()[request.kernel - 1], request);
  if (result != UPSWEEP_ENQUEUED) command.give_back_queue();
  return result;
}

int32_t LaunchTree::prepare_arguments(ChildKernel &command, const KernelDescription &kernel,
                                      const EnqueueRequest &request) const {
  const uint64_t bytes = uint64_t{kernel.argument_block_bytes} + request.block->bytes;
  const std::vector<UpsweepBounds> &of_launch = host_.launch().call.bounds;
  const uint64_t num_bounds = of_launch.empty() ? 0 : kernel.arguments.size() + of_launch.size();
  char *const arguments = command.make_arguments(num_bounds ? bounds_place(bytes) + num_bounds * sizeof(UpsweepBounds) : bytes);
  if (!arguments) return UPSWEEP_OUT_OF_RESOURCES;
  std::memcpy(arguments + kernel.argument_block_bytes, request.block, request.block->bytes);
  uint64_t local_bytes = kernel.local_bytes;
  if (const int32_t result = place_local_arguments(arguments, kernel, request.local_bytes, local_bytes)) return result;
  if (local_bytes > limits().local_memory_bytes || kernel.stack_bytes > limits().private_memory_bytes)
    return UPSWEEP_OUT_OF_RESOURCES;
  command.run.emplace(code().code(kernel), command.range, arguments, local_bytes, host_.launch().call.largest_object);
  if (num_bounds) {
    auto *const bounds = reinterpret_cast<UpsweepBounds *>(arguments + bounds_place(bytes));
    write_bounds(bounds, kernel, request.local_bytes, of_launch);
    command.run->bounds = bounds;
  }
  return UPSWEEP_ENQUEUED;
}

int32_t LaunchTree::enqueue(Place &place, const EnqueueRequest &request) {
  if (const int32_t checked = check(request)) return checked;
  ChildKernel *command = place.memory->take();
  if (!command) return UPSWEEP_OUT_OF_RESOURCES;
  int32_t result = prepare(place, *command, request);
  if (result == UPSWEEP_ENQUEUED && !command->reserve_waits(request.wait_list.size())) {
    command->give_back_queue();
    result = UPSWEEP_OUT_OF_RESOURCES;
  }
  if (result == UPSWEEP_ENQUEUED && request.event) {
    command->event = events_.create(false);
    if (!command->event) {
      command->give_back_queue();
      result = UPSWEEP_EVENT_ALLOCATION_FAILURE;
    }
  }
  if (result != UPSWEEP_ENQUEUED) {
    place.memory->give(*command);
    return result;
  }
  submit(place, *command, request);
  return UPSWEEP_ENQUEUED;
}

/// Submits the command; cannot fail.
void LaunchTree::submit(Place &place, ChildKernel &command, const EnqueueRequest &request) {
  ChildKernel &parent = *place.current;
  enter(place, command, parent);
  const bool waits_for_parent = request.kernel && request.flags & (UPSWEEP_WAIT_KERNEL | UPSWEEP_WAIT_WORK_GROUP);
  // Add one, so that the command cannot start while its waits are being registered.
  command.waits.store(1 + static_cast<uint32_t>(request.wait_list.size()) + waits_for_parent, std::memory_order_relaxed);
  const uint32_t settled = 1 + command.add_waits(events_, request.wait_list);
  // The event's address may be that of an event in the list.
  if (request.event) *request.event = command.event->handle();
  if (waits_for_parent && request.flags & UPSWEEP_WAIT_KERNEL) {
    command.next = parent.for_end.load(std::memory_order_relaxed);
    while (
        !parent.for_end.compare_exchange_weak(command.next, &command, std::memory_order_release, std::memory_order_relaxed)) {
    }
  } else if (waits_for_parent) {
    command.next = std::exchange(place.for_work_group, &command);
  }
  settle(place, command, settled);
}

uint64_t LaunchTree::event(Place &place, uint64_t event, uint32_t action, uint64_t value) {
  switch (action) {
  case UPSWEEP_CREATE_EVENT: {
    const DeviceEvent *made = events_.create(true);
    return made ? made->handle() : 0;
  }
  case UPSWEEP_RETAIN_EVENT: events_.retain(event); break;
  case UPSWEEP_RELEASE_EVENT: events_.release(event); break;
  case UPSWEEP_SET_EVENT_STATUS: tell(place, events_.set_status(event, static_cast<cl_int>(value))); break;
  case UPSWEEP_IS_VALID_EVENT: return events_.is_valid(event);
  case UPSWEEP_CAPTURE_TIMES:
    // A kernel cannot receive this error.
    if (!events_.capture(event, reinterpret_cast<cl_ulong *>(value))) root_.fail(CL_OUT_OF_RESOURCES);
    break;
  default: break;
  }
  return 0;
}

uint32_t LaunchTree::query(const UpsweepRange &wanted, uint64_t number, uint32_t query) const {
  const KernelDescription &kernel = code().blocks()[number - 1];
  switch (query) {
  case UPSWEEP_WORK_GROUP_SIZE: return static_cast<uint32_t>(max_work_group_size(kernel, limits()));
  case UPSWEEP_WORK_GROUP_SIZE_MULTIPLE:
  case UPSWEEP_MAX_SUB_GROUP_SIZE: return kernel.sub_group_size;
  default: break;
  }
  NDRange range;
  if (!make_range(range, wanted, {kernel, limits(), num_workers_}) || is_empty(range)) return 0;
  const uint64_t items = range.local[0] * range.local[1] * range.local[2];
  return static_cast<uint32_t>((items + kernel.sub_group_size - 1) / kernel.sub_group_size);
}

bool LaunchTree::print(const UpsweepGroup &group, const char *format, const void *arguments) {
  return output_ && output_->print(&group, format, arguments);
}

namespace {

LaunchTree::Place &place_of(const UpsweepGroup *group) { return *static_cast<LaunchTree::Place *>(group->driver); }

int32_t print(UpsweepGroup *group, const char *format, const void *arguments) {
  return place_of(group).tree->print(*group, format, arguments) ? 0 : -1;
}

int32_t enqueue(UpsweepGroup *group, const UpsweepRange *range, uint64_t queue, uint32_t flags, uint32_t num_events,
                const uint64_t *wait_list, uint64_t *event, uint64_t kernel, const UpsweepBlock *block, uint32_t num_locals,
                const uint64_t *local_bytes) {
  LaunchTree::Place &place = place_of(group);
  const int32_t result = place.tree->enqueue(
      place, {range, queue, flags, {wait_list, num_events}, event, kernel, block, {local_bytes, num_locals}});
  // "… returns CLK_SUCCESS if the block is enqueued successfully and returns CLK_ENQUEUE_FAILURE otherwise."
  return result == UPSWEEP_ENQUEUED || flags & UPSWEEP_SAY_WHY ? result : static_cast<int32_t>(UPSWEEP_ENQUEUE_FAILURE);
}

uint32_t query(UpsweepGroup *group, const UpsweepRange *range, uint64_t kernel, uint32_t query) {
  return place_of(group).tree->query(*range, kernel, query);
}

uint64_t event(UpsweepGroup *group, uint64_t event, uint32_t action, uint64_t value) {
  LaunchTree::Place &place = place_of(group);
  return place.tree->event(place, event, action, value);
}

}  // namespace

const UpsweepHooks kTreeHooks{.print = print,
                              .enqueue = enqueue,
                              .query = query,
                              .event = event,
                              .report = report_failure,
                              .find = find_object,
                              .race = follow_race,
                              .assert_failed = assert_failed,
                              .meet = meet,
                              .end_meetings = end_meetings};

}  // namespace upsweep
