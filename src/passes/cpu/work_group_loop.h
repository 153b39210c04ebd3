// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 8: `void @f.entry(ptr %group)` runs all units of a work-group, in the order of their ids, round after round until all
// are done.
#ifndef UPSWEEP_PASSES_CPU_WORK_GROUP_LOOP_H
#define UPSWEEP_PASSES_CPU_WORK_GROUP_LOOP_H

#include "passes/cpu/split_at_waits.h"

#include <llvm/IR/IRBuilder.h>

namespace upsweep::passes {

/// The unit functions of a kernel, `void (ptr %group, i32 %first, i32 %x, i32 %y, i32 %z)`. Vector code has one for sub-groups
/// whose lanes all exist and share y and z, and one for any other; scalar code has one. Those that wait are coroutines.
struct Units {
  llvm::Function *full = nullptr;           ///< null where `part` is for all sub-groups
  llvm::Function *row = nullptr;            ///< the rest of a row; null in kernels that can tell or that wait
  llvm::Function *part = nullptr;           ///< null in scalar code, and where `row` will do
  unsigned lanes = 1;                       ///< work-items per unit
  bool wait = false;                        ///< both are coroutines (with %frame), already split
  bool yield = false;                       ///< they may yield, not only meet barriers
  Frame frame;                              ///< large enough for both
  llvm::Function *run_sub_group = nullptr;  ///< scalar code with sub-group operations: make_sub_group_runner()
  unsigned sub_group_size = 1;
};

/// Bytes that the driver provides per unit.
[[nodiscard]] uint64_t frame_bytes_per_unit(const Units &units);
/// Distance between the frames of units.
[[nodiscard]] uint64_t frame_stride(const Frame &frame);

/// `@name(ptr %group)`.
llvm::Function *make_work_group_loop(const Units &units, llvm::StringRef name);

/// Resumes the coroutine in `frame`.
void emit_resume(llvm::IRBuilderBase &builder, llvm::Value *frame);

}  // namespace upsweep::passes
#endif
