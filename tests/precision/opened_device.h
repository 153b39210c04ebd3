// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first device of the ICD loader, opened once.
#ifndef UPSWEEP_TESTS_PRECISION_OPENED_DEVICE_H
#define UPSWEEP_TESTS_PRECISION_OPENED_DEVICE_H

#include "cli/opencl.h"

#include <stdexcept>

namespace upsweep::precision {

inline const cli::Device &opened_device() {
  static const cli::Device opened = [] {
    const auto devices = cli::find_devices();
    const auto device = devices ? cli::open_device(devices->front()) : cli::Result<cli::Device>(cli::Failure(devices.error()));
    if (!device) throw std::runtime_error(device.error());
    return *device;
  }();
  return opened;
}

}  // namespace upsweep::precision
#endif
