// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 7: unit functions that wait become coroutines. `void @f.unit(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z, ptr
// %frame)` runs a unit until its first wait and stores its live values in the frame. The frame starts with the address of the
// function that resumes it. Waits are
//   void @__ups_work_group_barrier(i32), void @__ups_yield()     of the kernel
//   void @__ups_await_lanes(i32 site)                             of split_lanes
// and ptr @__ups_unit_record() is the unit's record (unit_state.h).
#ifndef UPSWEEP_PASSES_CPU_SPLIT_AT_WAITS_H
#define UPSWEEP_PASSES_CPU_SPLIT_AT_WAITS_H

#include "passes/program.h"

namespace upsweep::passes {

[[nodiscard]] bool waits(const llvm::Function &unit);

/// Turns the units of kernels in which any unit waits into coroutines, and splits them. Units that do not wait only get the
/// same signature.
void split_units_at_waits(llvm::Module &module, Program &program);

/// After the split: the size of coroutine `start`'s frame.
[[nodiscard]] Frame take_frame(llvm::Function &start);

}  // namespace upsweep::passes
#endif
