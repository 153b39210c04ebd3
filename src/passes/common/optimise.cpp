// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which LLVM passes run, and when.
#include "passes/common/optimise.h"

#include "passes/common/long_functions.h"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/IPO/ModuleInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/MemCpyOptimizer.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// InstSimplify without the dominator tree, in which it would look for the branches above each value that it asks about.
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

struct Combine : PassInfoMixin<Combine> {
  static PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return function.size() > kManyBlocks ? simplify_instructions(function, analyses)
                                         : InstCombinePass().run(function, analyses);
  }
};

/// For passes that ask the dominator tree about each pair of equal instructions, or about the branches above each value.
template <typename Pass>
struct UnlessManyBlocks : PassInfoMixin<UnlessManyBlocks<Pass>> {
  explicit UnlessManyBlocks(Pass made) : pass(std::move(made)) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return function.size() > kManyBlocks ? PreservedAnalyses::all() : pass.run(function, analyses);
  }
  Pass pass;
};

struct UnrollWhole : PassInfoMixin<UnrollWhole> {
  static PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder().size() > kManyLoops) return PreservedAnalyses::all();
    const auto whole = LoopUnrollOptions(2).setPartial(false).setRuntime(false).setUpperBound(false).setPeeling(false);
    return LoopUnrollPass(whole).run(function, analyses);
  }
};

// Sinking and speculation wait until the control flow's divergence has been dealt with.
SimplifyCFGOptions plain_cfg() { return SimplifyCFGOptions().convertSwitchRangeToICmp(true).needCanonicalLoops(true); }

FunctionPassManager simplify_passes() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass(plain_cfg()));
  return passes;
}

FunctionPassManager clean_up_passes() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass(plain_cfg()));
  passes.addPass(Combine());
  passes.addPass(SimplifyCFGPass(plain_cfg()));
  LoopPassManager loop_passes;
  loop_passes.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/false));
  loop_passes.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loop_passes), /*UseMemorySSA=*/true));
  passes.addPass(UnrollWhole());
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(MemCpyOptPass());
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(Combine());
  passes.addPass(SimplifyCFGPass(plain_cfg()));
  return passes;
}

FunctionPassManager final_passes() {
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

}  // namespace

Optimiser::Optimiser(TargetMachine &machine, bool verify)
    : verifier_(verify), builder_(&machine, PipelineTuningOptions(), std::nullopt, verifier_.callbacks()),
      simplify_(simplify_passes()), clean_up_(clean_up_passes()) {
  // printf is the kernel's, not C's: it must not turn into puts or putchar.
  TargetLibraryInfoImpl library(machine.getTargetTriple());
  library.setUnavailable(LibFunc_printf);
  functions_.registerPass([&] { return TargetLibraryAnalysis(library); });
  builder_.registerModuleAnalyses(modules_);
  builder_.registerCGSCCAnalyses(components_);
  builder_.registerFunctionAnalyses(functions_);
  builder_.registerLoopAnalyses(loops_);
  builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
  verifier_.watch(modules_);
}

void Optimiser::simplify(Function &function) {
  simplify_.run(function, functions_);
  functions_.clear(function, function.getName());
}

void Optimiser::clean_up(Function &function) {
  clean_up_.run(function, functions_);
  functions_.clear(function, function.getName());
}

void Optimiser::finish(Module &module, bool optimise) {
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  passes.addPass(GlobalDCEPass());
  if (optimise) passes.addPass(createModuleToFunctionPassAdaptor(final_passes()));
  passes.run(module, modules_);
}

}  // namespace upsweep::passes
