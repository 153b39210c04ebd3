// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 7: unit functions that wait become coroutines. `void @f.unit(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z, ptr
// %frame)` runs a unit until its first wait and leaves its live values in the frame; the function that the frame begins
// with resumes it. Waits are
//   void @__ups_work_group_barrier(i32), void @__ups_yield()     of the kernel
//   void @__ups_await_lanes(i32 site)                             of split_lanes
// and ptr @__ups_unit_record() is the unit's record (unit_state.h).
#ifndef UPSWEEP_PASSES_CPU_SPLIT_AT_WAITS_H
#define UPSWEEP_PASSES_CPU_SPLIT_AT_WAITS_H

#include "passes/program.h"

namespace upsweep::passes {

[[nodiscard]] bool waits(const llvm::Function &unit);

/// Makes coroutines of the units of kernels in which one waits, and splits them; such a unit that does not wait itself only
/// gets the same signature.
void split_units_at_waits(llvm::Module &module, Program &program);

/// After the split: the size of the frame of coroutine `start`.
[[nodiscard]] Frame take_frame(llvm::Function &start);

}  // namespace upsweep::passes
#endif
