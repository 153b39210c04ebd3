// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signal handlers, which only call async-signal-safe functions.
#include "cli/files/interrupts.h"

#include "cli/files/progress.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unistd.h>

namespace upsweep::cli {
namespace {

constexpr int kFailed = 1;
std::array<std::atomic<char *>, 8> unfinished;

void remove_unfinished() {
  for (const auto &path : unfinished)
    if (const char *name = path.load()) unlink(name);
}

void end_by_signal(int signal) {
  erase_bar();
  remove_unfinished();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void end_by_unreadable_file(int) {
  erase_bar();
  remove_unfinished();
  constexpr std::string_view kMessage =
      "upsweep: a file cannot be read to its end: it was truncated, or its disk has an error\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(kFailed);
}

}  // namespace

void handle_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, end_by_signal) == SIG_IGN) std::signal(signal, SIG_IGN);  // keep ignored signals ignored, for nohup
  std::signal(SIGBUS, end_by_unreadable_file);
  std::signal(SIGXFSZ, SIG_IGN);
}

Unfinished::Unfinished(const std::string &path) {
  char *copy = strdup(path.c_str());
  for (int i = 0; i < static_cast<int>(unfinished.size()); ++i) {
    char *none = nullptr;
    if (unfinished[static_cast<size_t>(i)].compare_exchange_strong(none, copy)) {
      place_ = i;
      return;
    }
  }
  free(copy);
}

Unfinished::~Unfinished() {
  if (place_ >= 0) free(unfinished[static_cast<size_t>(place_)].exchange(nullptr));
}

}  // namespace upsweep::cli
