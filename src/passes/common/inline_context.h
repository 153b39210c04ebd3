// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 3: inlines the library, and all functions that depend on their work-item (by `__ups_*`, local variables or printf,
// directly or through calls), into the kernels' items. The remaining calls are of scalar user functions that are large or
// noinline.
#ifndef UPSWEEP_PASSES_COMMON_INLINE_CONTEXT_H
#define UPSWEEP_PASSES_COMMON_INLINE_CONTEXT_H

#include "passes/program.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

namespace upsweep::passes {

/// Simplifies each user function before inlining it, so that copies are small. Recursion of functions that must be inlined is
/// an error that names such a function.
[[nodiscard]] llvm::Error inline_context(llvm::Module &module, Program &program);

}  // namespace upsweep::passes
#endif
