// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a kernel with arguments from host memory and reads the buffers back.
#ifndef UPSWEEP_CLI_LAUNCH_H
#define UPSWEEP_CLI_LAUNCH_H

#include "cli/argument.h"
#include "cli/opencl.h"
#include "cli/parameter.h"

#include <string>
#include <vector>

namespace upsweep::cli {

struct LaunchRange {
  cl::NDRange global;
  cl::NDRange local;
  cl::NDRange offset;
};

// Each argument like "1024,16"; local and offset may be empty.
Result<LaunchRange> parse_range(const std::string &global, const std::string &local, const std::string &offset);

struct LaunchTimes {
  unsigned runs = 0;
  double median_seconds = 0;
  double best_seconds = 0;
};

// Runs the kernel `runs` times. Each run starts from the given arguments, so the result is that of one run. Then replaces the
// bytes of buffers and images by the kernel's results.
Result<LaunchTimes> launch(const Device &device, const cl::Kernel &kernel, const std::vector<Parameter> &parameters,
                           const LaunchRange &range, std::vector<HostArgument> &arguments, unsigned runs);

}  // namespace upsweep::cli
#endif
