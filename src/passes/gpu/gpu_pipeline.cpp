// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipeline is short: a GPU's threads are work-items, its warps or aligned parts of them sub-groups, its barriers work-group
// barriers.
#include "passes/gpu/gpu_pipeline.h"

#include "passes/common/long_functions.h"
#include "passes/gpu/gpu_kernels.h"
#include "passes/gpu/known_spaces.h"
#include "passes/gpu/share_barriers.h"
#include "passes/gpu/unroll_collective_loops.h"
#include "passes/gpu/unroll_short_loops.h"
#include "passes/llvm_ties.h"
#include "passes/passes.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// During its lifetime, code that two branches have in common stays in both; LLVM has no other switch for this. If one branch
/// returns early, as in kernels at the edge of their data, a merged store at their end would make the other branch's lanes join
/// there first. A merged load before both branches would make the long branch wait for it before issuing its own loads, only
/// because the short branch's store needs it.
class SeparateBranches {
public:
  SeparateBranches() {
    for (const char *name : {kSinkCommonOption, kHoistCommonOption}) options_.push_back(registered_option(name));
    for (cl::Option *option : options_) option->addOccurrence(0, option->ArgStr, "false");
  }
  ~SeparateBranches() {
    for (cl::Option *option : options_) option->reset();
  }
  SeparateBranches(const SeparateBranches &) = delete;
  SeparateBranches &operator=(const SeparateBranches &) = delete;

private:
  SmallVector<cl::Option *, 2> options_;
};

ModulePassManager default_passes(const PassOptions &options, PassInstrumentationCallbacks *callbacks) {
  PassBuilder builder(options.machine, PipelineTuningOptions(), std::nullopt, callbacks);
  builder.registerPeepholeEPCallback(
      [](FunctionPassManager &functions, OptimizationLevel) { functions.addPass(AnswerSpaces()); });
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &loops, OptimizationLevel) { loops.addPass(UnrollShortLoops()); });
  builder.registerVectorizerStartEPCallback([](FunctionPassManager &functions, OptimizationLevel) {
    functions.addPass(UnrollCollectiveLoops());
    functions.addPass(ShareBarriers());
  });
  return builder.buildPerModuleDefaultPipeline(options.optimise ? OptimizationLevel::O2 : OptimizationLevel::O1);
}

/// Skips passes that use ScalarEvolution (`has_many_loops`) or make it forget its results about later loops: rotation took 72 %
/// of the time of 2496 lines of `loops`.
void leave_loops(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, const Any &) {
    constexpr StringRef kPasses[] = {"IndVarSimplifyPass", "LoopIdiomRecognizePass", "LoopDeletionPass",  "LoopFullUnrollPass",
                                     "LoopUnrollPass",     "LoopVectorizePass",      "SLPVectorizerPass", "LoopRotatePass"};
    return !is_contained(kPasses, pass) && pass != UnrollShortLoops::name();
  });
}

class BranchesKeptSeparate : public PassInfoMixin<BranchesKeptSeparate> {
public:
  BranchesKeptSeparate(ModulePassManager passes, PassInstrumentationCallbacks *callbacks)
      : passes_(std::move(passes)), callbacks_(callbacks) {}
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    if (callbacks_ && any_of(module, [](const Function &f) { return !f.isDeclaration() && has_many_loops(f); }))
      leave_loops(*callbacks_);
    const SeparateBranches separate;
    return passes_.run(module, analyses);
  }
  static bool isRequired() { return true; }

private:
  ModulePassManager passes_;
  PassInstrumentationCallbacks *callbacks_;
};

void add_kernels(ModulePassManager &passes, unsigned capability) {
  passes.addPass(RecordPrintf());
  if (capability >= kHopperCapability) passes.addPass(FinishCopies());
  passes.addPass(TellEnds());
  passes.addPass(LinkBuiltins());
  passes.addPass(ChangeSpaces());
  passes.addPass(NumberBlocks());
  passes.addPass(ImageHandles());
  passes.addPass(GpuKernels());
  passes.addPass(InlineContext());
  passes.addPass(ForgetBlocks());
  passes.addPass(SubGroupSizes());
  passes.addPass(ActiveLanes());
  passes.addPass(TextureKernels());
  passes.addPass(LowerGrid());
  passes.addPass(GpuLocalMemory());
  passes.addPass(PairsOfBytes());
  // Before sm_80 a variable may have the address 0.
  if (capability >= kAmpereCapability) passes.addPass(createModuleToFunctionPassAdaptor(NullPointers()));
}

}  // namespace

ModulePassManager gpu_passes(const PassOptions &options, PassInstrumentationCallbacks *callbacks) {
  ModulePassManager passes;
  add_kernels(passes, options.capability);
  passes.addPass(BranchesKeptSeparate(default_passes(options, callbacks), callbacks));
  FunctionPassManager repairs;
  repairs.addPass(ReducibleFlow());
  repairs.addPass(LoopExits());
  repairs.addPass(StoresBeforeMeetings());
  repairs.addPass(WideElements());
  repairs.addPass(ExpandDivisions());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(repairs)));
  passes.addPass(NvptxRepairs());
  passes.addPass(ForeignCasts());
  passes.addPass(PtxSymbols());
  if (options.verify) passes.addPass(CheckAlignment());
  return passes;
}

namespace {

/// Keeps the lines of debug information, as directives `.loc`. NVIDIA's assembler takes DWARF for a request not to optimise.
void keep_lines(Module &module) {
  stripNonLineTableDebugInfo(module);
  NamedMDNode *units = module.getNamedMetadata("llvm.dbg.cu");
  if (!units) return;
  DenseMap<const DICompileUnit *, DICompileUnit *> replacements;
  for (unsigned i = 0; i < units->getNumOperands(); ++i) {
    const auto *unit = cast<DICompileUnit>(units->getOperand(i));
    auto *lines = DICompileUnit::getDistinct(module.getContext(), unit->getSourceLanguage(), unit->getFile(),
                                             unit->getProducer(), unit->isOptimized(), "", 0, "",
                                             DICompileUnit::DebugDirectivesOnly, nullptr, nullptr, nullptr, nullptr, nullptr, 0,
                                             false, false, DICompileUnit::DebugNameTableKind::None, false, "", "");
    replacements[unit] = lines;
    units->setOperand(i, lines);
  }
  DebugInfoFinder finder;
  finder.processModule(module);
  for (DISubprogram *function : finder.subprograms())
    if (DICompileUnit *lines = replacements.lookup(function->getUnit())) function->replaceUnit(lines);
}

}  // namespace

Expected<Program> run_gpu_pipeline(Module &module, const PassOptions &options) {
  keep_lines(module);
  TargetLibraryInfoImpl names(options.machine->getTargetTriple());
  names.disableAllFunctions();
  PassRunner runner(module.getContext(), options, names);
  return runner.run(module, gpu_passes(options, &runner.callbacks()));
}

}  // namespace upsweep::passes
