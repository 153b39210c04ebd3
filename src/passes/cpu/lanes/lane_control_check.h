// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the plans of LaneControl against its three rules: no lane is forgotten, no loop runs without a lane.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_CONTROL_CHECK_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_CONTROL_CHECK_H

#include <string>

namespace upsweep::passes {

class LaneControl;

/// The first rule that a plan breaks, with the name of its block; empty when all rules hold. Takes time in proportion to the
/// pending blocks of all blocks.
std::string check_control(const LaneControl &control);

}  // namespace upsweep::passes

#endif
