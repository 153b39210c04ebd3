// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks inline assembly as changing the flags, the direction flag and the x87 status, as Clang does for x86. Clang compiles for
// spir64, which has no such registers. Must run before any pass that generates x86 code.
#ifndef UPSWEEP_PASSES_CPU_ASSEMBLY_FLAGS_H
#define UPSWEEP_PASSES_CPU_ASSEMBLY_FLAGS_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

void clobber_assembly_flags(llvm::Module &module);

}  // namespace upsweep::passes
#endif
