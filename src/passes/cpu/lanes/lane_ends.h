// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass `lane-ends`: ends of the program become returns of the work-item.
//
// Assumes      nothing.
// Establishes  no block ends in `unreachable`, and all blocks are reachable: a trap or undefined behaviour in one lane is no
// reason to lose
//              the others.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_ENDS_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_ENDS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

void end_lanes(llvm::Function &item);

}  // namespace upsweep::passes

#endif
