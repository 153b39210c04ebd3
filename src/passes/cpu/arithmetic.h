// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The intrinsics of Effect::kArithmetic (builtins/intrinsics.def) as x86 instructions, for which LLVM's portable IR has no
// operations.
#ifndef UPSWEEP_PASSES_CPU_ARITHMETIC_H
#define UPSWEEP_PASSES_CPU_ARITHMETIC_H

#include "passes/common/intrinsics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace upsweep::passes {

/// The value of __ups_level(): 4 with AVX-512 (x86-64-v4), 3 with AVX2 and FMA, otherwise 0.
[[nodiscard]] unsigned arithmetic_level(llvm::StringRef target_features);

/// The operation on numbers, or on vectors of a power of two of them. Poison if the processor lacks it, since __ups_level()
/// excludes that code.
[[nodiscard]] llvm::Value *write_arithmetic(llvm::IRBuilderBase &builder, Ups operation,
                                            llvm::ArrayRef<llvm::Value *> arguments);

/// The elements of a constant table at `index`, a vector of integers below the table's length, by permuting registers that hold
/// the table. Null if the processor cannot do that: it supports 2 to 16 doubles or 2 to 32 floats with AVX-512, 4 doubles or 8
/// floats with AVX2.
[[nodiscard]] llvm::Value *write_table(llvm::IRBuilderBase &builder, llvm::Constant &table, llvm::Value *index);

/// Lowers the intrinsics of single work-items. Intrinsics of lanes are already lowered.
void lower_arithmetic(llvm::Function &function);

}  // namespace upsweep::passes
#endif
