// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf of kernels. Standard output is the application's, by way of its stdio buffer, so that order with the application's own
// is kept.
#include "runtime/printf_output.h"
#include "runtime/printf_format.h"
#include <cstdio>
#include <exception>

namespace upsweep {
namespace {

/// Text gathered before it is written while the kernel still runs.
constexpr size_t kFlushBytes = size_t{1} << 16;

}  // namespace

void write_printed(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

PrintfOutput::PrintfOutput() : UpsweepHooks{.print = print_hook} {}

PrintfOutput::~PrintfOutput() {
  if (!lines_.empty()) write_printed(lines_);
  for (const auto &[worker, text] : begun_)
    if (!text.empty()) write_printed(text);
}

int32_t PrintfOutput::print_hook(UpsweepGroup *group, const char *format, const void *arguments) {
  try {
    std::string text;
    const bool is_valid = format_printf(format, arguments, text);
    // The launch was given this object's hooks, so it is what the pointer points into.
    const auto *self = static_cast<const PrintfOutput *>(group->hooks);
    const_cast<PrintfOutput *>(self)->append(group, text);
    return is_valid ? 0 : -1;
  } catch (const std::exception &) {  // out of memory: generated code knows no exceptions
    return -1;
  }
}

void PrintfOutput::append(const UpsweepGroup *worker, const std::string &text) {
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
