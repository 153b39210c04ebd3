// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 8: `void @f.entry(ptr %group)` runs all units of a work-group in the order of their ids, pass after pass until all are
// done.
#ifndef UPSWEEP_PASSES_CPU_WORK_GROUP_LOOP_H
#define UPSWEEP_PASSES_CPU_WORK_GROUP_LOOP_H

#include "passes/cpu/split_at_waits.h"

#include <llvm/IR/IRBuilder.h>

namespace upsweep::passes {

/// Bytes of frame memory that the driver provides per unit.
[[nodiscard]] uint64_t frame_bytes_per_unit(const Units &units);
/// Distance between the frames of units.
[[nodiscard]] uint64_t frame_stride(const Frame &frame);

/// Makes the kernel's `@f.entry(ptr %group)` and, if large objects need separate code, `@f.large`.
void make_entries(Kernel &kernel, Program &program);

/// Resumes the coroutine in `frame`.
void emit_resume(llvm::IRBuilderBase &builder, llvm::Value *frame);

}  // namespace upsweep::passes
#endif
