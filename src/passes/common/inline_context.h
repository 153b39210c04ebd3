// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 3: everything that knows of its work-item (uses `__ups_*`, local variables or printf, directly or through calls) is
// inlined into the kernels' items, and so is the library. What remains called are plain scalar functions of the user that are
// large or noinline.
#ifndef UPSWEEP_PASSES_COMMON_INLINE_CONTEXT_H
#define UPSWEEP_PASSES_COMMON_INLINE_CONTEXT_H

#include "passes/program.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

namespace upsweep::passes {

/// Every function of the user's is simplified before it is inlined anywhere, so that what is copied is small. Recursion of
/// functions that must be inlined is an error that names one of them.
[[nodiscard]] llvm::Error inline_context(llvm::Module &module, Program &program);

}  // namespace upsweep::passes
#endif
