// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 6: in a unit function, `void (ptr %group, i32 %first, i32 %x, i32 %y, i32 %z)`, uniform `__ups_*` become loads from the
// group, local variables become addresses in the group's local memory, and printf passes packed arguments to the driver.
// Barriers and yields remain.
#ifndef UPSWEEP_PASSES_CPU_LOWER_CONTEXT_H
#define UPSWEEP_PASSES_CPU_LOWER_CONTEXT_H

#include "passes/program.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace upsweep::passes {

/// `waits`: the unit will become a coroutine.
void lower_context(llvm::Function &unit, const LocalLayout &locals, unsigned sub_group_size, bool waits, unsigned axis);

/// Lowers the kernel's units; records properties of waits and joining for the units and the driver, and what to inline.
void lower_units(Kernel &kernel, Program &program);

/// lower_printf.cpp: lowers a `call` of printf; `group` must be available there.
void lower_printf(llvm::CallInst &call, llvm::Value *group);

/// lower_enqueuing.cpp: the result of a `call` of an intrinsic that the driver implements.
llvm::Value *lower_enqueuing(llvm::IRBuilder<> &builder, Ups intrinsic, llvm::CallInst &call, llvm::Value *group);

}  // namespace upsweep::passes
#endif
