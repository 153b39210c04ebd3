// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep info`: the devices and their properties.
#ifndef UPSWEEP_CLI_INFO_H
#define UPSWEEP_CLI_INFO_H

#include "cli/opencl.h"
#include "cli/terminal.h"

#include <string>
#include <vector>

namespace upsweep::cli {

// Prints all devices, or the device that choose_device() finds.
Result<void> info(bool json, const std::string &choice);

// Prints a few lines about a device; also used by the demonstration.
void print_summary(const cl::Device &device, const Terminal &terminal);

// Prints `line`, then the words, wrapped to the terminal's width; further lines are indented by `indent` blanks.
void print_words(std::string line, size_t indent, const std::vector<std::string> &words);

}  // namespace upsweep::cli
#endif
