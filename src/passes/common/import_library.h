// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies the library functions that a module uses into it. LLVM's linker visits the whole library and destroys it. This pass
// only touches used functions: 0.1 ms instead of 10 ms for a small kernel.
#ifndef UPSWEEP_PASSES_COMMON_IMPORT_LIBRARY_H
#define UPSWEEP_PASSES_COMMON_IMPORT_LIBRARY_H

#include "passes/common/library.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

namespace upsweep::passes {

/// Defines each declared function and variable of `module` by the first of `libraries` that has a body, together with their
/// dependencies. All share a context. Libraries do not change, except that bodies are parsed on demand. Returns the functions
/// that got a body, or the reason why a library's body cannot be read. Keeps the module's own definitions.
[[nodiscard]] llvm::Expected<llvm::SmallVector<llvm::Function *, 16>> import_library(llvm::Module &module,
                                                                                     llvm::ArrayRef<Library *> libraries);

}  // namespace upsweep::passes
#endif
