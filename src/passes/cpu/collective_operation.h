// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations that collectives combine values with, named as in `__ups_sg_<kind>_<operation>_<type>`
// (builtins/intrinsics.h). Both code paths take them from here, so that they agree to the last bit.
#ifndef UPSWEEP_PASSES_CPU_COLLECTIVE_OPERATION_H
#define UPSWEEP_PASSES_CPU_COLLECTIVE_OPERATION_H

#include <llvm/IR/IRBuilder.h>

namespace upsweep::passes {

/// `a` comes first where the operation does not commute in floating point's last bit.
[[nodiscard]] llvm::Value *combine(llvm::IRBuilder<> &builder, llvm::StringRef operation, llvm::Value *a, llvm::Value *b);

/// The value, or vector of values, that changes nothing. That of fadd is -0: 0 would change the sign of a lone -0.
[[nodiscard]] llvm::Constant *identity(llvm::StringRef operation, llvm::Type *type);

/// The value before the first one of a scan, and an exclusive scan's first result: the identity, but +0 for fadd, as the
/// specification says.
[[nodiscard]] llvm::Constant *scan_start(llvm::StringRef operation, llvm::Type *type);

}  // namespace upsweep::passes
#endif
