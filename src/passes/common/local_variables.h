// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places of a kernel's local variables in the work-group's local memory.
#ifndef UPSWEEP_PASSES_COMMON_LOCAL_VARIABLES_H
#define UPSWEEP_PASSES_COMMON_LOCAL_VARIABLES_H

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>

namespace upsweep::passes {

/// Where a kernel's local variables are in local memory.
struct LocalLayout {
  llvm::MapVector<llvm::GlobalVariable *, uint64_t> offsets;
  uint64_t bytes = 0;
  llvm::Align align;  ///< the largest of a variable
};

/// Of the local variables that `item` uses; the item must be inlined.
[[nodiscard]] LocalLayout lay_out_locals(llvm::Function &item);

/// Replaces the local variables in a function by places in the memory from `base` on, which a function makes at its start.
void place_locals(llvm::Function &function, const LocalLayout &locals,
                  llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &)> base);

}  // namespace upsweep::passes
#endif
