// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines in which a source's pragmas turn findings of the kernel checker off, as metadata of the module.
#ifndef UPSWEEP_PASSES_COMMON_CHECK_LINES_H
#define UPSWEEP_PASSES_COMMON_CHECK_LINES_H

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Module.h>

#include <map>

namespace upsweep::passes {

/// From `line` of a file on, the kinds of findings in `off`, as bits, are not reported.
void add_check_lines(llvm::Module &module, llvm::StringRef file, uint32_t line, uint32_t off);

class CheckLines {
public:
  explicit CheckLines(const llvm::Module &module);
  /// The kinds that are off at a line.
  [[nodiscard]] uint32_t off(llvm::StringRef file, uint32_t line) const;

private:
  llvm::StringMap<std::map<uint32_t, uint32_t>> files_;  ///< for each file, from a line on
};

}  // namespace upsweep::passes
#endif
