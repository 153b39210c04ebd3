// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs LLVM's pass for irreducible cycles if there are any.
#include "passes/gpu/reducible_flow.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

using namespace llvm;

namespace upsweep::passes {

bool make_flow_reducible(Function &function, FunctionAnalysisManager &analyses) {
  const ReversePostOrderTraversal<const Function *> order(&function);
  if (!containsIrreducibleCFG<const BasicBlock *>(order, analyses.getResult<LoopAnalysis>(function))) return false;
  FunctionPassManager passes;
  passes.addPass(LowerSwitchPass());  // required by FixIrreduciblePass
  passes.addPass(FixIrreduciblePass());
  passes.run(function, analyses);
  return true;
}

}  // namespace upsweep::passes
