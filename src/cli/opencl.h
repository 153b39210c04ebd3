// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL for the command line: Khronos's C++ binding without exceptions, and its error codes as text.
#ifndef UPSWEEP_CLI_OPENCL_H
#define UPSWEEP_CLI_OPENCL_H

#include "cli/result.h"

#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 200
#include <CL/opencl.hpp>

#include <string>
#include <string_view>

namespace upsweep::cli {

// "CL_INVALID_VALUE (-30)"
std::string error_name(cl_int error);

// Success, or an error that names the action: "cannot make a queue: CL_OUT_OF_RESOURCES (-5)".
Result<void> check(cl_int error, std::string_view doing);

// A device with a context and a queue that measures time.
struct Device {
  cl::Platform platform;
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
};
Result<Device> open_device(const cl::Device &device);

// All devices of all platforms; never empty.
Result<std::vector<cl::Device>> find_devices();

// Chooses by index, or the first "cpu" or "gpu"; the first of all if the choice is empty.
Result<cl::Device> choose_device(const std::string &choice);

// Builds OpenCL C or a module of SPIR-V; the error contains the compiler's log, `log` its warnings.
Result<cl::Program> build_program(const Device &device, std::string_view source, const std::string &options,
                                  std::string *log = nullptr);

// The time of a command on the device.
Result<double> seconds_of(const cl::Event &event);

}  // namespace upsweep::cli
#endif
