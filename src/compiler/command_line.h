// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// upsweepc as a command: one source file in, one output file out.
#ifndef UPSWEEP_COMPILER_COMMAND_LINE_H
#define UPSWEEP_COMPILER_COMMAND_LINE_H

#include <string>
#include <vector>

namespace upsweep::compiler {

/// Runs the command and returns the exit status: 0, 2 if the arguments are wrong, 1 for all other errors.
int run_command_line(const std::vector<std::string> &arguments);

/// Sets the options `--llvm=` for everything that the process compiles. With `--server` after them, fuzzers of the driver can
/// reach passes that otherwise only run for huge kernels. Returns 0, or the exit status for other arguments.
int take_llvm_options(const std::vector<std::string> &arguments);

}  // namespace upsweep::compiler
#endif
