// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before any step that makes code of it: inline assembly is said to change the flags, the direction flag and the x87 status, as
// Clang says of all inline assembly for x86. Clang compiles for spir64, which has no such registers.
#ifndef UPSWEEP_PASSES_CPU_ASSEMBLY_FLAGS_H
#define UPSWEEP_PASSES_CPU_ASSEMBLY_FLAGS_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

void clobber_assembly_flags(llvm::Module &module);

}  // namespace upsweep::passes
#endif
