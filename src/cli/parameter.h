// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's parameters as the driver reports them, and checks of arguments.
#ifndef UPSWEEP_CLI_PARAMETER_H
#define UPSWEEP_CLI_PARAMETER_H

#include "cli/argument.h"
#include "cli/opencl.h"

#include <string>
#include <vector>

namespace upsweep::cli {

struct Parameter {
  std::string name;
  std::string type;  // in the driver's spelling, such as "float4*"
  cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;

  [[nodiscard]] std::string declaration() const;  // "global float4* in", "read_only image2d_t picture"
};

// Needs a program built with -cl-kernel-arg-info.
Result<std::vector<Parameter>> parameters_of(const cl::Kernel &kernel);

Result<void> check_fits(const Parameter &parameter, const HostArgument &argument);

}  // namespace upsweep::cli
#endif
