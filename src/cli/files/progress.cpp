// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the progress bar in place.
#include "cli/files/progress.h"

#include "cli/terminal.h"

#include <atomic>
#include <cerrno>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace upsweep::cli {
namespace {

constexpr int kCells = 32;
constexpr int kNotDrawn = -1;
constexpr std::string_view kErase = "\r\x1b[K";

std::atomic<int> drawn_on = kNotDrawn;  // the file that has the bar; a process has one terminal and so one bar

}  // namespace

void erase_bar() {
  const int file = drawn_on.exchange(kNotDrawn);
  if (file == kNotDrawn) return;
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(file, kErase.data(), kErase.size());
  errno = error;
}

Progress::Progress(std::string title, bool is_quiet)
    : Progress(std::move(title), stderr, !is_quiet && isatty(STDERR_FILENO) != 0, Pace()) {}

void Progress::show(size_t done, size_t of, Clock::time_point now) {
  if (!is_shown_ || now < next_) return;
  next_ = now + pace_.interval;
  const double share = of > 0 ? static_cast<double>(done) / static_cast<double>(of) : 1;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const Terminal plain(false, Terminal::of_stdout().unicode());
  const std::string step = step_ > 0 ? fmt::format(", step {}", step_) : "";
  drawn_on = fileno(to_);
  fmt::print(to_, "\r{}{} {} {:3.0f} %  {:.0f} s\x1b[K", title_, step, plain.bar(share, kCells), share * 100, seconds);
  std::fflush(to_);
}

}  // namespace upsweep::cli
