// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers, arguments and timing for `upsweep run`.
#include "cli/launch.h"

#include <algorithm>

namespace upsweep::cli {
namespace {

Result<cl::NDRange> parse_sizes(std::string_view option, std::string_view text, bool may_be_zero) {
  if (text.empty()) return cl::NullRange;
  std::vector<size_t> sizes;
  for (const std::string_view part : split(text, ',')) {
    const auto size = parse_count(part);
    if (!size) return fail("{}: {}", option, size.error());
    if (*size == 0 && !may_be_zero) return fail("{}: a size of 0 runs nothing", option);
    sizes.push_back(*size);
  }
  switch (sizes.size()) {
  case 1: return cl::NDRange(sizes[0]);
  case 2: return cl::NDRange(sizes[0], sizes[1]);
  case 3: return cl::NDRange(sizes[0], sizes[1], sizes[2]);
  default: return fail("{}: a kernel has at most 3 dimensions", option);
  }
}

Result<std::vector<cl::Buffer>> bind_arguments(const Device &device, cl::Kernel kernel,
                                               const std::vector<HostArgument> &arguments) {
  std::vector<cl::Buffer> buffers(arguments.size());
  for (cl_uint i = 0; i < arguments.size(); ++i) {
    const HostArgument &argument = arguments[i];
    cl_int error = CL_SUCCESS;
    switch (argument.kind) {
    case HostArgument::Kind::Buffer:
      buffers[i] = cl::Buffer(device.context, CL_MEM_READ_WRITE, argument.bytes.size(), nullptr, &error);
      if (auto done = check(error, fmt::format("make a buffer of {} bytes", argument.bytes.size())); !done)
        return Failure(done.error());
      error = kernel.setArg(i, buffers[i]);
      break;
    case HostArgument::Kind::Value: error = kernel.setArg(i, argument.bytes.size(), argument.bytes.data()); break;
    case HostArgument::Kind::Local: error = kernel.setArg(i, argument.local_bytes, nullptr); break;
    }
    if (auto done = check(error, fmt::format("set argument {}", i)); !done) return Failure(done.error());
  }
  return buffers;
}

Result<double> run_once(const Device &device, const cl::Kernel &kernel, const LaunchRange &range,
                        const std::vector<cl::Buffer> &buffers, const std::vector<HostArgument> &arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind != HostArgument::Kind::Buffer) continue;
    const auto &bytes = arguments[i].bytes;
    const cl_int error = device.queue.enqueueWriteBuffer(buffers[i], CL_FALSE, 0, bytes.size(), bytes.data());
    if (auto done = check(error, "fill a buffer"); !done) return Failure(done.error());
  }
  cl::Event event;
  cl_int error = device.queue.enqueueNDRangeKernel(kernel, range.offset, range.global, range.local, nullptr, &event);
  if (auto done = check(error, "launch the kernel"); !done) return Failure(done.error());
  if (auto done = check(event.wait(), "run the kernel"); !done) return Failure(done.error());
  return seconds_of(event);
}

}  // namespace

Result<LaunchRange> parse_range(const std::string &global, const std::string &local, const std::string &offset) {
  const auto global_range = parse_sizes("--global", global, false);
  const auto local_range = parse_sizes("--local", local, false);
  const auto offset_range = parse_sizes("--offset", offset, true);
  for (const auto *range : {&global_range, &local_range, &offset_range})
    if (!*range) return Failure(range->error());
  const LaunchRange range{*global_range, *local_range, *offset_range};
  if (!local.empty() && range.local.dimensions() != range.global.dimensions())
    return fail("--local has {} dimensions, and --global has {}", range.local.dimensions(), range.global.dimensions());
  if (!offset.empty() && range.offset.dimensions() != range.global.dimensions())
    return fail("--offset has {} dimensions, and --global has {}", range.offset.dimensions(), range.global.dimensions());
  return range;
}

Result<LaunchTimes> launch(const Device &device, const cl::Kernel &kernel, const LaunchRange &range,
                           std::vector<HostArgument> &arguments, unsigned runs) {
  const auto buffers = bind_arguments(device, kernel, arguments);
  if (!buffers) return Failure(buffers.error());
  std::vector<double> seconds;
  for (unsigned i = 0; i < runs; ++i) {
    const auto time = run_once(device, kernel, range, *buffers, arguments);
    if (!time) return Failure(time.error());
    seconds.push_back(*time);
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind != HostArgument::Kind::Buffer) continue;
    auto &bytes = arguments[i].bytes;
    const cl_int error = device.queue.enqueueReadBuffer((*buffers)[i], CL_TRUE, 0, bytes.size(), bytes.data());
    if (auto done = check(error, "read a buffer"); !done) return Failure(done.error());
  }
  std::ranges::sort(seconds);
  return LaunchTimes{runs, seconds[seconds.size() / 2], seconds.front()};
}

}  // namespace upsweep::cli
