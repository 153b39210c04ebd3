// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that appears completely or not at all: it is written under a temporary name and renamed. Standard output, "-", gets
// all bytes at the end.
#ifndef UPSWEEP_CLI_FILES_OUTPUT_H
#define UPSWEEP_CLI_FILES_OUTPUT_H

#include "cli/files/interrupts.h"
#include "cli/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <upsweep/external/direct_transfers.h>

namespace upsweep::cli {

inline bool is_standard_stream(const std::filesystem::path &path) { return path == "-"; }

// The name of an input for messages.
inline std::string name_of(const std::filesystem::path &input) {
  return is_standard_stream(input) ? "standard input" : input.string();
}

// Whether the path leads to the null device.
bool is_null_device(const std::filesystem::path &path);
// Whether an output is the same file as an input, which may be standard input; false if either does not exist.
bool is_same_file(const std::filesystem::path &output, const std::filesystem::path &input);

// The folder for temporary files of a result at `path`, on the same file system; that of the system's temporary files for
// results that are not kept.
std::filesystem::path folder_beside(const std::filesystem::path &path);

class OutputFile {
public:
  // An existing file is kept until finish(). If the path is a symbolic link, its target is created or replaced, and the link
  // stays. Existing files other than regular files and the null device are refused.
  static Result<std::unique_ptr<OutputFile>> create(const std::filesystem::path &path);
  // A file without a name, which exists only during the object's lifetime; messages name `path`.
  static Result<std::unique_ptr<OutputFile>> create_unnamed(const std::filesystem::path &path);
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();  // without finish(), removes the file

  Result<void> write(uint64_t offset, const void *bytes, size_t size);
  // For a large result that is written in its order: it goes to the disk in whole pages, and not to the page cache. A header at
  // the begin may follow in the end.
  void write_directly();
  Result<void> finish();
  // For reading the written bytes.
  [[nodiscard]] int descriptor() const { return file_; }

private:
  Result<void> copy_to_stdout();
  Result<void> write_at(uint64_t offset, const void *bytes, size_t size);
  Result<void> write_staged(uint64_t offset, const void *bytes, size_t size);
  Result<void> end_direct_writes();
  OutputFile(int file, std::filesystem::path path, std::filesystem::path beside);
  int file_;
  const std::filesystem::path path_;
  const std::filesystem::path beside_;
  std::unique_ptr<Unfinished> unfinished_;
  // The state of direct writes.
  bool is_direct_ = false;
  std::optional<external::staged_pages> staged_;
  uint64_t stored_ = 0;  // bytes that are in the file
  uint64_t next_ = 0;    // the offset of the next byte that may be staged
};

}  // namespace upsweep::cli
#endif
