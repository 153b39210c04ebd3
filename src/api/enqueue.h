// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common end of every clEnqueue…: after the command's arguments it validates the events, then appends the command.
#ifndef UPSWEEP_API_ENQUEUE_H
#define UPSWEEP_API_ENQUEUE_H

#include "runtime/commands/command.h"

namespace upsweep {

/// The last arguments of every clEnqueue….
struct EventArguments {
  cl_uint num_events;
  const cl_event *wait_list;
  cl_event *event;
};

/// Validates the wait list and appends the command. `last_check` is the result of the checks that come after the wait list's in
/// the specification.
Result<void> enqueue_checked(Queue &queue, cl_command_type type, CommandBody &&body, const EventArguments &events,
                             bool blocking = false, const Result<void> &last_check = {});

}  // namespace upsweep
#endif
