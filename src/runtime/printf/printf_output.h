// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The printf output of one launch: collects the work-items' text and writes it to standard output.
#ifndef UPSWEEP_RUNTIME_PRINTF_PRINTF_OUTPUT_H
#define UPSWEEP_RUNTIME_PRINTF_PRINTF_OUTPUT_H

#include <map>
#include <mutex>
#include <string>

namespace upsweep {

/// Writes the kernels' output in one piece.
void write_printed(const std::string &text);

/// Keeps lines whole although work-groups run concurrently. Writes when enough text is buffered; the destructor, which must run
/// before the command's event completes, writes the rest.
class PrintfOutput final {
public:
  PrintfOutput() = default;
  ~PrintfOutput();
  PrintfOutput(const PrintfOutput &) = delete;
  PrintfOutput &operator=(const PrintfOutput &) = delete;

  /// A call of printf by a work-item of the work-group that `worker` runs. False if output is lost or the format is invalid
  /// (format_printf).
  [[nodiscard]] bool print(const void *worker, const char *format, const void *arguments) noexcept;

private:
  void append(const void *worker, const std::string &text);

  std::mutex mutex_;
  std::string lines_;                          ///< complete lines in the order of their ends
  std::map<const void *, std::string> begun_;  ///< incomplete lines, by worker
};

}  // namespace upsweep
#endif
