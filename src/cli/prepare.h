// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with its arguments in host memory, as `upsweep run` and `upsweep bench-kernel` need it.
#ifndef UPSWEEP_CLI_PREPARE_H
#define UPSWEEP_CLI_PREPARE_H

#include "cli/argument.h"
#include "cli/opencl.h"
#include "cli/parameter.h"

#include <string>
#include <vector>

namespace upsweep::cli {

struct PreparedKernel {
  cl::Kernel kernel;
  std::vector<Parameter> parameters;
  std::vector<HostArgument> arguments;
};

// Whether the argument is a buffer or an image.
bool has_memory(const HostArgument &argument);

// Needs a program built with -cl-kernel-arg-info. The name may be empty if the program has one kernel; `arguments` are
// the texts of --arg.
Result<PreparedKernel> prepare_kernel(const cl::Program &program, const std::string &name,
                                      const std::vector<std::string> &arguments);

}  // namespace upsweep::cli
#endif
