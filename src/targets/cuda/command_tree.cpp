// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads messages in order, starts commands that are ready, and records ends.
#include "targets/cuda/command_tree.h"
#include "base/log.h"
#include "runtime/enqueue/block_arguments.h"
#include <cstring>
#include <emmintrin.h>
#include <exception>

namespace upsweep {
namespace {

/// Limit of messages that are read before the commands in them are started.
constexpr int kMessagesAtOnce = 16 << 10;
/// Checks for messages and ends before the pauses get longer: about 20 µs.
constexpr int kQuickLooks = 400;
/// After this long without progress, checks whether a kernel has faulted.
constexpr uint64_t kSuspiciousNs = 1'000'000;

static_assert(UPSWEEP_TREE_EVENTS == kMaxDeviceEvents);

/// "The first 64-bit value describes the elapsed time CL_PROFILING_COMMAND_END - CL_PROFLING_COMMAND_START …, the second …
/// CL_PROFILING_COMMAND_COMPLETE - CL_PROFILING_COMAMND_START"
std::array<cl_ulong, 2> values_of(const DeviceTimes &times) { return {times.end - times.start, times.complete - times.start}; }

bool is_empty(const NDRange &range) { return !range.global[0] || !range.global[1] || !range.global[2]; }

}  // namespace

CommandTree::CommandTree(const Gpu &gpu, CudaImages &images, Command &command, TreeMemory &memory, CUdeviceptr printf_buffer,
                         uint64_t most_local_bytes)
    : gpu_(gpu), images_(images), command_(command), code_(static_cast<const CudaCode &>(*launch().call.code)), memory_(memory),
      printf_buffer_(printf_buffer), most_local_bytes_(most_local_bytes),
      events_([&memory](uint32_t place) { memory.return_event_place(place); },
              [this](cl_ulong *to, const DeviceTimes &times) { store_times(to, times); }),
      grids_(gpu, code_, memory, printf_buffer) {}

Result<void> CommandTree::start_launch() {
  CUstream stream = memory_.stream(0);
  code_.load_blocks(stream);
  auto done = memory_.prepare(launch(), code_, most_local_bytes_, stream);
  const TreeOfLaunch tree{memory_.tree(), reinterpret_cast<uint64_t>(&root_)};
  grids_.add_launch(root_);
  if (done) done = start_grids(gpu_, images_, launch(), printf_buffer_, tree, stream);
  return done;
}

Result<void> CommandTree::run() {
  auto done = start_launch();
  try {
    if (done) done = work();
  } catch (const std::bad_alloc &) {
    done = fail(CL_OUT_OF_HOST_MEMORY, "no memory for the commands that kernels enqueue");
  }
  if (!done) {
    wait_for_kernels();
    memory_.abandon();
    return done;
  }
  if (events_.has_any()) memory_.forget();
  const cl_int status = root_.status.load(std::memory_order_relaxed);
  if (status < 0) return fail(status, "a command that a kernel enqueued failed");
  return {};
}

Result<void> CommandTree::work() {
  PollBackoff backoff;
  int quick_looks = 0;
  while (!is_complete_) {
    bool has_worked = read_messages();
    has_worked |= start_ready();
    has_worked |= end_grids();
    if (has_worked) {
      backoff.reset();
      quick_looks = 0;
    } else if (!grids_.are_running() && !grids_.has_listed() && ready_.empty()) {
      // No kernel runs, and the remaining commands wait for events that can never come: they end without having run.
      tell(events_.fail_hopeless_waits());
      if (ready_.empty())
        return fail(CL_OUT_OF_RESOURCES, "commands that kernels enqueued wait for events that never complete");
    } else if (++quick_looks < kQuickLooks) {
      _mm_pause();  // short, since the latency of each end delays a chain of commands
    } else {
      backoff.pause();
      if (backoff.waited_ns() > kSuspiciousNs)
        if (auto idle = memory_.are_streams_idle(); !idle) return fail(idle);
    }
  }
  return {};
}

/// Stops starting commands, and drops messages so that the kernels end.
void CommandTree::wait_for_kernels() {
  PollBackoff backoff;
  for (auto idle = memory_.are_streams_idle(); idle && !*idle; idle = memory_.are_streams_idle()) {
    drop_messages();
    backoff.pause();
  }
  drop_messages();
}

void CommandTree::drop_messages() {
  try {
    while (memory_.ring().next()) {
    }
  } catch (const std::bad_alloc &) {
    // Memory may be available next time.
  }
}

// Messages

bool CommandTree::read_messages() {
  int count = 0;
  for (; count < kMessagesAtOnce; ++count) {
    const UpsweepMessage *message = memory_.ring().next();
    if (!message) break;
    read(*message);
  }
  return count != 0;
}

void CommandTree::read(const UpsweepMessage &message) {
  switch (message.action) {
  case UPSWEEP_MESSAGE_COMMAND: return read_command(message);
  case UPSWEEP_MESSAGE_RELEASED: know(message.event); return events_.release(message.event);
  case UPSWEEP_MESSAGE_STATUS:
    know(message.event);
    return tell(events_.set_status(message.event, static_cast<cl_int>(message.value)));
  case UPSWEEP_MESSAGE_TIMES:
    if (!events_.capture(message.event, reinterpret_cast<cl_ulong *>(message.value))) root_.fail(CL_OUT_OF_RESOURCES);
    return;
  default: break;
  }
}

/// Registers a user event at the first message about it. Messages of commands precede all other messages about their events.
void CommandTree::know(uint64_t event) {
  if (!events_.is_valid(event)) events_.adopt(event, true);
}

void CommandTree::read_command(const UpsweepMessage &message) {
  GpuCommand &command = memory_.commands().take();
  const uint32_t flags = message.flags_work_dim_and_queue & 0xffff, work_dim = message.flags_work_dim_and_queue >> 16 & 0xff;
  command.queue = message.flags_work_dim_and_queue >> 24;
  command.queue_bytes = message.queue_bytes;
  const auto *words = reinterpret_cast<const uint64_t *>(&message + 1);
  if (message.block) words = read_range(command, work_dim, words);
  const std::span wait_list(words, message.num_events);
  if (message.block && !is_empty(command.range)) {
    command.kernel = &code_.blocks()[message.block - 1];
    if (read_arguments(command, message, words + message.num_events)) command.fail(CL_OUT_OF_RESOURCES);
  }
  auto &parent = *reinterpret_cast<GpuCommand *>(message.command);
  if (!command.reserve_waits(wait_list.size())) throw std::bad_alloc();
  if (message.event) command.event = events_.adopt(message.event, false);
  command.enter(parent);
  for (const uint64_t event : wait_list) know(event);
  // The end of a work-group is not reported, only that of its whole kernel.
  const bool waits_for_parent = message.block && flags & (UPSWEEP_WAIT_KERNEL | UPSWEEP_WAIT_WORK_GROUP);
  // Add one, so that the command cannot start while its waits are being registered.
  command.waits.store(1 + message.num_events + waits_for_parent, std::memory_order_relaxed);
  const uint32_t settled = 1 + command.add_waits(events_, wait_list);
  if (waits_for_parent) command.next = std::exchange(parent.for_end, &command);
  settle(command, settled);
}

/// Returns the address after the range.
const uint64_t *CommandTree::read_range(GpuCommand &command, uint32_t work_dim, const uint64_t *words) {
  command.range = {};
  command.range.work_dim = work_dim;
  for (uint32_t d = 0; d < work_dim; ++d) {
    command.range.offset[d] = *words++;
    command.range.global[d] = *words++;
    command.range.local[d] = *words++;
  }
  return words;
}

int32_t CommandTree::read_arguments(GpuCommand &command, const UpsweepMessage &message, const uint64_t *locals) const {
  const KernelDescription &kernel = *command.kernel;
  char *const arguments = command.make_arguments(uint64_t{kernel.argument_block_bytes} + message.literal_bytes);
  const auto *literal = reinterpret_cast<const UpsweepBlock *>(locals + message.num_locals);
  std::memcpy(arguments + kernel.argument_block_bytes, literal, message.literal_bytes);
  command.local_bytes = kernel.local_bytes;
  if (kernel.arguments.empty()) {
    command.argument_alignment = std::max(literal->alignment, 8u);
    return UPSWEEP_ENQUEUED;
  }
  command.argument_alignment = UPSWEEP_BLOCK_ALIGNMENT;
  const int32_t result = place_local_arguments(arguments, kernel, {locals, message.num_locals}, command.local_bytes);
  // Kernels expect offsets in dynamic memory, which starts after declared memory.
  const uint64_t declared = code_.functions(kernel).declared_local_bytes();
  for (const ArgumentDescription &argument : kernel.arguments) {
    uint64_t offset = 0;
    std::memcpy(&offset, arguments + argument.offset, sizeof offset);
    offset -= declared;
    std::memcpy(arguments + argument.offset, &offset, sizeof offset);
  }
  return result;
}

// Commands

void CommandTree::settle(GpuCommand &command, uint32_t waits) {
  if (command.waits.fetch_sub(waits, std::memory_order_relaxed) == waits) ready_.push_back(&command);
}

/// Settles the commands in the order of their enqueueing.
void CommandTree::settle_all(GpuCommand *newest) {
  GpuCommand *oldest = nullptr;
  while (newest) {
    GpuCommand *const next = newest->next;
    newest->next = std::exchange(oldest, newest);
    newest = next;
  }
  while (oldest) settle(*std::exchange(oldest, oldest->next));
}

void CommandTree::tell(EventWait *waits) {
  while (waits) {
    EventWait *const next = waits->next;  // the command may be freed once it is notified
    auto &command = static_cast<GpuCommand &>(*waits->command);
    if (waits->failed) command.wait_failed.store(true, std::memory_order_relaxed);
    settle(command);
    waits = next;
  }
}

bool CommandTree::start_ready() {
  const bool has_some = !ready_.empty();
  // The end of a command may make others ready.
  for (size_t i = 0; i < ready_.size(); ++i) {
    GpuCommand &command = *ready_[i];
    if (command.wait_failed.load(std::memory_order_relaxed)) command.fail(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    if (command.kernel && command.status.load(std::memory_order_relaxed) == CL_COMPLETE)
      grids_.add(command);
    else
      end(command);
  }
  ready_.clear();
  if (grids_.has_listed()) grids_.start();
  return has_some;
}

bool CommandTree::end_grids() {
  bool has_some = false;
  while (GpuCommand *command = grids_.next_ended()) {
    end(*command);
    has_some = true;
  }
  return has_some;
}

void CommandTree::end(GpuCommand &command) {
  settle_all(std::exchange(command.for_end, nullptr));
  if (&command == &root_) command_.note_end();
  if (command.event) command.event->times.end = now_ns();
  const auto leave = [&](TreeCommand &part, cl_int status) {
    auto &its = static_cast<GpuCommand &>(part);
    memory_.return_bytes(its.queue, its.queue_bytes);
    if (part.event) {
      DeviceTimes &times = part.event->times;
      times.complete = now_ns();
      if (!times.start) times.start = times.end = times.complete;  // it had nothing to run
      memory_.tell_times(part.event->handle(), values_of(times));
      tell(events_.complete(*part.event, status));
    }
    memory_.commands().give(its);
  };
  is_complete_ |= end_upwards(command, leave, [](TreeCommand &part) { return part.drop_one(); });
}

/// Stores the times at any address that kernels can have.
void CommandTree::store_times(cl_ulong *to, const DeviceTimes &times) const {
  const std::array<cl_ulong, 2> values = values_of(times);
  const CudaDriver &driver = gpu_.driver;
  constexpr int kMemoryType = 2;  // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
  int attribute = kMemoryType;
  unsigned type = 0;
  void *value = &type;
  const auto address = reinterpret_cast<CUdeviceptr>(to);
  if (driver.pointer_attributes(1, &attribute, &value, address) == 0 && type == 1) {
    std::memcpy(to, values.data(), sizeof values);
    return;
  }
  // This stream has no other work.
  CUstream stream = memory_.copy_stream();
  if (driver.copy_to_device(address, values.data(), sizeof values, stream) == 0) driver.synchronize_stream(stream);
}

}  // namespace upsweep
