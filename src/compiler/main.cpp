// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// upsweepc: the compiler as a program.
#include "compiler/command_line.h"
#include "compiler/server/server.h"

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments.back() == "--server") {
    arguments.pop_back();
    const int status = upsweep::compiler::take_llvm_options(arguments);
    return status ? status : upsweep::compiler::run_server();
  }
  return upsweep::compiler::run_command_line(arguments);
}
