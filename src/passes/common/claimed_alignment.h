// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each load and store claims an alignment of its address, and the CPU's aligned vector instructions fault if a claim is wrong.
// The variable's alignment must justify a claim about a variable of the module or the stack, and kernel_abi.h a claim about
// memory of the driver. Claims about other addresses are the program's responsibility.
#ifndef UPSWEEP_PASSES_COMMON_CLAIMED_ALIGNMENT_H
#define UPSWEEP_PASSES_COMMON_CLAIMED_ALIGNMENT_H

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

namespace upsweep::passes {

/// Raises the alignment of variables to that of their accesses: a table of bytes that is read as vectors (such as libclc's
/// PIBITS_TBL, and tables of programs) initially has an alignment of 1.
void align_variables(llvm::Function &function);

/// Reports the claims that neither the accessed variable nor the contract with the driver justifies.
[[nodiscard]] llvm::Error check_alignment(llvm::Module &module);

}  // namespace upsweep::passes
#endif
