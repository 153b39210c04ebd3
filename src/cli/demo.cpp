// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The demonstration's order: the device, the example, the large scan.
#include "cli/demo.h"

#include "cli/info.h"

namespace upsweep::cli {

Result<void> demo() {
  const auto device = find_devices().and_then([](const auto &devices) { return open_device(devices.front()); });
  if (!device) return Failure(device.error());
  const Terminal terminal = Terminal::of_stdout();
  print_summary(device->device, terminal);
  return show_example(*device, terminal).and_then([&] { return show_device_scan(*device, terminal); });
}

}  // namespace upsweep::cli
