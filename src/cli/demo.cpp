// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The demonstration's order: the device, the example, the large scan.
#include "cli/demo.h"

#include "cli/info.h"

namespace upsweep::cli {

Result<void> demo(const std::string &choice) {
  const auto device = choose_device(choice).and_then(open_device);
  if (!device) return Failure(device.error());
  const Terminal terminal = Terminal::of_stdout();
  print_summary(device->device, terminal);
  return show_example(*device, terminal).and_then([&] { return show_device_scan(*device, terminal); });
}

}  // namespace upsweep::cli
