// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 3: uses `reqd_work_group_size`. Queries of sizes and local ids become constants or get ranges. A work-group of one
// work-item needs no lanes: collectives become their operands, barriers disappear, and the item becomes scalar code, whose
// loops LLVM vectorises.
#ifndef UPSWEEP_PASSES_CPU_REQUIRED_SIZE_H
#define UPSWEEP_PASSES_CPU_REQUIRED_SIZE_H

#include "passes/program.h"

namespace upsweep::passes {

/// The limit of a kernel's sub-group size: the smallest that holds its work-groups, if it requires their size.
[[nodiscard]] unsigned most_lanes(const Kernel &kernel, unsigned lanes);

/// Expects inlined intrinsics and Kernel::global_ids_alone, since joined work-groups are larger than the required size. Sets
/// Units::sizes.
void fold_required_size(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
