// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generic pointers whose address space is known. A program may query a pointer's other spaces (to_local() of a pointer to
// global memory) or cast a generic pointer to a space to which it does not point. For NVPTX these become casts between two
// specific spaces, for which LLVM 19's back end ends the process.
#ifndef UPSWEEP_PASSES_GPU_KNOWN_SPACES_H
#define UPSWEEP_PASSES_GPU_KNOWN_SPACES_H

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace upsweep::passes {

/// Answers isspacep.shared and isspacep.local for pointers whose space is known.
struct AnswerSpaces : llvm::PassInfoMixin<AnswerSpaces> {
  static llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Replaces pointers that are cast to a space to which they do not point by null (the specification, "Changing Address Spaces",
/// leaves the value undefined). Must run after the optimiser, which can combine two casts into such a cast.
void remove_foreign_casts(llvm::Module &module);

}  // namespace upsweep::passes
#endif
