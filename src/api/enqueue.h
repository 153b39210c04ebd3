// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of every clEnqueue…: once the command's own arguments are checked, the events are, and the command is appended.
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

/// Checks the wait list and appends the command. `last_check`: the outcome of those checks that the specification lists after
/// the wait list's.
Result<void> enqueue_checked(Queue &queue, cl_command_type type, CommandBody &&body, const EventArguments &events,
                             bool blocking = false, const Result<void> &last_check = {});

}  // namespace upsweep
#endif
