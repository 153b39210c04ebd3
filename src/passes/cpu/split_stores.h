// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass `split-stores`: splits stores wider than a register, in ascending order.
//
// The back end splits them too, but stores the upper half first. On a Zen 5, a copy of float4 in memory takes 8 % longer than
// with ascending stores.
//
// Assumes      optimised code; runs last, so that nothing merges the pieces again.
// Establishes  nothing that later steps need.
#ifndef UPSWEEP_PASSES_CPU_SPLIT_STORES_H
#define UPSWEEP_PASSES_CPU_SPLIT_STORES_H

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace upsweep::passes {

/// `register_bits`: of the widest register. True if the function changed.
bool split_stores(llvm::Function &function, unsigned register_bits);

/// split_stores() with the register width of the function's processor.
bool split_wide_stores(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

}  // namespace upsweep::passes

#endif
