// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel may ask of LLVM 19's back ends that they end the process about, refused beforehand: operands of inline assembly
// that fit no register of the target, mathematical intrinsics without an instruction, and initial values that PTX cannot hold.
#ifndef UPSWEEP_COMPILER_CODE_CODE_LIMITS_H
#define UPSWEEP_COMPILER_CODE_CODE_LIMITS_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace upsweep::compiler {

enum class BackEnd { kX86, kNvptx };

/// After the target's pipeline. An error belongs in the build log.
[[nodiscard]] llvm::Error check_limits(const llvm::Module &module, BackEnd back_end);

}  // namespace upsweep::compiler
#endif
