// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers one request of the driver in this process.
#ifndef UPSWEEP_COMPILER_SERVER_JOB_H
#define UPSWEEP_COMPILER_SERVER_JOB_H

#include "compiler/client/protocol.h"
#include "compiler/session.h"

namespace upsweep::compiler {

[[nodiscard]] Result run_job(const Request &request, Session &session);

}  // namespace upsweep::compiler
#endif
