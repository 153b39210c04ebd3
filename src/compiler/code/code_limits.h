// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rejects kernels for which LLVM 19's back ends would end the process. These have operands of inline assembly that fit no
// register of the target, mathematical intrinsics without an instruction, or initial values that PTX cannot hold.
#ifndef UPSWEEP_COMPILER_CODE_CODE_LIMITS_H
#define UPSWEEP_COMPILER_CODE_CODE_LIMITS_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace upsweep::compiler {

enum class BackEnd { kX86, kNvptx };

/// Call it after the target's pipeline. The error's text is for the build log.
[[nodiscard]] llvm::Error check_limits(const llvm::Module &module, BackEnd back_end);

}  // namespace upsweep::compiler
#endif
