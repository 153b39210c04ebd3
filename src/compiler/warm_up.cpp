// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prepares the server's process.
#include "compiler/warm_up.h"

#include "compiler/embedded_files.h"
#include "compiler/job.h"

namespace upsweep::compiler {

bool load_ahead(Session &session) {
  auto library = session.library();
  auto loaded = library ? (*library)->load_ahead() : library.takeError();
  if (loaded) return *loaded;
  llvm::consumeError(loaded.takeError());  // the job that needs it will meet it too
  return false;
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
