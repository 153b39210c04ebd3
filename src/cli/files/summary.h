// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The summary of a verb: the result's first and last elements, its time, and its speed relative to a copy.
#ifndef UPSWEEP_CLI_FILES_SUMMARY_H
#define UPSWEEP_CLI_FILES_SUMMARY_H

#include "cli/files/array.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace upsweep::cli {

class Summary {
public:
  explicit Summary(bool is_quiet) : is_quiet_(is_quiet) {}

  // "input   photo.npy, float32 (3, 4)"
  void input(const Array &array) { row("input", array.name + ", " + array.type.name() + " " + shape_text(array.shape)); }
  void row(std::string_view name, const std::string &text) const;
  void output(std::string_view name, const std::filesystem::path &path) const;
  // Stops the clock and prints the times; `bytes` were read and written.
  void time(size_t bytes);

private:
  const bool is_quiet_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Bytes per second, read and written, by a copy of that many bytes in memory (at most some 64 MiB) on all threads.
double copy_rate(size_t bytes);

}  // namespace upsweep::cli
#endif
