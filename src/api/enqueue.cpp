// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The final checks of a command.
#include "api/enqueue.h"

namespace upsweep {

Result<void> enqueue_checked(Queue &queue, cl_command_type type, CommandBody &&body, const EventArguments &events,
                             bool blocking, const Result<void> &last_check) {
  auto waits = check_wait_list(queue.context(), events.num_events, events.wait_list);
  if (!waits) return fail(waits);
  if (!last_check) return last_check;
  return enqueue(queue, type, *waits, std::move(body), blocking, events.event);
}

}  // namespace upsweep
