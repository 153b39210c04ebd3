// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 6: in a unit function, `void (ptr %group, i32 %first, i32 %x, i32 %y, i32 %z)`, uniform `__ups_*` read the group, local
// variables become places in the group's local memory, and printf hands its packed arguments to the driver. What remains are
// barriers and yields.
#ifndef UPSWEEP_PASSES_CPU_LOWER_CONTEXT_H
#define UPSWEEP_PASSES_CPU_LOWER_CONTEXT_H

#include "passes/program.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace upsweep::passes {

/// `waits`: the unit will be a coroutine.
void lower_context(llvm::Function &unit, const LocalLayout &locals, unsigned sub_group_size, bool waits);

/// The kernel's units: sets what they and the driver must know of waits and of joining, and what is to be inlined.
void lower_units(Kernel &kernel, Program &program);

/// lower_printf.cpp: `call` of printf, with `group` in reach.
void lower_printf(llvm::CallInst &call, llvm::Value *group);

/// lower_enqueuing.cpp: the result of a `call` of an intrinsic that the driver carries out.
llvm::Value *lower_enqueuing(llvm::IRBuilder<> &builder, Ups intrinsic, llvm::CallInst &call, llvm::Value *group);

}  // namespace upsweep::passes
#endif
