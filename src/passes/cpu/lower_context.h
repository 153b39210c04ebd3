// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 6: in a unit function, `void (ptr %group, i32 %first, i32 %x, i32 %y, i32 %z)`, uniform `__ups_*` read the group, local
// variables become places in the group's local memory, and printf hands its packed arguments to the driver. What remains are
// barriers and yields.
#ifndef UPSWEEP_PASSES_LOWER_CONTEXT_H
#define UPSWEEP_PASSES_LOWER_CONTEXT_H

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// Where a kernel's local variables are in local memory.
struct LocalLayout {
  llvm::MapVector<llvm::GlobalVariable *, uint64_t> offsets;
  uint64_t bytes = 0;
};

/// Of the local variables that `item` uses; the item must be inlined.
[[nodiscard]] LocalLayout lay_out_locals(llvm::Function &item);

/// Replaces the local variables in a function by places in the memory from `base` on, which a function makes at its start.
void place_locals(llvm::Function &function, const LocalLayout &locals,
                  llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &)> base);

/// `waits`: the unit will be a coroutine.
void lower_context(llvm::Function &unit, const LocalLayout &locals, unsigned sub_group_size, bool waits);

/// lower_printf.cpp: `call` of printf, with `group` in reach.
void lower_printf(llvm::CallInst &call, llvm::Value *group);

}  // namespace upsweep::passes
#endif
