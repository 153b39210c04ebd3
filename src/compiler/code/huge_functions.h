// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves optional passes of LLVM's code generator out of functions that are so long that these passes, whose time grows with
// the square of the length, would take longer than all others.
#ifndef UPSWEEP_COMPILER_CODE_HUGE_FUNCTIONS_H
#define UPSWEEP_COMPILER_CODE_HUGE_FUNCTIONS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Support/CommandLine.h"

namespace upsweep::compiler {

/// While it lives, code generation of the module is limited.
class HugeFunctionGate final : public llvm::OptPassGate {
public:
  explicit HugeFunctionGate(llvm::Module &module);
  ~HugeFunctionGate() override;
  HugeFunctionGate(const HugeFunctionGate &) = delete;
  HugeFunctionGate &operator=(const HugeFunctionGate &) = delete;

  bool isEnabled() const override { return !huge_.empty() || llvm::getGlobalPassGate().isEnabled(); }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef unit) override;

private:
  struct Length {
    bool cut = false, many_blocks = false, many_loops = false, very_long = false;
  };
  llvm::LLVMContext &context_;
  llvm::StringMap<Length> huge_;                       // by function, as LLVM describes it: "function (name)"
  llvm::cl::Option *no_strength_reduction_ = nullptr;  // the gate cannot tell whose loop it is asked about
};

}  // namespace upsweep::compiler

#endif
