// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs LLVM's passes for structured control flow if there are cycles with several entries.
#include "passes/gpu/reducible_flow.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Transforms/Scalar/StructurizeCFG.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>
#include <llvm/Transforms/Utils/UnifyLoopExits.h>

using namespace llvm;

namespace upsweep::passes {

void structure_flow(Function &function, FunctionAnalysisManager &analyses) {
  FunctionPassManager passes;
  passes.addPass(LowerSwitchPass());  // required by FixIrreduciblePass
  passes.addPass(FixIrreduciblePass());
  passes.addPass(UnifyLoopExitsPass());
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(StructurizeCFGPass());
  analyses.invalidate(function, passes.run(function, analyses));
}

bool make_flow_reducible(Function &function, FunctionAnalysisManager &analyses) {
  const ReversePostOrderTraversal<const Function *> order(&function);
  if (!containsIrreducibleCFG<const BasicBlock *>(order, analyses.getResult<LoopAnalysis>(function))) return false;
  structure_flow(function, analyses);
  function.addFnAttr(kHadIrreducibleFlow);
  return true;
}

}  // namespace upsweep::passes
