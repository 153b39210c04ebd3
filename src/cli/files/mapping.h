// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file in memory: mapped, so it may be larger than the memory. Data from a pipe is read completely, into a temporary
// file if it is larger than the verb's memory.
#ifndef UPSWEEP_CLI_FILES_MAPPING_H
#define UPSWEEP_CLI_FILES_MAPPING_H

#include "cli/result.h"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace upsweep::cli {

class Mapping {
public:
  // Maps a regular file, or standard input, "-". If the file is truncated while it is read, the program ends (interrupts.h).
  static Result<std::shared_ptr<const Mapping>> of_file(const std::filesystem::path &path);
  // Maps the first bytes of an open file; the path is for messages.
  static Result<std::shared_ptr<const Mapping>> of_descriptor(int file, size_t size, const std::filesystem::path &path);
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;
  ~Mapping();

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  // Counts bytes that a caller reads. After every 4 MiB the process gives the pages of the file back. The
  // bytes stay valid: reading them again maps their pages again.
  void note_read(size_t bytes) const;
  void give_back() const;

private:
  static Result<std::shared_ptr<const Mapping>> of_stdin();
  // The rest of standard input behind `bytes`, which are then room for reading.
  static Result<std::shared_ptr<const Mapping>> of_stored_stdin(std::vector<std::byte> &bytes);
  explicit Mapping(std::span<const std::byte> mapped) : bytes_(mapped), is_mapped_(true) {}
  explicit Mapping(std::vector<std::byte> read) : read_(std::move(read)), bytes_(read_), is_mapped_(false) {}

  std::vector<std::byte> read_;
  std::span<const std::byte> bytes_;
  bool is_mapped_;
  mutable std::atomic<size_t> resident_ = 0;  // bytes that were read since pages were given back
};

}  // namespace upsweep::cli
#endif
