// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a module may not hold, wherever it came from: code that runs when a program is built or loaded, or that decides about
// the object file. docs/security.md says why. UPSWEEP_ALLOW_UNSAFE_SOURCE lifts these checks.
#ifndef UPSWEEP_COMPILER_SAFETY_UNSAFE_MODULE_H
#define UPSWEEP_COMPILER_SAFETY_UNSAFE_MODULE_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace upsweep::compiler {

inline constexpr char kUnsafeSourceHint[] = "permitted by the environment variable UPSWEEP_ALLOW_UNSAFE_SOURCE=1";

struct UnsafeConstruct {
  std::string text;                          ///< of the message, without the hint
  const llvm::GlobalValue *value = nullptr;  ///< the function or variable that it is about, if there is one
  const llvm::CallBase *assembly = nullptr;  ///< the inline assembly that it is about, if any
};

/// Evaluates constructors (static_constructors.h) first. Inline assembly is looked at if it is for the CPU: PTX is not
/// assembled on this computer's behalf.
[[nodiscard]] std::vector<UnsafeConstruct> find_unsafe(llvm::Module &module, bool for_cpu);

/// The same as an error, a line for each.
[[nodiscard]] llvm::Error check_safety(llvm::Module &module, bool for_cpu);

}  // namespace upsweep::compiler
#endif
