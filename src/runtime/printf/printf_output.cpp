// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf of kernels. Writes through the stdio buffer of standard output, so the order with the application's own output is
// kept.
#include "runtime/printf/printf_output.h"
#include "runtime/printf/printf_format.h"
#include <cstdio>
#include <exception>

namespace upsweep {
namespace {

/// Text buffered before it is written while the kernel still runs.
constexpr size_t kFlushBytes = size_t{1} << 16;

}  // namespace

void write_printed(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

PrintfOutput::~PrintfOutput() {
  if (!lines_.empty()) write_printed(lines_);
  for (const auto &[worker, text] : begun_)
    if (!text.empty()) write_printed(text);
}

bool PrintfOutput::print(const void *worker, const char *format, const void *arguments) noexcept {
  try {
    std::string text;
    const bool is_valid = format_printf(format, arguments, text);
    append(worker, text);
    return is_valid;
  } catch (const std::exception &) {  // out of memory; generated code cannot handle exceptions
    return false;
  }
}

void PrintfOutput::append(const void *worker, const std::string &text) {
  std::lock_guard lock(mutex_);
  std::string &begun = begun_[worker];
  const size_t end = text.rfind('\n');
  if (end == std::string::npos) {
    begun += text;
    return;
  }
  lines_ += begun;
  lines_.append(text, 0, end + 1);
  begun.assign(text, end + 1);
  if (lines_.size() < kFlushBytes) return;
  write_printed(lines_);
  lines_.clear();
}

}  // namespace upsweep
