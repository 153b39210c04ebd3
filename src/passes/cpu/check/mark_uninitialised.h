// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores __ups_uninitialised() in the private variables of the user's functions where their life begins, so that LLVM's
// clean-up neither hides an uninitialised value nor exploits it. check_init() replaces the calls.
#ifndef UPSWEEP_PASSES_CPU_CHECK_MARK_UNINITIALISED_H
#define UPSWEEP_PASSES_CPU_CHECK_MARK_UNINITIALISED_H

#include "passes/program.h"

namespace upsweep::passes {

/// On variables whose parts all have a mark.
inline constexpr llvm::StringLiteral kMarkedVariable = "upsweep.marked";

/// On calls of __ups_uninitialised(): the variable's name.
inline constexpr llvm::StringLiteral kUninitialisedName = "upsweep.variable";

void mark_uninitialised(llvm::Module &module);

}  // namespace upsweep::passes
#endif
