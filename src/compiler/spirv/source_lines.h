// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines of the source that a module names, for messages and debug information.
#ifndef UPSWEEP_COMPILER_SPIRV_SOURCE_LINES_H
#define UPSWEEP_COMPILER_SPIRV_SOURCE_LINES_H

#include "compiler/spirv/words.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace upsweep::compiler::spirv {

/// OpLine and OpNoLine, and DebugLine and DebugNoLine of NonSemantic.Shader.DebugInfo.100. OpenCL.DebugInfo.100 uses OpLine.
class SourceLines {
public:
  SourceLines() = default;
  explicit SourceLines(llvm::ArrayRef<Instruction> all);

  struct Place {
    llvm::StringRef file;  ///< "<source>" if the module does not name it
    uint32_t line, column;
  };
  /// The place of an instruction, by its index; empty if the module names no line.
  [[nodiscard]] std::optional<Place> place(size_t index) const;
  /// The same as text, such as "kernel.cl:12:5".
  [[nodiscard]] std::string place_of(size_t index) const;

private:
  struct Line {
    uint32_t file, line, column;  ///< ids, of OpString and DebugSource; numbers
  };

  void collect(llvm::ArrayRef<Instruction> all);
  void add_extended(const Instruction &i);

  std::vector<Line> lines_;
  std::vector<uint32_t> line_of_instruction_;  ///< an index of `lines_` and 1; empty if the module has no lines
  llvm::DenseMap<uint32_t, std::string> files_;
  llvm::DenseMap<uint32_t, uint32_t> numbers_;  ///< constants, which are the operands of DebugLine
  uint32_t debug_import_ = 0;
};

}  // namespace upsweep::compiler::spirv
#endif
