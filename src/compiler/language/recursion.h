// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "Recursion is not supported": which functions of a module call themselves or one another. A block that is enqueued is not
// called.
#ifndef UPSWEEP_COMPILER_LANGUAGE_RECURSION_H
#define UPSWEEP_COMPILER_LANGUAGE_RECURSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace upsweep::compiler {

/// On functions of sources that were compiled with leave to be recursive.
inline constexpr char kMayRecurse[] = "upsweep-may-recurse";

using Recursion = std::vector<const llvm::Function *>;

/// Those groups of functions that were not given leave, each in the module's order.
[[nodiscard]] std::vector<Recursion> find_recursion(llvm::Module &module);

/// The name of a function as its source has it, as far as that can be told from the module.
[[nodiscard]] std::string source_name(const llvm::Function &function);

/// "'odd' and 'even' call each other"; a name that comes twice counts once.
[[nodiscard]] std::string describe_recursion(llvm::ArrayRef<std::string> names);

}  // namespace upsweep::compiler
#endif
