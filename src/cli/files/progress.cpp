// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the bar, over itself.
#include "cli/files/progress.h"

#include "cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace upsweep::cli {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr int kCells = 32;

}  // namespace

Progress::Progress(std::string title, bool is_quiet)
    : Progress(std::move(title), stderr, !is_quiet && isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (is_drawn_) fmt::print(to_, "\r\x1b[K");
}

void Progress::show(size_t done, size_t of, Clock::time_point now) {
  if (!is_shown_ || now < next_) return;
  next_ = now + kInterval;
  is_drawn_ = true;
  const double share = of > 0 ? static_cast<double>(done) / static_cast<double>(of) : 1;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const Terminal plain(false, Terminal::of_stdout().unicode());
  fmt::print(to_, "\r{} {} {:3.0f} %  {:.0f} s\x1b[K", title_, plain.bar(share, kCells), share * 100, seconds);
  std::fflush(to_);
}

}  // namespace upsweep::cli
