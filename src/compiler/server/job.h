// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One request of the driver, answered in this process.
#ifndef UPSWEEP_COMPILER_SERVER_JOB_H
#define UPSWEEP_COMPILER_SERVER_JOB_H

#include "compiler/client/protocol.h"
#include "compiler/session.h"

namespace upsweep::compiler {

[[nodiscard]] Result run_job(const Request &request, Session &session);

}  // namespace upsweep::compiler
#endif
