// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A progress bar on standard error for work that takes over a second; only on terminals.
#ifndef UPSWEEP_CLI_FILES_PROGRESS_H
#define UPSWEEP_CLI_FILES_PROGRESS_H

#include <chrono>
#include <cstdio>
#include <string>

namespace upsweep::cli {

// Erases the bar if one is drawn. Code that prints calls it first, since its output may go to the same terminal.
// Async-signal-safe.
void erase_bar();

class Progress {
public:
  using Clock = std::chrono::steady_clock;
  struct Pace {
    Clock::duration delay = std::chrono::seconds(1);  // before the bar appears
    Clock::duration interval = std::chrono::milliseconds(100);
  };
  explicit Progress(std::string title, bool is_quiet = false);
  Progress(std::string title, std::FILE *to, bool is_shown, Pace pace)
      : title_(std::move(title)), to_(to), is_shown_(is_shown), pace_(pace) {}
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  ~Progress() { erase_bar(); }

  // Begins the next of several steps. The number of steps is not known in advance, so the bar shows the step's number.
  void begin_step() { ++step_; }
  void show(size_t done, size_t of) { show(done, of, Clock::now()); }
  void show(size_t done, size_t of, Clock::time_point now);
  // Also the time that is left, if the rest goes on as before: for work that has all of its steps in `of`.
  void show_left(size_t done, size_t of) { show_left(done, of, Clock::now()); }
  void show_left(size_t done, size_t of, Clock::time_point now);

private:
  void draw(double share, double seconds, const std::string &left);
  // Whether it is time for the next drawing.
  bool is_due(Clock::time_point now);

  const std::string title_;
  std::FILE *to_;
  bool is_shown_;
  const Pace pace_;
  unsigned step_ = 0;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + pace_.delay;
};

}  // namespace upsweep::cli
#endif
