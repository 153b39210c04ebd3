// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep profile`: runs another program, and prints where its time went.
#ifndef UPSWEEP_CLI_PROFILE_H
#define UPSWEEP_CLI_PROFILE_H

#include "cli/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace upsweep::cli {

struct ProfileOptions {
  std::filesystem::path trace;    // the timeline
  std::filesystem::path json;     // the sums
  std::filesystem::path summary;  // the table; standard error if empty
  std::string kernel;             // the only kernel in the tables; all if empty
};

// Runs the program, words[0], to its end. Returns its exit status, or 128 and the number of the signal that ended it.
Result<int> profile_program(const ProfileOptions &options, std::vector<std::string> words);

}  // namespace upsweep::cli
#endif
