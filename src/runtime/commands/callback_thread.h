// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread that runs the application's event callbacks, so that neither its own calls nor the workers wait for them.
#ifndef UPSWEEP_RUNTIME_CALLBACK_THREAD_H
#define UPSWEEP_RUNTIME_CALLBACK_THREAD_H

#include <functional>

namespace upsweep {

/// Runs `callback` later, in the order of the calls.
void run_on_callback_thread(std::function<void()> callback);

}  // namespace upsweep
#endif
