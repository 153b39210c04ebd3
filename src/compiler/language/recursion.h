// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "Recursion is not supported": finds functions of a module that call themselves or each other. Enqueuing a block is not a
// call.
#ifndef UPSWEEP_COMPILER_LANGUAGE_RECURSION_H
#define UPSWEEP_COMPILER_LANGUAGE_RECURSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace upsweep::compiler {

/// Marks functions of sources that were compiled with recursion permitted.
inline constexpr char kMayRecurse[] = "upsweep-may-recurse";

using Recursion = std::vector<const llvm::Function *>;

/// The groups of recursive functions without that permission, each in the module's order.
[[nodiscard]] std::vector<Recursion> find_recursion(llvm::Module &module);

/// The name of a function in its source, as far as the module tells.
[[nodiscard]] std::string source_name(const llvm::Function &function);

/// "'odd' and 'even' call each other"; duplicate names are listed once.
[[nodiscard]] std::string describe_recursion(llvm::ArrayRef<std::string> names);

}  // namespace upsweep::compiler
#endif
