// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Placement of a kernel's local variables in the work-group's local memory.
#ifndef UPSWEEP_PASSES_COMMON_LOCAL_VARIABLES_H
#define UPSWEEP_PASSES_COMMON_LOCAL_VARIABLES_H

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>

namespace upsweep::passes {

/// Offsets of a kernel's local variables in local memory.
struct LocalLayout {
  llvm::MapVector<llvm::GlobalVariable *, uint64_t> offsets;
  uint64_t bytes = 0;
  llvm::Align align;  ///< the largest alignment of a variable
};

/// Lays out the local variables that `item` uses; calls must be inlined.
[[nodiscard]] LocalLayout lay_out_locals(llvm::Function &item);

/// Replaces a function's local variables by addresses relative to `base`, which the callback computes at the function's start.
void place_locals(llvm::Function &function, const LocalLayout &locals,
                  llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &)> base);

}  // namespace upsweep::passes
#endif
