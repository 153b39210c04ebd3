// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generic pointers whose address space can be told. A program may ask for a pointer's other spaces (to_local() of a pointer to
// global memory) or cast a generic pointer to a space where it does not point; for NVPTX these become casts between two spaces
// that are not generic, which LLVM 19's back end ends the process about.
#ifndef UPSWEEP_PASSES_GPU_KNOWN_SPACES_H
#define UPSWEEP_PASSES_GPU_KNOWN_SPACES_H

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace upsweep::passes {

/// Settles the questions isspacep.shared and isspacep.local about pointers whose space can be told.
struct AnswerSpaces : llvm::PassInfoMixin<AnswerSpaces> {
  static llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// Makes a null pointer of each pointer that is cast to a space where it does not point (the specification, "Changing Address
/// Spaces", leaves its value undefined). After all optimisation, which joins two casts into such a one.
void remove_foreign_casts(llvm::Module &module);

}  // namespace upsweep::passes
#endif
