// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program to its end, and returns its output.
#ifndef UPSWEEP_CLI_CHILD_H
#define UPSWEEP_CLI_CHILD_H

#include "cli/result.h"

#include <string>
#include <vector>

namespace upsweep::cli {

struct ChildOutput {
  bool is_success = false;  // the status is 0
  std::string output;
  std::string messages;  // on standard error
};

// The program is a path, or a name that PATH finds. Its standard input is empty. An error if it does not start.
Result<ChildOutput> run_child(std::vector<std::string> words);

}  // namespace upsweep::cli
#endif
