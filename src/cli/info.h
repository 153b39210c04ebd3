// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep info`: the devices and their properties.
#ifndef UPSWEEP_CLI_INFO_H
#define UPSWEEP_CLI_INFO_H

#include "cli/opencl.h"
#include "cli/terminal.h"

#include <string>
#include <vector>

namespace upsweep::cli {

// All devices, or the one that choose_device() finds.
Result<void> info(bool json, const std::string &choice);

// A few lines about one device, also shown by the demonstration.
void print_summary(const cl::Device &device, const Terminal &terminal);

// `line`, then the words separated by blanks, in lines that fit a terminal; all but the first begin with `indent` blanks.
void print_words(std::string line, size_t indent, const std::vector<std::string> &words);

}  // namespace upsweep::cli
#endif
