// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-group operations of scalar code, whose operands are in the records of the sub-group's frames (unit_state.h).
#ifndef UPSWEEP_PASSES_CPU_SCALAR_LANE_OPERATIONS_H
#define UPSWEEP_PASSES_CPU_SCALAR_LANE_OPERATIONS_H

#include "passes/common/intrinsics.h"

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// `void (ptr %frame, i32 %lanes, i64 %stride, i32 %site)`: applies `intrinsic` to the frames among the first `lanes` whose
/// state is `site`. Stores each result over the first operand, and makes the frames ready.
[[nodiscard]] llvm::Function *make_lane_operation(llvm::Module &module, const UpsFunction &intrinsic, unsigned sub_group_size);

}  // namespace upsweep::passes
#endif
