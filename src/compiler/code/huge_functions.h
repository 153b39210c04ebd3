// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Skips optional passes of LLVM's code generator for very long functions. These passes take time quadratic in the length, and
// would dominate.
#ifndef UPSWEEP_COMPILER_CODE_HUGE_FUNCTIONS_H
#define UPSWEEP_COMPILER_CODE_HUGE_FUNCTIONS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Support/CommandLine.h"

namespace upsweep::compiler {

/// Limits the code generation of the module during its lifetime.
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
  llvm::StringMap<Length> huge_;                       // by LLVM's description of the function: "function (name)"
  llvm::cl::Option *no_strength_reduction_ = nullptr;  // a loop pass, for which the gate is not told the function
};

}  // namespace upsweep::compiler

#endif
