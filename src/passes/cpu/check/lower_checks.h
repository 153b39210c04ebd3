// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks in the code of single work-items, and the checker's intrinsics in units.
#ifndef UPSWEEP_PASSES_CPU_CHECK_LOWER_CHECKS_H
#define UPSWEEP_PASSES_CPU_CHECK_LOWER_CHECKS_H

#include "passes/program.h"

#include <llvm/IR/IRBuilder.h>

namespace upsweep::passes {

/// Turns the checks of a kernel that still has an item into tests and branches.
void lower_checks(Kernel &kernel, Program &program);

/// Replaces __ups_bounds, __ups_find_object and __ups_report in a unit; null for other intrinsics and for reports, which have
/// no result. `axis`: the dimension of the lanes.
llvm::Value *lower_report(llvm::IRBuilder<> &builder, Ups intrinsic, llvm::CallInst &call, unsigned axis);

/// The race check's events in the code of a single work-item.
void lower_item_races(llvm::Function &item);

/// Replaces __ups_race_row and __ups_race_meet in a unit by a call of the hook.
void lower_race(llvm::IRBuilder<> &builder, llvm::CallInst &call, unsigned axis, unsigned sub_group_size);

}  // namespace upsweep::passes
#endif
