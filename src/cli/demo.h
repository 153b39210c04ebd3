// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep demo`: the specification's example of a work-group scan, and the speed of large ones.
#ifndef UPSWEEP_CLI_DEMO_H
#define UPSWEEP_CLI_DEMO_H

#include "cli/opencl.h"
#include "cli/terminal.h"

namespace upsweep::cli {

Result<void> demo(const std::string &device);

// The specification's example, drawn step by step and compared with the device's answer.
Result<void> show_example(const Device &device, const Terminal &terminal);

// Inclusive scans of 2^26 ints, checked and timed against a copy: by threads, and on a device by three kernels and in one pass.
Result<void> show_thread_scan(const Terminal &terminal);
Result<void> show_device_scan(const Device &device, const Terminal &terminal);

}  // namespace upsweep::cli
#endif
