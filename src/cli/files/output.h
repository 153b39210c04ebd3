// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that appears whole or not at all: it is written beside its place and renamed.
#ifndef UPSWEEP_CLI_FILES_OUTPUT_H
#define UPSWEEP_CLI_FILES_OUTPUT_H

#include "cli/files/interrupts.h"
#include "cli/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

namespace upsweep::cli {

class OutputFile {
public:
  // A file that is there is kept until finish(); a link's target is replaced, not the link. What is there and is no regular
  // file is refused.
  static Result<std::unique_ptr<OutputFile>> create(const std::filesystem::path &path);
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();  // without finish() nothing is left

  Result<void> write(uint64_t offset, const void *bytes, size_t size);
  Result<void> finish();

private:
  OutputFile(int file, std::filesystem::path path, std::filesystem::path beside);
  int file_;
  const std::filesystem::path path_;
  const std::filesystem::path beside_;
  std::unique_ptr<Unfinished> unfinished_;
};

}  // namespace upsweep::cli
#endif
