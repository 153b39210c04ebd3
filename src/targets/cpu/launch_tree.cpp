// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a launch and all commands that its kernels enqueue.
#include "targets/cpu/launch_tree.h"
#include "base/options.h"
#include "runtime/objects/event.h"
#include <algorithm>
#include <cassert>
#include <chrono>
#include <immintrin.h>

namespace upsweep {
namespace {

bool prints(const CpuCode &code, const KernelDescription &kernel) {
  return kernel.prints || std::ranges::any_of(code.blocks(), &KernelDescription::prints);
}

/// The command, if an application thread has the stack for all of the program's kernels; else null.
const Command *helped_for(const Command &command) {
  const auto fits = [](const KernelDescription &kernel) { return kernel.stack_bytes <= kMaxAssistedBytes; };
  const KernelCall &call = std::get<Launch>(command.body()).call;
  return fits(*call.kernel) && std::ranges::all_of(static_cast<const CpuCode &>(*call.code).blocks(), fits) ? &command
                                                                                                            : nullptr;
}

}  // namespace

LaunchTree::LaunchTree(Ref<Command> command, Share share, WorkerPool &pool)
    : Job(share, {.wanted = share.count, .most = share.count, .is_long = true}, helped_for(*command)),
      host_(std::move(command)), pool_(pool), num_workers_(share.count), places_(std::make_unique<Place[]>(share.count)) {
  const KernelDescription &kernel = *host_.launch().call.kernel;
  if (prints(code(), kernel)) output_.emplace();
  root_.run = host_.run();
  for (uint32_t i = 0; i < num_workers_; ++i) places_[i].tree = this;
  places_[0].ready.push(root_);
}

// Workers

void LaunchTree::work(WorkerMemory &memory, uint32_t) {
  const TraceWorkScope traced(host_.command());
  host_.begin();
  Place &place = take_place();
  place.memory = &memory.commands();
  alignas(64) UpsweepGroup group;
  group.hooks = &kTreeHooks;
  group.driver = &place;
  const Ref<DeviceQueue> &default_queue = host_.launch().call.default_queue;
  group.default_queue = default_queue ? default_queue->address() : 0;
  do {
    while (ChildKernel *command = find_work(place)) run(place, *command, group, memory);
    give_spare(place);
  } while (!is_complete_.load(std::memory_order_acquire) && poll());
  place.is_taken.store(false, std::memory_order_release);
}

/// The number of concurrent workers never exceeds the number of places.
LaunchTree::Place &LaunchTree::take_place() {
  for (uint32_t i = 0;; i = (i + 1) % num_workers_)
    if (!places_[i].is_taken.exchange(true, std::memory_order_acquire)) return places_[i];
}

ChildKernel *LaunchTree::find_work(Place &place) {
  if (ChildKernel *own = place.ready.pop_newest()) return own;
  const auto self = static_cast<uint32_t>(&place - places_.get());
  for (uint32_t i = 1; i < num_workers_; ++i)
    if (ChildKernel *stolen = places_[(self + i) % num_workers_].ready.pop_oldest()) return stolen;
  return nullptr;
}

bool LaunchTree::has_work() const {
  return std::any_of(places_.get(), places_.get() + num_workers_, [](const Place &place) { return !place.ready.is_empty(); });
}

/// Whether new work arrives, or all work is complete, within some microseconds.
bool LaunchTree::poll() const {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::microseconds(options().spin_us);
  do {
    // Look rarely: each look takes the list's cache line from the worker that enqueues.
    if (has_work() || is_complete_.load(std::memory_order_acquire)) return true;
    for (int i = 0; i < 16; ++i) _mm_pause();
  } while (Clock::now() < until);
  return false;
}

/// Either a worker that makes a command ready sees that help is wanted, or this thread sees the command.
bool LaunchTree::rest() {
  wants_help_.store(true, std::memory_order_seq_cst);
  if (is_complete_.load(std::memory_order_acquire) || !has_work()) return false;
  wants_help_.store(false, std::memory_order_relaxed);
  return true;
}

// Running commands

void LaunchTree::run(Place &place, ChildKernel &command, UpsweepGroup &group, WorkerMemory &memory) {
  const bool is_to_run = command.run && !command.wait_failed.load(std::memory_order_relaxed);
  if (is_to_run) {
    if (command.event && !command.has_started.exchange(true)) command.event->times.start = now_ns();
    run_groups(place, command, group, memory);
  } else if (command.wait_failed.load(std::memory_order_relaxed)) {
    command.fail(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  leave(place, command);
}

void LaunchTree::run_groups(Place &place, ChildKernel &command, UpsweepGroup &group, WorkerMemory &memory) {
  const KernelRun &run = *command.run;
  uint64_t taken = command.next_group.load(std::memory_order_relaxed);
  if (taken >= run.total) return;
  if (host_.has_failed() || !run.fill(group, memory)) {
    command.fail(CL_OUT_OF_RESOURCES);
    command.next_group.store(run.total, std::memory_order_relaxed);
    return;
  }
  place.current = &command;
  // The command stays visible to other workers until no work-group is left.
  if (num_workers_ > 1 && run.total - taken > 1) {
    command.workers.fetch_add(1, std::memory_order_relaxed);
    place.ready.push(command);
    if (wants_help_.load(std::memory_order_seq_cst) && wants_help_.exchange(false)) pool_.offer(*this);
  }
  for (;;) {
    const uint64_t count = run.next_run(taken, num_workers_);
    const uint64_t first = command.next_group.fetch_add(count, std::memory_order_relaxed);
    if (first >= run.total) break;
    run.run(group, first, std::min(first + count, run.total), [&] {
      if (place.for_work_group) settle_all(place, std::exchange(place.for_work_group, nullptr));
    });
    taken = first + count;
    if (taken >= run.total) break;
  }
}

void LaunchTree::leave(Place &place, ChildKernel &command) {
  if (command.workers.fetch_sub(1, std::memory_order_acq_rel) == 1) end(place, command);
}

void LaunchTree::end(Place &place, ChildKernel &command) {
  if (ChildKernel *waiting = command.for_end.exchange(nullptr, std::memory_order_acquire)) settle_all(place, waiting);
  if (&command == &root_) host_.command().note_end();
  if (command.event) command.event->times.end = now_ns();
  const auto leave = [&](TreeCommand &part, cl_int status) {
    auto &kernel = static_cast<ChildKernel &>(part);
    give_queue(place, kernel);
    if (part.event) {
      DeviceTimes &times = part.event->times;
      times.complete = now_ns();
      if (!times.start) times.start = times.end = times.complete;  // it had nothing to run
      tell(place, events_.complete(*part.event, status));
    }
    place.memory->give(kernel);
  };
  end_upwards(command, leave, [&](TreeCommand &part) { return drop_one(place, part); });
}

// Counters that all workers share: each change waits for the core that changed the counter last

void LaunchTree::enter(Place &place, ChildKernel &command, ChildKernel &parent) {
  command.enter_uncounted(parent);
  if (command.owner != &root_) {
    command.owner->pending.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (place.spare_pending == 0) {
    root_.pending.fetch_add(kPendingAtOnce, std::memory_order_relaxed);
    place.spare_pending = kPendingAtOnce;
  }
  --place.spare_pending;
}

/// Never completes the launch; only the last place to return its spare counts can.
bool LaunchTree::drop_one(Place &place, TreeCommand &part) {
  if (&part != &root_) return part.drop_one();
  if (++place.spare_pending > 2 * kPendingAtOnce) {
    root_.pending.fetch_sub(kPendingAtOnce, std::memory_order_acq_rel);
    place.spare_pending -= kPendingAtOnce;
  }
  return false;
}

/// False if the queue is full.
bool LaunchTree::take_queue(Place &place, ChildKernel &command, uint64_t handle, uint64_t bytes) const {
  auto &queue = *reinterpret_cast<UpsweepDeviceQueue *>(handle);
  command.queue = &queue;
  command.queue_bytes = bytes;
  if (place.spare_queue == &queue && place.spare_bytes >= bytes) {
    place.spare_bytes -= bytes;
    return true;
  }
  std::atomic_ref taken(queue.taken);
  const bool keeps_other = place.spare_queue != &queue && place.spare_bytes != 0;
  const uint64_t more = keeps_other ? 0 : most_spare_bytes(queue) / 2;
  const uint64_t before = taken.fetch_add(bytes + more, std::memory_order_relaxed);
  if (before + bytes + more <= queue.bytes) {
    if (more) {
      place.spare_queue = &queue;
      place.spare_bytes += more;
    }
    return true;
  }
  const bool has_room = before + bytes <= queue.bytes;
  taken.fetch_sub(has_room ? more : bytes + more, std::memory_order_relaxed);
  return has_room;
}

void LaunchTree::give_queue(Place &place, ChildKernel &command) const {
  if (place.spare_bytes == 0) place.spare_queue = command.queue;
  if (place.spare_queue != command.queue) return command.give_back_queue();
  const uint64_t most = most_spare_bytes(*command.queue);
  place.spare_bytes += command.queue_bytes;
  if (place.spare_bytes <= most) return;
  std::atomic_ref(command.queue->taken).fetch_sub(place.spare_bytes - most / 2, std::memory_order_relaxed);
  place.spare_bytes = most / 2;
}

void LaunchTree::give_spare(Place &place) {
  if (const uint64_t bytes = std::exchange(place.spare_bytes, 0))
    std::atomic_ref(place.spare_queue->taken).fetch_sub(bytes, std::memory_order_relaxed);
  const uint32_t pending = std::exchange(place.spare_pending, 0);
  if (pending && root_.pending.fetch_sub(pending, std::memory_order_acq_rel) == pending)
    is_complete_.store(true, std::memory_order_release);
}

void LaunchTree::settle(Place &place, ChildKernel &command, uint32_t waits) {
  if (command.waits.fetch_sub(waits, std::memory_order_acq_rel) != waits) return;
  place.ready.push(command);
  if (wants_help_.load(std::memory_order_seq_cst) && wants_help_.exchange(false)) pool_.offer(*this);
}

/// Settles the commands in the order of their enqueueing.
void LaunchTree::settle_all(Place &place, ChildKernel *newest) {
  ChildKernel *oldest = nullptr;
  while (newest) {
    ChildKernel *const next = newest->next;
    newest->next = std::exchange(oldest, newest);
    newest = next;
  }
  while (oldest) {
    ChildKernel &command = *oldest;
    oldest = command.next;
    settle(place, command);
  }
}

void LaunchTree::tell(Place &place, EventWait *waits) {
  while (waits) {
    EventWait *const next = waits->next;  // the command may be freed once it is notified
    auto &command = static_cast<ChildKernel &>(*waits->command);
    if (waits->failed) command.wait_failed.store(true, std::memory_order_relaxed);
    settle(place, command);
    waits = next;
  }
}

void LaunchTree::complete() {
  ChildCache memory;
  // No kernel runs, and the remaining commands wait for events that can never come: they end without having run.
  Place &place = places_[0];
  place.memory = &memory;
  wants_help_.store(false, std::memory_order_relaxed);
  while (!is_complete_.load(std::memory_order_acquire)) {
    ChildKernel *command = find_work(place);
    if (!command) {
      EventWait *const waits = events_.fail_hopeless_waits();
      assert(waits && "a command of the launch waits for no event and is not ready");
      if (!waits) break;
      tell(place, waits);
      continue;
    }
    if (command->wait_failed.load(std::memory_order_relaxed)) command->fail(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    leave(place, *command);
    give_spare(place);
  }
  output_.reset();  // writes the remaining output
  const cl_int status = root_.status.load(std::memory_order_relaxed);
  host_.command().finish(host_.has_failed() ? CL_OUT_OF_RESOURCES : status);
}

}  // namespace upsweep
