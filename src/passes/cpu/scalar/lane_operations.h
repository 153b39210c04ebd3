// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-group operations of scalar code: their operands lie in the records of the sub-group's frames (unit_state.h).
#ifndef UPSWEEP_PASSES_CPU_SCALAR_LANE_OPERATIONS_H
#define UPSWEEP_PASSES_CPU_SCALAR_LANE_OPERATIONS_H

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// `void (ptr %frame, i32 %lanes, i64 %stride, i32 %site)`: does the operation `intrinsic` for those of the first `lanes`
/// frames whose state is `site`, puts the results in place of their first operands and makes them ready.
[[nodiscard]] llvm::Function *make_lane_operation(llvm::Module &module, llvm::StringRef intrinsic, unsigned sub_group_size);

}  // namespace upsweep::passes
#endif
