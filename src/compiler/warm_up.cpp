// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prepares the server's process.
#include "compiler/warm_up.h"

#include "compiler/embedded_files.h"
#include "compiler/job.h"

namespace upsweep::compiler {

void load_library(Session &session) {
  if (auto library = session.library(); !library) llvm::consumeError(library.takeError());  // the next job will meet it too
}

void warm_up() {
  Request request;
  request.kind = RequestKind::kBuild;
  request.source = warm_up_kernel();
  request.options = "-cl-std=CL3.0";
  // In a context of its own: types that it names would rename those of the programs to come.
  Session throw_away;
  (void)run_job(request, throw_away);
}

}  // namespace upsweep::compiler
