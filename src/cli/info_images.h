// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The images part of `upsweep info`: limits and formats.
#ifndef UPSWEEP_CLI_INFO_IMAGES_H
#define UPSWEEP_CLI_INFO_IMAGES_H

#include "cli/opencl.h"
#include "cli/terminal.h"

#include <nlohmann/json.hpp>

namespace upsweep::cli {

// Limits, and for each format the image types that kernels may read, write, or read and write. Empty without images.
nlohmann::ordered_json images_json(const cl::Device &device);

// Prints the same in a few lines; formats with the same use are listed together.
void print_images(const cl::Device &device, const Terminal &terminal);

}  // namespace upsweep::cli
#endif
