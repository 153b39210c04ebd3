// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the printf of one launch goes: collects what its work-items print and writes it to standard output.
#ifndef UPSWEEP_RUNTIME_PRINTF_PRINTF_OUTPUT_H
#define UPSWEEP_RUNTIME_PRINTF_PRINTF_OUTPUT_H

#include <map>
#include <mutex>
#include <string>

namespace upsweep {

/// Writes what kernels printed, in one piece.
void write_printed(const std::string &text);

/// Lines stay whole although work-groups run side by side. Writes when much has gathered, and the rest in its destructor, which
/// has to run before the command's event is complete.
class PrintfOutput final {
public:
  PrintfOutput() = default;
  ~PrintfOutput();
  PrintfOutput(const PrintfOutput &) = delete;
  PrintfOutput &operator=(const PrintfOutput &) = delete;

  /// One call of printf by a work-item that `worker` runs, which runs one work-group at a time. False when the output is lost,
  /// or the format is none (format_printf).
  [[nodiscard]] bool print(const void *worker, const char *format, const void *arguments) noexcept;

private:
  void append(const void *worker, const std::string &text);

  std::mutex mutex_;
  std::string lines_;                          ///< whole lines in the order in which they ended
  std::map<const void *, std::string> begun_;  ///< begun lines, by worker
};

}  // namespace upsweep
#endif
