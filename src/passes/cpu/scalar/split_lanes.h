// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 5b, scalar code: turns `@f.item` into `@f.lane`, a unit function of one work-item. Sub-group operations, wherever they
// are, become an exchange: a lane leaves its operands in its unit record, waits at its call site, and finds the result in the
// record. When all lanes of a sub-group wait or are done, those at the earliest site (structured_order.h) get their results and
// go on.
#ifndef UPSWEEP_PASSES_CPU_SCALAR_SPLIT_LANES_H
#define UPSWEEP_PASSES_CPU_SCALAR_SPLIT_LANES_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

#include <string>

namespace upsweep::passes {

struct LaneUnit {
  llvm::Function *lane = nullptr;
  llvm::SmallVector<std::string, 8> sites;  ///< the sub-group intrinsic of each call site, in order
};

/// Consumes `item`.
[[nodiscard]] LaneUnit split_lanes(llvm::Function &item, llvm::StringRef kernel);

/// `i32 (ptr %frames, i32 %lanes, i32 %mask, i64 %stride)`: resumes the lanes of one sub-group whose states meet the mask, does
/// all sub-group operations that they come to, and returns their states (kAtBarrier, kYielded), or-ed.
[[nodiscard]] llvm::Function *make_sub_group_runner(const LaneUnit &unit, llvm::StringRef kernel, unsigned sub_group_size);

}  // namespace upsweep::passes
#endif
