// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints summaries, and measures the speed of a copy for comparison.
#include "cli/files/summary.h"

#include "cli/files/memory.h"
#include "cli/files/parallel.h"
#include "cli/files/progress.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace upsweep::cli {
namespace {

constexpr size_t kMostCopied = size_t{64} << 20;
constexpr size_t kPiece = size_t{1} << 20;
constexpr int kRuns = 3;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void Summary::row(std::string_view name, const std::string &text) const {
  if (is_quiet_) return;
  erase_bar();
  fmt::print("{:<8}{}\n", name, text);
}

void Summary::output(std::string_view name, const std::filesystem::path &path) const {
  if (!path.empty()) row(name, path.string());
}

void Summary::time(size_t bytes) {
  const double seconds = seconds_since(start_);
  if (is_quiet_) return;
  const double rate = static_cast<double>(bytes) / seconds;
  row("time", fmt::format("{:.3f} ms, {:.2f} GB/s read and written, {:.0f} % of a copy in memory", seconds * 1e3, rate * 1e-9,
                          100 * rate / copy_rate(bytes)));
}

double copy_rate(size_t bytes) {
  const size_t most = std::min<uint64_t>(kMostCopied, memory_for_arrays() / 2);
  const size_t size = std::clamp(bytes / 2, size_t{1}, most);
  std::vector<std::byte> from(size, std::byte{1}), to(size);
  double best = 1e9;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    share_out(size, kPiece, [&](size_t begin, size_t end) { std::memcpy(&to[begin], &from[begin], end - begin); });
    asm volatile("" : : "r"(to.data()) : "memory");  // uses the copy, so that the compiler does not remove it
    best = std::min(best, seconds_since(start));
  }
  return 2 * static_cast<double>(size) / best;
}

}  // namespace upsweep::cli
