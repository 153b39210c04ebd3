// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The UpsweepCodeObject constant: the table that the driver reads, and the shared object's only exported symbol.
#ifndef UPSWEEP_PASSES_CPU_CODE_OBJECT_H
#define UPSWEEP_PASSES_CPU_CODE_OBJECT_H

#include "passes/program.h"

#include <llvm/IR/Module.h>

namespace upsweep::passes {

void emit_code_object(llvm::Module &module, Program &program);

}  // namespace upsweep::passes
#endif
