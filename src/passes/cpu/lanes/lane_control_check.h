// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the plans of LaneControl against its three rules: no lane is lost, and no loop runs without a lane.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_CONTROL_CHECK_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_CONTROL_CHECK_H

#include <string>

namespace upsweep::passes {

class LaneControl;

/// The first rule that a plan breaks, with its block's name; empty if all rules hold. Takes time linear in the number of
/// pending blocks of all blocks.
std::string check_control(const LaneControl &control);

}  // namespace upsweep::passes

#endif
