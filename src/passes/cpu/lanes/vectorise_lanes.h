// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass `vectorise-lanes`: turns the code of one work-item into the code of one sub-group.
//
// Assumes `void @f.item()`: everything that asks for ids, waits or uses local memory is inlined (inline_context).
// Establishes   `void @f.full(ptr %group, i32 %first, i32 %x, i32 %y, i32 %z)` for sub-groups whose lanes all exist and are in
//               one row,
//               `void @f.row(…)`, if wanted, for the lanes from x to the end of a row,
//               `void @f.column(…)`, if memory is contiguous along y or z, for lanes along that dimension, which changes
//               places with x in the parameters, and
//               `void @f.part(…)` for any sub-group.
// `first` is the linear local id of lane 0, (x, y, z) its local id. Sub-group intrinsics, __ups_local_id and __ups_lane are
// gone; the other __ups_* calls remain, each made once for the sub-group.
#ifndef UPSWEEP_PASSES_CPU_LANES_VECTORISE_LANES_H
#define UPSWEEP_PASSES_CPU_LANES_VECTORISE_LANES_H

#include "passes/program.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>

#include <optional>

namespace upsweep::passes {

struct VectorisedKernel {
  llvm::Function *full = nullptr;
  llvm::Function *row = nullptr;
  llvm::Function *column = nullptr;
  unsigned column_axis = 0;        ///< 1 or 2: the dimension that takes the place of x
  llvm::Function *part = nullptr;  ///< null also if `row` suffices. All are null if the kernel's form is not supported, which
                                   ///< then runs as scalar code
  LaneGroups groups = LaneGroups::kAll;  ///< other work-groups must not run this code
  /// `full`, `row` and `column` are for launches whose memory objects are all smaller (LaneShapes::largest_object).
  std::optional<uint64_t> largest_object;
};

/// `lanes`: a power of two, 2 to 64. `size`: the required work-group size, or zeros. Leaves `item` in place. `costs` are the
/// target CPU's for `item`. `rows`: the kernel cannot observe whether sub-groups have consecutive linear ids. Rows whose size
/// is no multiple of the lanes then take contiguous accesses under a mask instead of gathers. `analyses` runs
/// lane_form_passes() on a copy of the item.
VectorisedKernel vectorise_lanes(llvm::Function &item, unsigned lanes, const llvm::TargetTransformInfo &costs, bool rows,
                                 const GroupSize &size, llvm::FunctionAnalysisManager &analyses);

/// Makes a kernel's units from its item, if possible. Leaves the item for scalar code, or for `large` units.
void vectorise_kernel(Kernel &kernel, Program &program);
void vectorise_kernel_without_rows(Kernel &kernel, Program &program);

}  // namespace upsweep::passes

#endif
