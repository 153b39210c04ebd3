// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `#pragma upsweep check off KIND…` and `on`: lines of a source in which the kernel checker reports no finding of these kinds.
#ifndef UPSWEEP_COMPILER_LANGUAGE_CHECK_PRAGMAS_H
#define UPSWEEP_COMPILER_LANGUAGE_CHECK_PRAGMAS_H

#include "clang/Lex/Preprocessor.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace upsweep::compiler {

class CheckPragmas {
public:
  void watch(clang::Preprocessor &preprocessor);
  /// Adds the pragmas as named metadata (passes/common/check_lines.h).
  void add_to(llvm::Module &module) const;

  /// Turns kinds of findings, as bits, on or off from a line on.
  void turn(const std::string &file, uint32_t line, bool on, uint32_t kinds);

private:
  struct Step {
    uint32_t line;
    uint32_t off;
  };
  std::map<std::string, std::vector<Step>> files_;
};

}  // namespace upsweep::compiler
#endif
