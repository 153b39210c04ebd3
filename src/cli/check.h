// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep check`: runs another program with checked kernels.
#ifndef UPSWEEP_CLI_CHECK_H
#define UPSWEEP_CLI_CHECK_H

#include "cli/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace upsweep::cli {

struct CheckOptions {
  std::string checks = "all";
  std::filesystem::path log;
  std::filesystem::path suppress;
};

// Replaces this process by the program, words[0]. Returns only after an error.
Result<void> check_program(const CheckOptions &options, std::vector<std::string> words);

// For this process, before it loads the driver. Only the CPU device checks kernels.
Result<void> turn_checks_on(const std::string &device);

}  // namespace upsweep::cli
#endif
