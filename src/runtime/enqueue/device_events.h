// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of kernels (clk_event_t): of the commands that the kernels of one launch enqueue, and their user events. They belong
// to the launch, so that what a kernel forgets to release goes with it, and that an event that nothing can set any more is
// known.
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

/// A command's wait for one event: a node of the event's list, in the command's memory.
struct EventWait {
  TreeCommand *command;
  EventWait *next;
  bool failed;  ///< when the command is told: the event ended with an error
};

/// CL_DEVICE_MAX_ON_DEVICE_EVENTS, of one launch.
inline constexpr uint32_t kMaxDeviceEvents = 1 << 18;

struct DeviceTimes {
  cl_ulong start = 0, end = 0, complete = 0;
};

class DeviceEvent {
public:
  /// Of its command, which has not completed it.
  DeviceTimes times;

  /// The clk_event_t: its place in the table, and above it the number of times that the place was used.
  uint64_t handle() const { return uint64_t{uses_.load(std::memory_order_relaxed)} << 32 | place_; }

private:
  friend class DeviceEvents;
  std::mutex mutex_;  ///< guards all but uses_ and what is constant
  uint32_t place_ = 0;
  std::atomic<uint32_t> uses_{0};
  uint32_t references_ = 0;  ///< the kernels', one of the command that is not complete, and one of each wait
  bool is_user_ = false;
  cl_int status_ = CL_SUBMITTED;
  EventWait *waits_ = nullptr;
  std::vector<cl_ulong *> captures_;  ///< where the times go
  DeviceEvent *next_free_ = nullptr;
};

class DeviceEvents {
public:
  DeviceEvents() = default;
  /// For a device that chooses events' places itself: the events come by adopt(), and `leave` is told of places that are free
  /// again. `store` is for times that kernels want, where the host cannot write to their memory.
  DeviceEvents(std::function<void(uint32_t)> leave, std::function<void(cl_ulong *, const DeviceTimes &)> store)
      : leave_(std::move(leave)), store_(std::move(store)) {}
  ~DeviceEvents();
  DeviceEvents(const DeviceEvents &) = delete;
  DeviceEvents &operator=(const DeviceEvents &) = delete;

  /// A new event, of a command or the kernels' own; null when there are too many, or no memory. The kernels have one reference,
  /// a command that has not completed it another.
  DeviceEvent *create(bool is_user);
  /// The same with a handle that the device chose; also null when it is in use.
  DeviceEvent *adopt(uint64_t handle, bool is_user);
  /// Of a command that was not enqueued after all.
  void destroy(DeviceEvent &event);

  /// Whether there were events at all.
  bool has_any() const { return places_.load(std::memory_order_relaxed) != 0; }

  // What kernels do with handles; nothing, or false, if there is no such event.
  bool is_valid(uint64_t handle);
  void retain(uint64_t handle);
  void release(uint64_t handle);
  /// Stores the times in `times` when they are known; false when there is no memory to remember that.
  [[nodiscard]] bool capture(uint64_t handle, cl_ulong *times);

  enum class Wait { kInvalid, kListed, kComplete, kFailed };
  /// With kListed `wait` is the event's until its command is told.
  Wait add_wait(uint64_t handle, EventWait &wait);

  /// A user event's status; the waits to be told, or null.
  EventWait *set_status(uint64_t handle, cl_int status);
  /// A command's event; likewise.
  EventWait *complete(DeviceEvent &event, cl_int status);
  /// Fails waits that can never end, when no command runs and none is ready: the waits for user events that are not set. If
  /// there are none, the waits for commands, which then wait for each other. Null when nothing waits for an event.
  EventWait *fail_hopeless_waits();

private:
  /// The table is in chunks of 64, 128, … places: it is small where there are few events, as in most launches.
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
  /// With the event locked.
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
