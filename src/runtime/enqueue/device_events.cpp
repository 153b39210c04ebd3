// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of events that never move, so that handles of freed events are detected.
#include "runtime/enqueue/device_events.h"
#include <new>
#include <utility>

namespace upsweep {

DeviceEvents::~DeviceEvents() {
  for (std::atomic<DeviceEvent *> &chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
}

/// Grows the table to at least `count` slots; false if memory runs out. Call with mutex_ locked.
bool DeviceEvents::make_places(uint32_t count) {
  for (uint32_t place = places_.load(std::memory_order_relaxed); place < count; ++place) {
    const uint32_t chunk = chunk_of(place);
    if (place == first_of(chunk)) {
      auto *made = new (std::nothrow) DeviceEvent[kFirstChunk << chunk];
      if (!made) return false;
      chunks_[chunk].store(made, std::memory_order_release);
    }
    at(place)->place_ = place;
    places_.store(place + 1, std::memory_order_release);
  }
  return true;
}

/// Call with the event locked.
void DeviceEvents::begin(DeviceEvent &event, uint32_t uses, bool is_user) {
  event.uses_.store(uses, std::memory_order_relaxed);
  event.references_ = is_user ? 1 : 2;
  event.is_user_ = is_user;
  event.status_ = CL_SUBMITTED;
  event.times = {};
}

DeviceEvent *DeviceEvents::create(bool is_user) {
  DeviceEvent *event = nullptr;
  {
    std::lock_guard lock(mutex_);
    event = free_;
    if (event) {
      free_ = event->next_free_;
    } else {
      const uint32_t place = places_.load(std::memory_order_relaxed);
      if (place == kMaxDeviceEvents || !make_places(place + 1)) return nullptr;
      event = at(place);
    }
  }
  std::lock_guard lock(event->mutex_);
  // Count from 1, so that no handle is 0.
  const uint32_t uses = event->uses_.load(std::memory_order_relaxed) + 1;
  begin(*event, uses ? uses : 1, is_user);
  return event;
}

DeviceEvent *DeviceEvents::adopt(uint64_t handle, bool is_user) {
  const auto place = static_cast<uint32_t>(handle);
  if (place >= kMaxDeviceEvents) return nullptr;
  {
    std::lock_guard lock(mutex_);
    if (!make_places(place + 1)) return nullptr;
  }
  DeviceEvent &event = *at(place);
  std::lock_guard lock(event.mutex_);
  if (event.references_) return nullptr;
  begin(event, static_cast<uint32_t>(handle >> 32), is_user);
  return &event;
}

void DeviceEvents::destroy(DeviceEvent &event) { drop(event, std::unique_lock(event.mutex_), 2); }

DeviceEvent *DeviceEvents::find(uint64_t handle) {
  const auto place = static_cast<uint32_t>(handle);
  return place < places_.load(std::memory_order_acquire) ? at(place) : nullptr;
}

void DeviceEvents::drop(DeviceEvent &event, std::unique_lock<std::mutex> lock, uint32_t references) {
  event.references_ -= references;
  if (event.references_) return;
  event.captures_.clear();
  lock.unlock();
  if (leave_) return leave_(event.place_);
  std::lock_guard table(mutex_);
  event.next_free_ = std::exchange(free_, &event);
}

bool DeviceEvents::is_valid(uint64_t handle) {
  DeviceEvent *event = find(handle);
  if (!event) return false;
  std::lock_guard lock(event->mutex_);
  return is_of(*event, handle);
}

void DeviceEvents::retain(uint64_t handle) {
  DeviceEvent *event = find(handle);
  if (!event) return;
  std::lock_guard lock(event->mutex_);
  if (is_of(*event, handle)) ++event->references_;
}

void DeviceEvents::release(uint64_t handle) {
  DeviceEvent *event = find(handle);
  if (!event) return;
  std::unique_lock lock(event->mutex_);
  if (is_of(*event, handle)) drop(*event, std::move(lock));
}

/// "The first 64-bit value describes the elapsed time CL_PROFILING_COMMAND_END - CL_PROFLING_COMMAND_START …, the second …
/// CL_PROFILING_COMMAND_COMPLETE - CL_PROFILING_COMAMND_START"
void DeviceEvents::store(cl_ulong *to, const DeviceTimes &times) const {
  if (store_) return store_(to, times);
  to[0] = times.end - times.start;
  to[1] = times.complete - times.start;
}

bool DeviceEvents::capture(uint64_t handle, cl_ulong *times) {
  DeviceEvent *event = find(handle);
  if (!event || !times) return true;
  std::lock_guard lock(event->mutex_);
  if (!is_of(*event, handle) || event->is_user_) return true;
  if (event->status_ <= CL_COMPLETE) {
    store(times, event->times);
    return true;
  }
  try {
    event->captures_.push_back(times);
  } catch (const std::bad_alloc &) {  // generated code cannot handle exceptions
    return false;
  }
  return true;
}

DeviceEvents::Wait DeviceEvents::add_wait(uint64_t handle, EventWait &wait) {
  DeviceEvent *event = find(handle);
  if (!event) return Wait::kInvalid;
  std::lock_guard lock(event->mutex_);
  if (!is_of(*event, handle)) return Wait::kInvalid;
  if (event->status_ <= CL_COMPLETE) return event->status_ == CL_COMPLETE ? Wait::kComplete : Wait::kFailed;
  ++event->references_;
  wait.next = std::exchange(event->waits_, &wait);
  return Wait::kListed;
}

/// Call with the event locked.
EventWait *DeviceEvents::take_waits(DeviceEvent &event, bool have_failed) {
  EventWait *waits = std::exchange(event.waits_, nullptr);
  for (EventWait *wait = waits; wait; wait = wait->next) {
    wait->failed = have_failed;
    --event.references_;
  }
  return waits;
}

/// Call with the event locked.
EventWait *DeviceEvents::end(DeviceEvent &event, cl_int status) {
  event.status_ = status;
  return take_waits(event, status < 0);
}

EventWait *DeviceEvents::set_status(uint64_t handle, cl_int status) {
  DeviceEvent *event = find(handle);
  if (!event || status > CL_COMPLETE) return nullptr;
  std::unique_lock lock(event->mutex_);
  if (!is_of(*event, handle) || !event->is_user_ || event->status_ <= CL_COMPLETE) return nullptr;
  EventWait *waits = end(*event, status);
  if (!event->references_) drop(*event, std::move(lock), 0);
  return waits;
}

EventWait *DeviceEvents::complete(DeviceEvent &event, cl_int status) {
  std::unique_lock lock(event.mutex_);
  for (cl_ulong *to : event.captures_) store(to, event.times);
  event.captures_.clear();
  EventWait *waits = end(event, status);
  drop(event, std::move(lock));
  return waits;
}

EventWait *DeviceEvents::fail_waits(bool of_user_events) {
  constexpr cl_int kHopeless = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  EventWait *all = nullptr;
  const uint32_t places = places_.load(std::memory_order_acquire);
  for (uint32_t place = 0; place < places; ++place) {
    DeviceEvent &event = *at(place);
    std::unique_lock lock(event.mutex_);
    if (!event.references_ || event.is_user_ != of_user_events || event.status_ <= CL_COMPLETE) continue;
    // A command's own event ends together with the command.
    EventWait *waits = of_user_events ? end(event, kHopeless) : take_waits(event, true);
    if (!event.references_) drop(event, std::move(lock), 0);
    while (waits) {
      EventWait *next = waits->next;
      waits->next = std::exchange(all, waits);
      waits = next;
    }
  }
  return all;
}

EventWait *DeviceEvents::fail_hopeless_waits() {
  EventWait *waits = fail_waits(true);
  return waits ? waits : fail_waits(false);
}

}  // namespace upsweep
