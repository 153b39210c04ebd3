// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The callbacks of clSetMemObjectDestructorCallback and clSetContextDestructorCallback.
#ifndef UPSWEEP_RUNTIME_OBJECTS_DESTRUCTOR_CALLBACKS_H
#define UPSWEEP_RUNTIME_OBJECTS_DESTRUCTOR_CALLBACKS_H

#include "base/handle.h"
#include "runtime/commands/callback_thread.h"
#include <functional>
#include <memory>
#include <mutex>
#include <ranges>
#include <vector>

namespace upsweep {

template <typename Handle>
class DestructorCallbacks {
public:
  using Function = void(CL_CALLBACK *)(Handle *handle, void *user_data);

  /// CL_OUT_OF_RESOURCES if no callback thread can be started.
  Result<void> add(Function function, void *user_data) {
    if (auto ready = prepare_callback_thread(); !ready) return ready;
    std::lock_guard lock(mutex_);
    if (!later_) later_ = std::make_unique<Later>();
    calls_.push_back({function, user_data});
    return {};
  }

  /// Calls `end` once, which must call run() and delete the object. Calls it immediately if there are no callbacks, or within
  /// the application's clRelease…, where programs expect it. If a command drops the last reference, calls it on a callback
  /// thread, since a callback may wait for a thread that waits for this command.
  template <typename T>
  void leave_to(T &object, void (*end)(T &)) noexcept {
    if (!later_ || LastRelease::is_in_progress()) {
      end(object);
      return;
    }
    later_->end = [&object, end] { end(object); };
    run_on_callback_thread(std::move(later_));
  }

  /// Runs the callbacks in reverse order of registration.
  void run(Handle *handle) const {
    for (const Call &call : std::views::reverse(calls_)) call.function(handle, call.user_data);
  }

private:
  struct Call {
    Function function;
    void *user_data;
  };
  struct Later final : CallbackCall {
    void run() override { end(); }
    std::function<void()> end;
  };

  std::mutex mutex_;  ///< guards the members below while the object has references
  std::vector<Call> calls_;
  std::unique_ptr<Later> later_;  ///< allocated early, since destruction must not fail
};

}  // namespace upsweep
#endif
