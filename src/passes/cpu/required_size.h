// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 3: what `reqd_work_group_size` says about an item. Its queries of sizes and local ids become constants or get ranges. Of
// a work-group of one work-item nothing is left for lanes: collectives are their operands, barriers are gone, and the item goes
// the scalar way, where LLVM's vectorisers take its loops.
#ifndef UPSWEEP_PASSES_CPU_REQUIRED_SIZE_H
#define UPSWEEP_PASSES_CPU_REQUIRED_SIZE_H

#include "passes/program.h"

namespace upsweep::passes {

/// The sub-group size that a kernel gets at most: the least one that holds its work-groups, where it requires their size.
[[nodiscard]] unsigned most_lanes(const Kernel &kernel, unsigned lanes);

/// Expects intrinsics inlined, and Kernel::global_ids_alone: work-groups that run as one are larger than required. Sets
/// Units::sizes.
void fold_required_size(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
