// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the printf of one launch goes: collects what its work-items print and writes it to standard output.
#ifndef UPSWEEP_RUNTIME_PRINTF_OUTPUT_H
#define UPSWEEP_RUNTIME_PRINTF_OUTPUT_H

#include "base/reference.h"
#include "targets/cpu/kernel_abi.h"
#include <map>
#include <mutex>
#include <string>

namespace upsweep {

/// Writes what kernels printed, in one piece.
void write_printed(const std::string &text);

/// Is the UpsweepHooks of its launch. Lines stay whole although work-groups run side by side. Writes when much has gathered,
/// and the rest in its destructor, which runs before the command's event is complete.
class PrintfOutput final : public Counted, public UpsweepHooks {
public:
  PrintfOutput();

private:
  ~PrintfOutput() override;

  static int32_t print_hook(UpsweepGroup *group, const char *format, const void *arguments);
  void append(const UpsweepGroup *worker, const std::string &text);

  std::mutex mutex_;
  std::string lines_;  ///< whole lines in the order in which they ended
  /// Begun lines. Each worker thread has one UpsweepGroup, which runs one work-group at a time.
  std::map<const UpsweepGroup *, std::string> begun_;
};

}  // namespace upsweep
#endif
