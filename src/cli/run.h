// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `upsweep run`: runs one kernel of a file with arguments from the command line.
#ifndef UPSWEEP_CLI_RUN_H
#define UPSWEEP_CLI_RUN_H

#include "cli/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace upsweep::cli {

struct RunOptions {
  std::filesystem::path file;
  std::string kernel;  // may be empty if the file has only one
  std::string global;
  std::string local;  // empty: the driver chooses
  std::string offset;
  std::vector<std::string> arguments;
  std::vector<std::string> outputs;  // ARGUMENT=file.npy or file.png
  std::vector<std::string> prints;   // ARGUMENT[:COUNT]
  std::string build_options;
  std::string device;  // as for choose_device()
  bool checks = false;
  unsigned repeat = 1;
};

// The whole file.
Result<std::string> read_text(const std::filesystem::path &path);

// Adds -cl-std=CL3.0 to options without a version: the specification demands OpenCL C 1.2 then, which users of the command do
// not expect.
std::string complete_build_options(const std::string &given);

Result<void> run(const RunOptions &options);

}  // namespace upsweep::cli
#endif
