// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads that run the application's event callbacks, so that neither its own calls nor the workers wait for them.
#ifndef UPSWEEP_RUNTIME_COMMANDS_CALLBACK_THREAD_H
#define UPSWEEP_RUNTIME_COMMANDS_CALLBACK_THREAD_H

#include "base/result.h"
#include <memory>

namespace upsweep {

/// One call of a function of the application's. It exists before its turn comes, so that nothing is allocated then.
class CallbackCall {
public:
  virtual ~CallbackCall() = default;
  virtual void run() = 0;
  CallbackCall *next = nullptr;  ///< IntrusiveQueue's
};

/// Sees to it that there is a callback thread. CL_OUT_OF_RESOURCES when none can be started.
Result<void> prepare_callback_thread();

/// Runs `call` later, after prepare_callback_thread(). Calls begin in the order in which they come, and the next one begins
/// when the one before has ended, or has taken so long (5 ms) that it may be waiting for a later one.
void run_on_callback_thread(std::unique_ptr<CallbackCall> call) noexcept;

}  // namespace upsweep
#endif
