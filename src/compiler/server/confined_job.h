// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers a request in this process after giving up its rights (sandbox.h). The process can do nothing else afterwards.
#ifndef UPSWEEP_COMPILER_SERVER_CONFINED_JOB_H
#define UPSWEEP_COMPILER_SERVER_CONFINED_JOB_H

#include "compiler/client/protocol.h"
#include "compiler/session.h"

namespace upsweep::compiler {

[[nodiscard]] Result run_confined_job(const Request &request, Session &session);

}  // namespace upsweep::compiler
#endif
