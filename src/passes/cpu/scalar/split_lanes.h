// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 5b, scalar code: turns `@f.item` into `@f.lane`, a unit function of one work-item. Sub-group operations, wherever they
// are, become an exchange: a lane leaves its operands in its unit record, waits at its call site, and finds the result in the
// record. When all lanes of a sub-group wait or are done, those at the earliest site (structured_order.h) get their results and
// go on.
#ifndef UPSWEEP_PASSES_CPU_SCALAR_SPLIT_LANES_H
#define UPSWEEP_PASSES_CPU_SCALAR_SPLIT_LANES_H

#include "passes/program.h"

namespace upsweep::passes {

struct LaneUnit {
  llvm::Function *lane = nullptr;
  std::vector<std::string> sites;  ///< the sub-group intrinsic of each call site, in order
};

/// Consumes `item`.
[[nodiscard]] LaneUnit split_lanes(llvm::Function &item, llvm::StringRef kernel);

/// `i32 (ptr %frames, i32 %lanes, i32 %mask, i64 %stride)`: resumes the lanes of one sub-group whose states meet the mask, does
/// all sub-group operations that they come to, and returns their states (kAtBarrier, kYielded), or-ed.
[[nodiscard]] llvm::Function *make_sub_group_runner(const LaneUnit &unit, llvm::StringRef kernel, unsigned sub_group_size);

/// Of a kernel that has an item left: it is the kernel's code, or that for large memory objects.
void split_kernel(Kernel &kernel, Program &program);
/// For a kernel in which there are sites.
void make_kernel_sub_group_runner(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
