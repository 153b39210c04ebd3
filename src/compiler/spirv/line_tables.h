// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's debug information for the lines that a module names: files, functions and lines, without types and variables.
#ifndef UPSWEEP_COMPILER_SPIRV_LINE_TABLES_H
#define UPSWEEP_COMPILER_SPIRV_LINE_TABLES_H

#include "compiler/spirv/source_lines.h"

#include "llvm/IR/DIBuilder.h"

namespace upsweep::compiler::spirv {

class LineTables {
public:
  LineTables(llvm::Module &module, const SourceLines &lines) : module_(module), builder_(module), lines_(lines) {}

  /// Describes a function whose instructions have the indices from `first` to `last`. No effect if none of them has a line.
  void add(llvm::Function &function, size_t first, size_t last);
  /// The place of an instruction in a function; empty if add() had no effect.
  [[nodiscard]] llvm::DebugLoc location(const llvm::Function &function, size_t index);
  /// After the last function.
  void finish();

private:
  llvm::DIFile *file(llvm::StringRef name);

  llvm::Module &module_;
  llvm::DIBuilder builder_;
  const SourceLines &lines_;
  llvm::DICompileUnit *unit_ = nullptr;
};

}  // namespace upsweep::compiler::spirv
#endif
