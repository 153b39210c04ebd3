// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tested device, opened once.
#ifndef UPSWEEP_TESTS_PRECISION_OPENED_DEVICE_H
#define UPSWEEP_TESTS_PRECISION_OPENED_DEVICE_H

#include "../tested_device.h"
#include "cli/opencl.h"

#include <stdexcept>

namespace upsweep::precision {

inline const cli::Device &opened_device() {
  static const cli::Device opened = [] {
    const auto device = cli::choose_device(tests::tests_a_gpu() ? "gpu" : "cpu").and_then(cli::open_device);
    if (!device) throw std::runtime_error(device.error());
    return *device;
  }();
  return opened;
}

}  // namespace upsweep::precision
#endif
