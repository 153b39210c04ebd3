// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds forbidden constructs in a module of any origin: code that runs when a program is built or loaded, and attributes that
// affect the object file. docs/security.md has the reasons. UPSWEEP_ALLOW_UNSAFE_SOURCE lifts these checks.
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
  const llvm::GlobalValue *value = nullptr;  ///< the function or variable concerned, or null
  const llvm::CallBase *assembly = nullptr;  ///< the inline assembly concerned, or null
};

/// First evaluates constructors (static_constructors.h). Checks inline assembly only for the CPU, since PTX is not assembled
/// for this computer.
[[nodiscard]] std::vector<UnsafeConstruct> find_unsafe(llvm::Module &module, bool for_cpu);

/// find_unsafe() as an error with a line for each construct.
[[nodiscard]] llvm::Error check_safety(llvm::Module &module, bool for_cpu);

}  // namespace upsweep::compiler
#endif
