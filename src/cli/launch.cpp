// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges, launches and timing for `upsweep run`.
#include "cli/launch.h"

#include <algorithm>

namespace upsweep::cli {
namespace {

Result<cl::NDRange> parse_sizes(std::string_view option, std::string_view text, bool may_be_zero) {
  if (text.empty()) return cl::NullRange;
  std::vector<size_t> sizes;
  for (const std::string_view part : split(text, ',')) {
    const auto size = parse_count(part);
    if (!size) return misuse("{}: {}", option, size.error());
    if (*size == 0 && !may_be_zero) return misuse("{}: a size must not be 0", option);
    sizes.push_back(*size);
  }
  switch (sizes.size()) {
  case 1: return cl::NDRange(sizes[0]);
  case 2: return cl::NDRange(sizes[0], sizes[1]);
  case 3: return cl::NDRange(sizes[0], sizes[1], sizes[2]);
  default: return misuse("{}: a kernel has at most 3 dimensions", option);
  }
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
    return misuse("--local has {} dimensions, but --global has {}", range.local.dimensions(), range.global.dimensions());
  if (!offset.empty() && range.offset.dimensions() != range.global.dimensions())
    return misuse("--offset has {} dimensions, but --global has {}", range.offset.dimensions(), range.global.dimensions());
  return range;
}

Result<Launcher> Launcher::create(const Device &device, const cl::Kernel &kernel, const std::vector<Parameter> &parameters,
                                  const LaunchRange &range, std::vector<HostArgument> &arguments) {
  Launcher launcher;
  launcher.device_ = device;
  launcher.kernel_ = kernel;
  launcher.range_ = range;
  for (cl_uint i = 0; i < arguments.size(); ++i) {
    auto made = make_device_argument(device, kernel, i, parameters[i], arguments[i]);
    if (!made) return Failure(made.error());
    launcher.on_device_.push_back(*std::move(made));
  }
  return launcher;
}

Result<double> Launcher::run_once(const std::vector<HostArgument> &arguments) const {
  for (size_t i = 0; i < arguments.size(); ++i)
    if (auto done = write_to_device(device_, on_device_[i], arguments[i]); !done) return Failure(done.error());
  cl::Event event;
  const cl_int error = device_.queue.enqueueNDRangeKernel(kernel_, range_.offset, range_.global, range_.local, nullptr, &event);
  if (auto done = check(error, "launch the kernel"); !done) return Failure(done.error());
  if (auto done = check(event.wait(), "run the kernel"); !done) return Failure(done.error());
  return seconds_of(event);
}

Result<void> Launcher::read_results(std::vector<HostArgument> &arguments) const {
  for (size_t i = 0; i < arguments.size(); ++i)
    if (auto done = read_from_device(device_, on_device_[i], arguments[i]); !done) return done;
  return {};
}

Result<LaunchTimes> launch(const Device &device, const cl::Kernel &kernel, const std::vector<Parameter> &parameters,
                           const LaunchRange &range, std::vector<HostArgument> &arguments, unsigned runs) {
  const auto launcher = Launcher::create(device, kernel, parameters, range, arguments);
  if (!launcher) return Failure(launcher.error());
  std::vector<double> seconds;
  for (unsigned i = 0; i < runs; ++i) {
    const auto time = launcher->run_once(arguments);
    if (!time) return Failure(time.error());
    seconds.push_back(*time);
  }
  if (auto done = launcher->read_results(arguments); !done) return Failure(done.error());
  std::ranges::sort(seconds);
  return LaunchTimes{runs, seconds[seconds.size() / 2], seconds.front()};
}

}  // namespace upsweep::cli
