// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bar on standard error for what takes over a second, on terminals alone.
#ifndef UPSWEEP_CLI_FILES_PROGRESS_H
#define UPSWEEP_CLI_FILES_PROGRESS_H

#include <chrono>
#include <cstdio>
#include <string>

namespace upsweep::cli {

class Progress {
public:
  using Clock = std::chrono::steady_clock;
  explicit Progress(std::string title, bool is_quiet = false);
  Progress(std::string title, std::FILE *to, bool is_shown) : title_(std::move(title)), to_(to), is_shown_(is_shown) {}
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  ~Progress();  // takes the bar off

  void show(size_t done, size_t of) { show(done, of, Clock::now()); }
  void show(size_t done, size_t of, Clock::time_point now);

private:
  const std::string title_;
  std::FILE *to_;
  bool is_shown_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + std::chrono::seconds(1);
  bool is_drawn_ = false;
};

}  // namespace upsweep::cli
#endif
