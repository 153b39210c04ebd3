// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects LLVM's passes and their order.
#include "passes/common/optimise.h"

#include "passes/common/long_functions.h"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/IPO/ModuleInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/DivRemPairs.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/InferAlignment.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/MemCpyOptimizer.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// InstSimplify without the dominator tree, in which it would search the branches above each value.
PreservedAnalyses simplify_instructions(Function &function, FunctionAnalysisManager &analyses) {
  const SimplifyQuery query(function.getParent()->getDataLayout(), &analyses.getResult<TargetLibraryAnalysis>(function));
  bool changed = false;
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(block)) {
      Value *simple = instruction.use_empty() ? nullptr : simplifyInstruction(&instruction, query);
      if (!simple) continue;
      instruction.replaceAllUsesWith(simple);
      if (isInstructionTriviallyDead(&instruction)) instruction.eraseFromParent();
      changed = true;
    }
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

/// A required pass: bisection does not skip it.
template <typename Pass>
struct Needed : Pass {
  using Pass::Pass;
  static bool isRequired() { return true; }
};

struct Combine : PassInfoMixin<Combine> {
  static PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return has_many_blocks(function) ? simplify_instructions(function, analyses) : InstCombinePass().run(function, analyses);
  }
};

/// For passes that query the dominator tree about each pair of equal instructions, or about the branches above each value.
template <typename Pass>
struct UnlessManyBlocks : PassInfoMixin<UnlessManyBlocks<Pass>> {
  explicit UnlessManyBlocks(Pass made) : pass(std::move(made)) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return has_many_blocks(function) ? PreservedAnalyses::all() : pass.run(function, analyses);
  }
  Pass pass;
};

struct UnrollWhole : PassInfoMixin<UnrollWhole> {
  static PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (has_many_loops(analyses.getResult<LoopAnalysis>(function))) return PreservedAnalyses::all();
    const auto whole = LoopUnrollOptions(2).setPartial(false).setRuntime(false).setUpperBound(false).setPeeling(false);
    return LoopUnrollPass(whole).run(function, analyses);
  }
};

// Sinking and speculation must wait until divergent control flow is resolved.
SimplifyCFGOptions plain_cfg() { return SimplifyCFGOptions().convertSwitchRangeToICmp(true).needCanonicalLoops(true); }

FunctionPassManager function_passes() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(UnlessManyBlocks(EarlyCSEPass(/*UseMemorySSA=*/true)));
  passes.addPass(Combine());
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  LoopPassManager loop_passes;
  loop_passes.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loop_passes), /*UseMemorySSA=*/true));
  passes.addPass(UnlessManyBlocks(GVNPass()));
  passes.addPass(DSEPass());
  passes.addPass(Combine());
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions()
                                     .convertSwitchRangeToICmp(true)
                                     .convertSwitchToLookupTable(true)
                                     .hoistCommonInsts(true)
                                     .sinkCommonInsts(true)));
  return passes;
}

/// The part of LLVM's default pipeline from the vectorisers on (buildModuleOptimizationPipeline and its addVectorPasses, which
/// are for whole modules).
void add_vectorisers(FunctionPassManager &passes) {
  LoopPassManager rotation, invariants;
  rotation.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/true));
  rotation.addPass(LoopDeletionPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(rotation)));
  passes.addPass(LoopVectorizePass());
  passes.addPass(InferAlignmentPass());
  passes.addPass(LoopLoadEliminationPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions()
                                     .forwardSwitchCondToPhi(true)
                                     .convertSwitchRangeToICmp(true)
                                     .convertSwitchToLookupTable(true)
                                     .needCanonicalLoops(false)
                                     .hoistCommonInsts(true)
                                     .sinkCommonInsts(true)));
  passes.addPass(SLPVectorizerPass());
  passes.addPass(VectorCombinePass());
  passes.addPass(InstCombinePass());
  passes.addPass(LoopUnrollPass(LoopUnrollOptions(2)));
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(InstCombinePass());
  invariants.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(invariants), /*UseMemorySSA=*/true));
  passes.addPass(DivRemPairsPass());
  passes.addPass(SimplifyCFGPass());
}

/// Skips lane code, which already has its final width; LLVM's pipeline is for the code of single work-items.
class OptimiseFunction : public PassInfoMixin<OptimiseFunction> {
public:
  OptimiseFunction() : of_lanes_(function_passes()) {
    of_one_item_ = PassBuilder().buildFunctionSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None);
    add_vectorisers(of_one_item_);
  }
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    const bool is_of_one_item = function.hasFnAttribute(kOneItemAttribute) && !has_many_blocks(function) &&
                                !has_many_loops(function) && !is_long(function);
    return (is_of_one_item ? of_one_item_ : of_lanes_).run(function, analyses);
  }
  static bool isRequired() { return true; }  // so that bisection counts the nested passes

private:
  FunctionPassManager of_lanes_, of_one_item_;
};

}  // namespace

FunctionPassManager simplify_passes() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass(plain_cfg()));
  return passes;
}

FunctionPassManager clean_up_passes() {
  FunctionPassManager passes;
  passes.addPass(Needed<SROAPass>(SROAOptions::ModifyCFG));
  passes.addPass(Needed<EarlyCSEPass>(/*UseMemorySSA=*/true));
  passes.addPass(Needed<SimplifyCFGPass>(plain_cfg()));
  passes.addPass(Needed<Combine>());
  passes.addPass(Needed<SimplifyCFGPass>(plain_cfg()));
  LoopPassManager loop_passes;
  loop_passes.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/false));
  loop_passes.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loop_passes), /*UseMemorySSA=*/true));
  passes.addPass(UnrollWhole());
  passes.addPass(Needed<SROAPass>(SROAOptions::PreserveCFG));
  passes.addPass(MemCpyOptPass());
  passes.addPass(Needed<EarlyCSEPass>(/*UseMemorySSA=*/true));
  passes.addPass(Needed<Combine>());
  passes.addPass(Needed<SimplifyCFGPass>(plain_cfg()));
  return passes;
}

FunctionPassManager invariant_passes() {
  FunctionPassManager passes;
  LoopPassManager loop_passes;
  // A rotated loop always runs its body, so its final stores are certain.
  loop_passes.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/true));
  loop_passes.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loop_passes), /*UseMemorySSA=*/true));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(Combine());
  passes.addPass(SimplifyCFGPass(plain_cfg()));
  return passes;
}

ModulePassManager final_passes(bool optimise) {
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  passes.addPass(Needed<GlobalDCEPass>());  // the items' intrinsics have no body
  if (optimise) passes.addPass(createModuleToFunctionPassAdaptor(OptimiseFunction()));
  return passes;
}

void register_analyses(FunctionAnalysisManager &analyses) { PassBuilder().registerFunctionAnalyses(analyses); }

void run_on(Function &function, FunctionPassManager &passes, FunctionAnalysisManager &analyses) {
  passes.run(function, analyses);
  analyses.clear(function, function.getName());
}

}  // namespace upsweep::passes
