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

  /// CL_OUT_OF_RESOURCES when no callback thread can be started.
  Result<void> add(Function function, void *user_data) {
    if (auto ready = prepare_callback_thread(); !ready) return ready;
    std::lock_guard lock(mutex_);
    if (!later_) later_ = std::make_unique<Later>();
    calls_.push_back({function, user_data});
    return {};
  }

  /// Has `end` called once, which is to run() the callbacks and to delete the object. At once within the application's
  /// clRelease…, where programs expect it, or when there are no callbacks. When a command drops the last reference, the
  /// callbacks may wait for a thread that waits for this command, so they have a callback thread.
  template <typename T>
  void leave_to(T &object, void (*end)(T &)) noexcept {
    if (!later_ || LastRelease::is_in_progress()) {
      end(object);
      return;
    }
    later_->end = [&object, end] { end(object); };
    run_on_callback_thread(std::move(later_));
  }

  /// In reverse order of registration.
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

  std::mutex mutex_;  ///< guards both while there are references to the object
  std::vector<Call> calls_;
  std::unique_ptr<Later> later_;  ///< made beforehand, as nothing may fail in the end
};

}  // namespace upsweep
#endif
