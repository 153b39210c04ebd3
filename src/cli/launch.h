// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a kernel with arguments from host memory and reads the buffers back.
#ifndef UPSWEEP_CLI_LAUNCH_H
#define UPSWEEP_CLI_LAUNCH_H

#include "cli/argument.h"
#include "cli/device_argument.h"
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

// A kernel whose arguments are on the device.
class Launcher {
public:
  // An image of zeros gets its bytes in `arguments` here.
  static Result<Launcher> create(const Device &device, const cl::Kernel &kernel, const std::vector<Parameter> &parameters,
                                 const LaunchRange &range, std::vector<HostArgument> &arguments);

  // Writes the arguments to the device, runs the kernel, and waits. Returns the kernel's seconds.
  [[nodiscard]] Result<double> run_once(const std::vector<HostArgument> &arguments) const;
  // Replaces the bytes of buffers and images by the last run's results.
  [[nodiscard]] Result<void> read_results(std::vector<HostArgument> &arguments) const;

private:
  Device device_;
  cl::Kernel kernel_;
  LaunchRange range_;
  std::vector<DeviceArgument> on_device_;
};

// Runs the kernel `runs` times. Each run starts from the given arguments, so the result is that of one run. Then replaces the
// bytes of buffers and images by the kernel's results.
Result<LaunchTimes> launch(const Device &device, const cl::Kernel &kernel, const std::vector<Parameter> &parameters,
                           const LaunchRange &range, std::vector<HostArgument> &arguments, unsigned runs);

}  // namespace upsweep::cli
#endif
