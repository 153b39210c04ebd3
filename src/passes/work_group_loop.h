// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 8: `void @f.entry(ptr %group)` runs all units of a work-group, in the order of their ids, round after round until all are done.
#ifndef UPSWEEP_PASSES_WORK_GROUP_LOOP_H
#define UPSWEEP_PASSES_WORK_GROUP_LOOP_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// The unit functions of a kernel, `void (ptr %group, i32 %first, i32 %x, i32 %y, i32 %z)`. Vector code has one for sub-groups whose
/// lanes all exist and share y and z, and one for any other; scalar code has one.
struct Units {
  llvm::Function *full = nullptr;
  llvm::Function *part = nullptr; ///< null in scalar code
  unsigned lanes = 1;             ///< work-items per unit
};

/// For units that never wait.
llvm::Function *make_work_group_loop(const Units &units, llvm::StringRef kernel);

} // namespace upsweep::passes
#endif
