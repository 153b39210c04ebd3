// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads that run the application's event callbacks, so that neither API calls nor workers wait for them.
#ifndef UPSWEEP_RUNTIME_COMMANDS_CALLBACK_THREAD_H
#define UPSWEEP_RUNTIME_COMMANDS_CALLBACK_THREAD_H

#include "base/result.h"
#include <memory>

namespace upsweep {

/// A call of an application's function. It is allocated before its turn, so that running it needs no allocation.
class CallbackCall {
public:
  virtual ~CallbackCall() = default;
  virtual void run() = 0;
  CallbackCall *next = nullptr;  ///< used by IntrusiveQueue
};

/// Ensures that a callback thread exists. CL_OUT_OF_RESOURCES if none can be started.
Result<void> prepare_callback_thread();

/// Runs `call` later; call prepare_callback_thread() before. Calls start in the order of submission. The next call starts when
/// the previous call has ended, or has taken so long (5 ms) that it may be waiting for a later call.
void run_on_callback_thread(std::unique_ptr<CallbackCall> call) noexcept;

}  // namespace upsweep
#endif
