// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 5b, scalar code: turns `@f.item` into `@f.lane`, a unit function of one work-item. Sub-group operations become an
// exchange: a lane stores its operands in its unit record, waits at its call site, and reads the result from the record. When
// all lanes of a sub-group wait or are done, the lanes at the earliest site (structured_order.h) get their results and
// continue.
#ifndef UPSWEEP_PASSES_CPU_SCALAR_SPLIT_LANES_H
#define UPSWEEP_PASSES_CPU_SCALAR_SPLIT_LANES_H

#include "passes/program.h"

namespace upsweep::passes {

struct LaneUnit {
  llvm::Function *lane = nullptr;
  std::vector<const UpsFunction *> sites;  ///< the sub-group intrinsic of each call site, in order
};

/// Consumes `item`.
[[nodiscard]] LaneUnit split_lanes(llvm::Function &item, llvm::StringRef kernel);

/// `i32 (ptr %frames, i32 %lanes, i32 %mask, i64 %stride)`: resumes the lanes of a sub-group whose states match the mask, runs
/// all sub-group operations that they reach, and returns the bitwise or of their states (kAtBarrier, kYielded).
[[nodiscard]] llvm::Function *make_sub_group_runner(const LaneUnit &unit, llvm::StringRef kernel, unsigned sub_group_size);

/// For a kernel that still has an item: it becomes the kernel's code, or its code for large memory objects.
void split_kernel(Kernel &kernel, Program &program);
/// For a kernel that has call sites.
void make_kernel_sub_group_runner(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
