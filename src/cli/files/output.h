// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that appears whole or not at all: it is written beside its place and renamed. Standard output, "-", gets its bytes
// when all are there.
#ifndef UPSWEEP_CLI_FILES_OUTPUT_H
#define UPSWEEP_CLI_FILES_OUTPUT_H

#include "cli/files/interrupts.h"
#include "cli/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

namespace upsweep::cli {

inline bool is_standard_stream(const std::filesystem::path &path) { return path == "-"; }

// Whether the path leads to the null device, which keeps nothing.
bool is_null_device(const std::filesystem::path &path);
// Whether an output leads to the file of an input, which may be standard input; false if one is not there.
bool is_same_file(const std::filesystem::path &output, const std::filesystem::path &input);

class OutputFile {
public:
  // A file that is there is kept until finish(); a link's target is replaced or made, and the link stays.
  // Anything there but regular files and the null device is refused.
  static Result<std::unique_ptr<OutputFile>> create(const std::filesystem::path &path);
  // One without a name, which is gone with the object; messages name `path`.
  static Result<std::unique_ptr<OutputFile>> create_unnamed(const std::filesystem::path &path);
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();  // without finish() nothing is left

  Result<void> write(uint64_t offset, const void *bytes, size_t size);
  Result<void> finish();
  // To read what was written.
  [[nodiscard]] int descriptor() const { return file_; }

private:
  Result<void> copy_to_stdout();
  OutputFile(int file, std::filesystem::path path, std::filesystem::path beside);
  int file_;
  const std::filesystem::path path_;
  const std::filesystem::path beside_;
  std::unique_ptr<Unfinished> unfinished_;
};

}  // namespace upsweep::cli
#endif
