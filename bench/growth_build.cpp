// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds and launches a kernel. The launch is included since Intel's driver and PoCL compile a kernel only when the
// work-group's size is known.
#include "bench/growth_build.h"

#include <fstream>
#include <iterator>

namespace upsweep::bench {
namespace {

constexpr size_t kItems = 16;
constexpr size_t kBytes = 4 << 20;  // more than the lines of any shape access with the arguments below

/// Buffers for pointers, local memory for local pointers, 0 for numbers: loops end immediately, and indices stay small.
Result<std::vector<cl::Buffer>> set_arguments(const cli::Device &device, cl::Kernel &kernel) {
  std::vector<cl::Buffer> buffers;
  const std::vector<char> zeros(kBytes);
  for (cl_uint i = 0; i < kernel.getInfo<CL_KERNEL_NUM_ARGS>(); ++i) {
    cl_int error = CL_SUCCESS;
    if (kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(i) == CL_KERNEL_ARG_ADDRESS_LOCAL) {
      error = kernel.setArg(i, cl::Local(4096));
    } else if (kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(i) == CL_KERNEL_ARG_ADDRESS_GLOBAL) {
      auto buffer = make_buffer(device, kBytes, zeros.data());
      if (!buffer) return Failure(buffer.error());
      buffers.push_back(*buffer);
      error = kernel.setArg(i, buffers.back());
    } else {
      const bool wide = kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(i).find("16") != std::string::npos;
      error = kernel.setArg(i, wide ? sizeof(cl_float16) : sizeof(cl_int), zeros.data());
    }
    if (auto done = cli::check(error, "set an argument"); !done) return Failure(done.error());
  }
  return buffers;
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> cpu_platforms() {
  const auto devices = cli::find_devices();
  if (!devices) return Failure(devices.error());
  std::vector<std::pair<std::string, std::string>> found;
  for (const cl::Device &device : *devices) {
    const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
    if (has_type(device, "cpu"))
      found.emplace_back(platform.getInfo<CL_PLATFORM_NAME>(), platform.getInfo<CL_PLATFORM_VERSION>());
  }
  return found;
}

Result<void> build_and_launch(const std::string &platform, const std::string &source_path) {
  const auto devices = cli::find_devices();
  if (!devices) return Failure(devices.error());
  for (const cl::Device &each : *devices) {
    if (!has_type(each, "cpu") || cl::Platform(each.getInfo<CL_DEVICE_PLATFORM>()).getInfo<CL_PLATFORM_NAME>() != platform)
      continue;
    const auto device = cli::open_device(each);
    if (!device) return Failure(device.error());
    if (source_path.empty()) return {};
    std::ifstream file(source_path);
    const std::string source((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    auto program = cli::build_program(*device, source, "-cl-std=CL3.0 -w -cl-kernel-arg-info");
    if (!program) return Failure(program.error());
    std::vector<cl::Kernel> kernels;
    if (auto done = cli::check(program->createKernels(&kernels), "make the kernels"); !done) return Failure(done.error());
    const auto buffers = set_arguments(*device, kernels.front());
    if (!buffers) return Failure(buffers.error());
    const cl_int error =
        device->queue.enqueueNDRangeKernel(kernels.front(), cl::NullRange, cl::NDRange(kItems), cl::NDRange(kItems));
    if (auto done = cli::check(error, "launch"); !done) return Failure(done.error());
    return cli::check(device->queue.finish(), "run");
  }
  return cli::fail("no platform '{}' with a CPU", platform);
}

}  // namespace upsweep::bench
