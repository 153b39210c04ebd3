// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions that LLVM's portable IR has no operation for: the intrinsics of Effect::kArithmetic (builtins/intrinsics.def) as
// x86's.
#ifndef UPSWEEP_PASSES_CPU_ARITHMETIC_H
#define UPSWEEP_PASSES_CPU_ARITHMETIC_H

#include "passes/common/intrinsics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace upsweep::passes {

/// The answer to __ups_level(): 4 with AVX-512 (of x86-64-v4), 3 with AVX2 and FMA, else 0.
[[nodiscard]] unsigned arithmetic_level(llvm::StringRef target_features);

/// The operation on numbers, or on vectors of a power of two of them. Poison where the processor lacks it: code that
/// __ups_level() excludes.
[[nodiscard]] llvm::Value *write_arithmetic(llvm::IRBuilderBase &builder, Ups operation,
                                            llvm::ArrayRef<llvm::Value *> arguments);

/// The elements of a constant table at `index`, a vector of integers below the table's length, by permuting registers that hold
/// the table; null where the processor does not do that: for other tables than of 2 to 16 doubles or 2 to 32 floats (AVX-512),
/// of 4 doubles or 8 floats (AVX2).
[[nodiscard]] llvm::Value *write_table(llvm::IRBuilderBase &builder, llvm::Constant &table, llvm::Value *index);

/// Those of single work-items; the lanes of a sub-group have theirs by then.
void lower_arithmetic(llvm::Function &function);

}  // namespace upsweep::passes
#endif
