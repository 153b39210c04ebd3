// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dimension of a work-group along which a sub-group's lanes are placed: x, unless memory is contiguous along y or z.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_AXIS_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_AXIS_H

#include "passes/cpu/lanes/lane_shapes.h"

namespace upsweep::passes {

/// Exchanges the dimensions x and `axis` of `item`, so that its units have their lanes along `axis`. Returns false and changes
/// nothing if the item does not query that id, or queries an id whose dimension is not constant.
bool exchange_axes(llvm::Function &item, unsigned axis);

/// The number of loads and stores whose lanes are not contiguous; accesses in loops are weighted.
uint64_t spread_accesses(llvm::Function &item, const LaneShapes &shapes, const llvm::LoopInfo &loops);

}  // namespace upsweep::passes
#endif
