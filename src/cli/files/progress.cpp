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

double share_of(size_t done, size_t of) { return of > 0 ? static_cast<double>(done) / static_cast<double>(of) : 1; }

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

bool Progress::is_due(Clock::time_point now) {
  if (!is_shown_ || now < next_) return false;
  next_ = now + pace_.interval;
  return true;
}

void Progress::show(size_t done, size_t of, Clock::time_point now) {
  if (!is_due(now)) return;
  draw(share_of(done, of), std::chrono::duration<double>(now - start_).count(), "");
}

void Progress::show_left(size_t done, size_t of, Clock::time_point now) {
  if (!is_due(now)) return;
  const double share = share_of(done, of), seconds = std::chrono::duration<double>(now - start_).count();
  draw(share, seconds, share > 0 ? fmt::format(", {:.0f} s left", seconds * (1 - share) / share) : "");
}

void Progress::draw(double share, double seconds, const std::string &left) {
  const Terminal plain(false, Terminal::of_stdout().unicode());
  const std::string step = step_ > 0 ? fmt::format(", step {}", step_) : "";
  drawn_on = fileno(to_);
  fmt::print(to_, "\r{}{} {} {:3.0f} %  {:.0f} s{}\x1b[K", title_, step, plain.bar(share, kCells), share * 100, seconds, left);
  std::fflush(to_);
}

}  // namespace upsweep::cli
