// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common part of entry points for features that all devices lack: they validate the handles, then return the specified error.
#ifndef UPSWEEP_API_ABSENT_H
#define UPSWEEP_API_ABSENT_H

#include "api/entry.h"
#include "runtime/objects/context.h"
#include "runtime/objects/queue.h"

namespace upsweep {

/// Refuses to create an object: CL_INVALID_CONTEXT for a bad context, otherwise `code`.
template <typename Handle>
Handle refuse_creation(const char *name, cl_context context, cl_int code, const char *reason, cl_int *errcode_ret) {
  return entry(name, errcode_ret, [&]() -> Result<Handle> {
    auto object = Context::from(context);
    if (!object) return fail(object);
    return fail(code, reason);
  });
}

/// Refuses a command: CL_INVALID_COMMAND_QUEUE for a bad queue, otherwise `code`.
inline Result<void> refuse_command(cl_command_queue command_queue, cl_int code, const char *reason) {
  auto queue = Queue::from(command_queue);
  if (!queue) return fail(queue);
  return fail(code, reason);
}

}  // namespace upsweep
#endif
