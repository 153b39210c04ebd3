// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of kernels (clk_event_t): events of the commands that one launch's kernels enqueue, and their user events. They belong
// to the launch, so events that a kernel forgets to release are freed with it, and events that can no longer be set are
// detected.
#ifndef UPSWEEP_RUNTIME_ENQUEUE_DEVICE_EVENTS_H
#define UPSWEEP_RUNTIME_ENQUEUE_DEVICE_EVENTS_H

#include <CL/cl.h>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace upsweep {

struct TreeCommand;

/// A command's wait for one event: a node of the event's list, stored in the command.
struct EventWait {
  TreeCommand *command;
  EventWait *next;
  bool failed;  ///< valid when the command is notified: the event ended with an error
};

/// CL_DEVICE_MAX_ON_DEVICE_EVENTS, for one launch.
inline constexpr uint32_t kMaxDeviceEvents = 1 << 18;

struct DeviceTimes {
  cl_ulong start = 0, end = 0, complete = 0;
};

class DeviceEvent {
public:
  /// Written by the event's command before it completes the event.
  DeviceTimes times;

  /// The clk_event_t: the slot in the table (lower 32 bits) and the number of uses of the slot (upper 32 bits).
  uint64_t handle() const { return uint64_t{uses_.load(std::memory_order_relaxed)} << 32 | place_; }

private:
  friend class DeviceEvents;
  std::mutex mutex_;  ///< guards all members except uses_ and constants
  uint32_t place_ = 0;
  std::atomic<uint32_t> uses_{0};
  uint32_t references_ = 0;  ///< the kernels' references, one of the command until it completes, and one per wait
  bool is_user_ = false;
  cl_int status_ = CL_SUBMITTED;
  EventWait *waits_ = nullptr;
  std::vector<cl_ulong *> captures_;  ///< addresses to store the times at
  DeviceEvent *next_free_ = nullptr;
};

class DeviceEvents {
public:
  DeviceEvents() = default;
  /// For a device that chooses the slots of events itself. Its events arrive through adopt(), and `leave` is called for each
  /// slot that becomes free. `store` writes times for kernels if the host cannot access their memory.
  DeviceEvents(std::function<void(uint32_t)> leave, std::function<void(cl_ulong *, const DeviceTimes &)> store)
      : leave_(std::move(leave)), store_(std::move(store)) {}
  ~DeviceEvents();
  DeviceEvents(const DeviceEvents &) = delete;
  DeviceEvents &operator=(const DeviceEvents &) = delete;

  /// Creates an event of a command or a user event; null if there are too many events or no memory. The kernels hold one
  /// reference, and the command holds another until it completes.
  DeviceEvent *create(bool is_user);
  /// create() with a handle that the device chose; also null if the handle is in use.
  DeviceEvent *adopt(uint64_t handle, bool is_user);
  /// Destroys the event of a command that could not be enqueued.
  void destroy(DeviceEvent &event);

  /// Whether any events were created.
  bool has_any() const { return places_.load(std::memory_order_relaxed) != 0; }

  // Operations of kernels on handles; they do nothing or return false if the event does not exist.
  bool is_valid(uint64_t handle);
  void retain(uint64_t handle);
  void release(uint64_t handle);
  /// Stores the times in `times` once they are known; false if memory runs out.
  [[nodiscard]] bool capture(uint64_t handle, cl_ulong *times);

  enum class Wait { kInvalid, kListed, kComplete, kFailed };
  /// If it returns kListed, `wait` belongs to the event until its command is notified.
  Wait add_wait(uint64_t handle, EventWait &wait);

  /// Sets a user event's status; returns the waits to notify, or null.
  EventWait *set_status(uint64_t handle, cl_int status);
  /// Completes a command's event; returns the waits to notify, or null.
  EventWait *complete(DeviceEvent &event, cl_int status);
  /// Call when no command runs and none is ready. Fails the waits that can never end: waits for user events that are not set.
  /// If there are none, fails the waits for commands, which then wait for each other. Null if nothing waits for an event.
  EventWait *fail_hopeless_waits();

private:
  /// The table consists of chunks of 64, 128, … slots, so it is small for launches with few events, as most are.
  [[nodiscard]] bool make_places(uint32_t count);
  static void begin(DeviceEvent &event, uint32_t uses, bool is_user);
  void store(cl_ulong *to, const DeviceTimes &times) const;
  static constexpr uint32_t kFirstChunk = 64;
  static constexpr uint32_t kChunks = std::bit_width(kMaxDeviceEvents / kFirstChunk);
  static uint32_t chunk_of(uint32_t place) { return static_cast<uint32_t>(std::bit_width(place / kFirstChunk + 1)) - 1; }
  static uint32_t first_of(uint32_t chunk) { return kFirstChunk * ((1u << chunk) - 1); }
  DeviceEvent *find(uint64_t handle);
  DeviceEvent *at(uint32_t place) const {
    const uint32_t chunk = chunk_of(place);
    return chunks_[chunk].load(std::memory_order_acquire) + (place - first_of(chunk));
  }
  /// Call with the event locked.
  static bool is_of(const DeviceEvent &event, uint64_t handle) { return event.references_ && event.handle() == handle; }
  static EventWait *end(DeviceEvent &event, cl_int status);
  static EventWait *take_waits(DeviceEvent &event, bool have_failed);
  EventWait *fail_waits(bool of_user_events);
  void drop(DeviceEvent &event, std::unique_lock<std::mutex> lock, uint32_t references = 1);

  std::function<void(uint32_t)> leave_;
  std::function<void(cl_ulong *, const DeviceTimes &)> store_;
  std::mutex mutex_;  ///< guards free_ and the growth of the table
  DeviceEvent *free_ = nullptr;
  std::atomic<uint32_t> places_{0};
  std::array<std::atomic<DeviceEvent *>, kChunks> chunks_{};
};

}  // namespace upsweep
#endif
