// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each load and store claims an alignment of its address, and the CPU's aligned vector instructions fault where a claim is
// wrong. A claim about a variable of the module or of the stack must follow from that variable's alignment; one about memory of
// the driver from kernel_abi.h. A claim about any other address is the program's own promise.
#ifndef UPSWEEP_PASSES_COMMON_CLAIMED_ALIGNMENT_H
#define UPSWEEP_PASSES_COMMON_CLAIMED_ALIGNMENT_H

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

namespace upsweep::passes {

/// Gives variables the alignment that accesses claim: a table of bytes that is read as vectors (libclc's PIBITS_TBL is, and
/// programs do the same) has an alignment of 1 at first.
void align_variables(llvm::Function &function);

/// Lists the claims that do not follow from the accessed variable or from the contract with the driver.
[[nodiscard]] llvm::Error check_alignment(llvm::Module &module);

}  // namespace upsweep::passes
#endif
