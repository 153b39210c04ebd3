// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file in memory: mapped, so that it may be larger than the machine's memory.
#ifndef UPSWEEP_CLI_FILES_MAPPING_H
#define UPSWEEP_CLI_FILES_MAPPING_H

#include "cli/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace upsweep::cli {

class Mapping {
public:
  // Of a regular file. What becomes shorter while it is read ends the program (interrupts.h).
  static Result<std::shared_ptr<const Mapping>> of_file(const std::filesystem::path &path);
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;
  ~Mapping();

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

private:
  explicit Mapping(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

}  // namespace upsweep::cli
#endif
