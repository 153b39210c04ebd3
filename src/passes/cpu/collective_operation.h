// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of collectives. Vector and scalar code both use them, so results agree to the last bit.
#ifndef UPSWEEP_PASSES_CPU_COLLECTIVE_OPERATION_H
#define UPSWEEP_PASSES_CPU_COLLECTIVE_OPERATION_H

#include "passes/common/intrinsics.h"

#include <llvm/IR/IRBuilder.h>

namespace upsweep::passes {

/// `a` is the first operand if the operation does not commute in the last bit of floating point.
[[nodiscard]] llvm::Value *combine(llvm::IRBuilder<> &builder, Operation operation, llvm::Value *a, llvm::Value *b);

/// The value, or vector of values, that does not change the other operand. For fadd it is -0: adding 0 would change -0 to 0.
[[nodiscard]] llvm::Constant *identity(Operation operation, llvm::Type *type);

/// The initial value of a scan, and an exclusive scan's first result: the identity, except +0 for fadd, as specified.
[[nodiscard]] llvm::Constant *scan_start(Operation operation, llvm::Type *type);

}  // namespace upsweep::passes
#endif
