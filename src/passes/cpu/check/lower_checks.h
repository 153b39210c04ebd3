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

}  // namespace upsweep::passes
#endif
