// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// upsweepc: the compiler as a program.
#include "compiler/command_line.h"

int main(int argc, char **argv) { return upsweep::compiler::run_command_line({argv + 1, argv + argc}); }
