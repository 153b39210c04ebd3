// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dimension of a work-group along which the lanes of a sub-group lie: x, unless memory lies along y or z.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_AXIS_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_AXIS_H

#include "passes/cpu/lanes/lane_shapes.h"

namespace upsweep::passes {

/// Makes x of `item` the dimension `axis` and the other way round: a unit of it has its lanes along `axis`. False, and nothing
/// is done, where the item does not ask for that id, or for one whose dimension is no constant.
bool exchange_axes(llvm::Function &item, unsigned axis);

/// The loads and stores of lanes that do not lie side by side, those in loops counted several times.
uint64_t spread_accesses(llvm::Function &item, const LaneShapes &shapes, const llvm::LoopInfo &loops);

}  // namespace upsweep::passes
#endif
