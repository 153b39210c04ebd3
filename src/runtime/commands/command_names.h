// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of commands' enqueue functions.
#ifndef UPSWEEP_RUNTIME_COMMANDS_COMMAND_NAMES_H
#define UPSWEEP_RUNTIME_COMMANDS_COMMAND_NAMES_H

#include <CL/cl.h>

namespace upsweep {

/// The name of the enqueue function of a type of commands, such as "clEnqueueReadBuffer".
const char *name_of_command(cl_command_type type);

}  // namespace upsweep
#endif
