// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes in order.
#include "passes/cpu/cpu_pipeline.h"

#include "passes/common/optimise.h"
#include "passes/passes.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

void add_portable_steps(ModulePassManager &passes, const Checks &checks) {
  const bool checks_memory = checks.has(Check::kMemory), checks_races = checks.has(Check::kRace);
  if (checks.has(Check::kArithmetic)) passes.addPass(MarkArithmetic());
  if (checks_memory) passes.addPass(MarkAccesses());
  if (checks.has(Check::kBarrier)) passes.addPass(MarkMeetings());
  if (checks.has(Check::kInit)) passes.addPass(MarkUninitialised());
  passes.addPass(LinkBuiltins());
  passes.addPass(FlatMemory());
  if (checks_races) passes.addPass(MarkRaces());
  passes.addPass(ImageHandles());
  passes.addPass(NumberBlocks());
  passes.addPass(AssemblyFlags());
  passes.addPass(createModuleToFunctionPassAdaptor(SafeDivision()));
  passes.addPass(KernelArguments());
  passes.addPass(GroupJoining());
  passes.addPass(InlineContext());
  passes.addPass(ForgetBlocks());
  passes.addPass(RequiredSize());
  if (checks_memory || checks.has(Check::kArithmetic)) passes.addPass(CheckArithmetic());
  if (checks.has(Check::kMemory)) passes.addPass(CheckArrays());
  FunctionPassManager items;
  items.addPass(CopyArguments());
  items.addPass(clean_up_passes());
  items.addPass(AlignVariables());
  items.addPass(PollingLoops());
  passes.addPass(ForItems(std::move(items)));
  passes.addPass(ApartArguments());
  if (checks.has(Check::kBarrier)) passes.addPass(CheckBarriers());
  if (checks_races) passes.addPass(CheckRaces());
  if (checks_memory) passes.addPass(CheckMemory());
  if (checks.has(Check::kInit)) passes.addPass(CheckInit());
}

ForItems scratch_barriers() {
  FunctionPassManager items;
  items.addPass(ScratchBarriers());
  return ForItems(std::move(items));
}

void add_units(ModulePassManager &passes, Lanes lanes) {
  passes.addPass(KernelNeeds());
  if (lanes == Lanes::kVector) {
    passes.addPass(UnitOrder());
    passes.addPass(scratch_barriers());
    passes.addPass(VectoriseLanes());
  }
  passes.addPass(ScalarOrder());
  passes.addPass(scratch_barriers());
  passes.addPass(LowerChecks());
  passes.addPass(SplitLanes());
  passes.addPass(LowerContext());
  passes.addPass(SplitAtWaits());
  passes.addPass(SubGroupRunner());
  passes.addPass(WorkGroupLoop());
  passes.addPass(createModuleToFunctionPassAdaptor(LowerArithmetic()));
  passes.addPass(createModuleToFunctionPassAdaptor(LocalAtomics()));
  passes.addPass(CodeObject());
}

void add_repairs(ModulePassManager &passes, const PassOptions &options) {
  FunctionPassManager repairs;
  if (options.optimise) {
    repairs.addPass(WholeMasks());
    repairs.addPass(PrefetchRows());
    repairs.addPass(LikelyRows());
  }
  // After InstCombine, which would undo some of it.
  if (!options.machine->getTargetFeatureString().contains("+avx512fp16")) repairs.addPass(LegaliseHalf());
  repairs.addPass(SplitStores());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(repairs)));
  if (options.verify) passes.addPass(CheckAlignment());
}

/// A pass of LLVM's that neither -opt-bisect-limit nor `optnone` may leave out.
template <typename Pass>
class Required : public PassInfoMixin<Required<Pass>> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) { return pass_.run(function, analyses); }
  static StringRef name() { return Pass::name(); }
  static bool isRequired() { return true; }

private:
  Pass pass_;
};

}  // namespace

FunctionPassManager lane_form_passes() {
  FunctionPassManager passes;
  passes.addPass(LaneEnds());
  passes.addPass(NarrowPhis());
  passes.addPass(SplitCoordinates());
  passes.addPass(Required<LowerSwitchPass>());
  passes.addPass(Required<UnifyFunctionExitNodesPass>());
  passes.addPass(Required<FixIrreduciblePass>());
  passes.addPass(Required<LoopSimplifyPass>());
  passes.addPass(Required<LCSSAPass>());
  return passes;
}

ModulePassManager cpu_passes(const PassOptions &options) {
  ModulePassManager passes;
  add_portable_steps(passes, options.checks);
  add_units(passes, options.lanes);
  passes.addPass(ImageRows());
  passes.addPass(final_passes(options.optimise));
  add_repairs(passes, options);
  return passes;
}

Error run_cpu_pipeline(Module &module, const PassOptions &options) {
  // printf is OpenCL C's, not C's: it must not become puts or putchar.
  TargetLibraryInfoImpl names(options.machine->getTargetTriple());
  names.setUnavailable(LibFunc_printf);
  return PassRunner(module.getContext(), options, names).run(module, cpu_passes(options)).takeError();
}

}  // namespace upsweep::passes
