// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The demonstration: the device, the example, the large scans.
#include "cli/demo.h"

#include "cli/info.h"

namespace upsweep::cli {
namespace {

// The chosen device, or all devices.
Result<std::vector<cl::Device>> devices_of(const std::string &choice) {
  if (choice.empty()) return find_devices();
  return choose_device(choice).map([](const cl::Device &device) { return std::vector{device}; });
}

}  // namespace

Result<void> demo(const std::string &choice) {
  const auto devices = devices_of(choice);
  if (!devices) return Failure(devices.error());
  const auto first = open_device(devices->front());
  if (!first) return Failure(first.error());
  const Terminal terminal = Terminal::of_stdout();
  print_summary(first->device, terminal);
  if (auto done = show_example(*first, terminal); !done) return done;
  fmt::print("\n{}\n{}\n", terminal.paint(Colour::Bold, "Inclusive scans of 2^26 ints"),
             terminal.paint(Colour::Dim, "GB/s: every int read once and written once; three kernels move twice that"));
  if (choice.empty()) {
    if (auto done = show_thread_scan(terminal); !done) return done;
  }
  for (const cl::Device &device : *devices) {
    const auto opened = open_device(device);
    if (!opened) return Failure(opened.error());
    if (auto done = show_device_scan(*opened, terminal); !done) return done;
  }
  return {};
}

}  // namespace upsweep::cli
