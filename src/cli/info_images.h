// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `upsweep info` says of a device's images: limits and formats.
#ifndef UPSWEEP_CLI_INFO_IMAGES_H
#define UPSWEEP_CLI_INFO_IMAGES_H

#include "cli/opencl.h"
#include "cli/terminal.h"

#include <nlohmann/json.hpp>

namespace upsweep::cli {

// Limits, and each format with the image types that kernels may read, write, or read and write with it. Empty without images.
nlohmann::ordered_json images_json(const cl::Device &device);

// The same in a few lines: formats with the same use are named together.
void print_images(const cl::Device &device, const Terminal &terminal);

}  // namespace upsweep::cli
#endif
