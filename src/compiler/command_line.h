// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// upsweepc for people: one source file in, one output file out.
#ifndef UPSWEEP_COMPILER_COMMAND_LINE_H
#define UPSWEEP_COMPILER_COMMAND_LINE_H

#include <string>
#include <vector>

namespace upsweep::compiler {

/// The whole run; returns the exit status: 0, 1 when the program is wrong, 2 when the arguments are.
int run_command_line(const std::vector<std::string> &arguments);

}  // namespace upsweep::compiler
#endif
