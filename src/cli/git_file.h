// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file as a revision of a git repository has it.
#ifndef UPSWEEP_CLI_GIT_FILE_H
#define UPSWEEP_CLI_GIT_FILE_H

#include "cli/result.h"

#include <string>

namespace upsweep::cli {

// The name has git's form: "HEAD~1:kernels/scan.cl" from the repository's root, "HEAD~1:./scan.cl" from this folder. Starts
// `git`.
Result<std::string> read_from_git(const std::string &name);

}  // namespace upsweep::cli
#endif
