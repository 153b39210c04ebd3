// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UPSWEEP_COMPILER_SANDBOX: `on` uses the protections that the kernel has, `required` fails without Landlock and seccomp.
#include "compiler/server/confined_job.h"

#include "compiler/options.h"
#include "compiler/safety/readable_folders.h"
#include "compiler/safety/sandbox.h"
#include "compiler/server/job.h"

namespace upsweep::compiler {
namespace {

bool has_source(const Request &request) { return request.kind == RequestKind::kBuild || request.kind == RequestKind::kCompile; }

std::vector<std::string> folders_of(const Request &request) {
  if (!has_source(request)) return {};
  auto options =
      parse_options(request.options, request.kind == RequestKind::kBuild ? OptionContext::kBuild : OptionContext::kCompile);
  if (options) return ReadableFolders(*options, request).paths();
  llvm::consumeError(options.takeError());  // the job reports errors in the options
  return {};
}

Result refusal(const std::string &reason) {
  Result result;
  result.reply.status = Status::kBuildFailure;
  result.reply.log = "error: the compiler cannot be confined as UPSWEEP_COMPILER_SANDBOX=required asks: " + reason +
                     "; UPSWEEP_COMPILER_SANDBOX=on uses whatever protection the system has";
  return result;
}

}  // namespace

Result run_confined_job(const Request &request, Session &session) {
  if (request.sandbox == Sandbox::kOff) return run_job(request, session);
  const std::vector<std::string> folders = folders_of(request);
  const Confinement confinement = confine(folders);
  const bool is_complete = confinement.in_force.landlock != 0 && confinement.in_force.seccomp;
  if (request.sandbox == Sandbox::kRequired && !is_complete)
    return refusal(confinement.failed.empty() ? "this system has " + describe(confinement.in_force) : confinement.failed);
  return run_job(request, session);
}

}  // namespace upsweep::compiler
