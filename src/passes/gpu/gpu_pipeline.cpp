// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps are few: a GPU's threads are work-items, its warps sub-groups, its barriers barriers.
#include "passes/gpu/gpu_pipeline.h"

#include "passes/common/claimed_alignment.h"
#include "passes/common/flat_memory.h"
#include "passes/common/inline_context.h"
#include "passes/common/link_builtins.h"
#include "passes/common/long_functions.h"
#include "passes/common/optimise.h"
#include "passes/gpu/active_lanes.h"
#include "passes/gpu/expand_divisions.h"
#include "passes/gpu/finish_copies.h"
#include "passes/gpu/gpu_kernels.h"
#include "passes/gpu/gpu_local_memory.h"
#include "passes/gpu/known_spaces.h"
#include "passes/gpu/loop_exits.h"
#include "passes/gpu/nvptx_repairs.h"
#include "passes/gpu/record_printf.h"
#include "passes/gpu/share_barriers.h"
#include "passes/gpu/unroll_collective_loops.h"
#include "passes/gpu/unroll_short_loops.h"
#include "passes/gpu/wide_elements.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

Error check_sub_groups(ArrayRef<Kernel> kernels) {
  for (const Kernel &kernel : kernels) {
    const uint32_t size = kernel.description.required_sub_group_size;
    if (size != 0 && size != 32)
      return createStringError("error: kernel '" + kernel.description.name + "' requires sub-groups of " +
                               std::to_string(size) + " work-items; the GPU's have 32\n");
  }
  return Error::success();
}

// Clang wrote the calls as of any function.
void restore_intrinsics(Module &module) {
  for (Function &function : module)
    if (function.isIntrinsic())
      function.setAttributes(Intrinsic::getAttributes(module.getContext(), function.getIntrinsicID()));
}

/// While it lives, what two branches have in common stays in both. Where one of them returns early, as kernels do at the edge
/// of their data, one store at their common end would make the other's lanes meet there first; and of one load before both,
/// which the store of the short branch waits for, the long one would wait, too, before it issues its own. There is no other way
/// to ask for it.
class SeparateBranches {
public:
  SeparateBranches() {
    for (const char *name : {"simplifycfg-sink-common", "simplifycfg-hoist-common"})
      if (cl::Option *option = cl::getRegisteredOptions().lookup(name)) {
        option->addOccurrence(0, option->ArgStr, "false");
        options_.push_back(option);
      }
  }
  ~SeparateBranches() {
    for (cl::Option *option : options_) option->reset();
  }
  SeparateBranches(const SeparateBranches &) = delete;
  SeparateBranches &operator=(const SeparateBranches &) = delete;

private:
  SmallVector<cl::Option *, 2> options_;
};

/// Leaves out the passes that ask ScalarEvolution (`has_many_loops`).
void leave_loops(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, const Any &) {
    constexpr StringRef kPasses[] = {"IndVarSimplifyPass", "LoopIdiomRecognizePass", "LoopDeletionPass", "LoopFullUnrollPass",
                                     "LoopUnrollPass",     "LoopVectorizePass",      "SLPVectorizerPass"};
    return !is_contained(kPasses, pass);
  });
}

void optimise(Module &module, TargetMachine &machine, const GpuPipelineOptions &options) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassVerifier verifier(options.verify);
  PassBuilder builder(&machine, PipelineTuningOptions(), std::nullopt, verifier.callbacks());
  TargetLibraryInfoImpl library(machine.getTargetTriple());
  library.disableAllFunctions();
  functions.registerPass([&] { return TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  verifier.watch(modules);
  builder.registerPeepholeEPCallback(
      [](FunctionPassManager &functions, OptimizationLevel) { functions.addPass(AnswerSpaces()); });
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &loops, OptimizationLevel) { loops.addPass(UnrollShortLoops()); });
  builder.registerVectorizerStartEPCallback([](FunctionPassManager &functions, OptimizationLevel) {
    functions.addPass(UnrollCollectiveLoops());
    functions.addPass(ShareBarriers());
  });
  if (any_of(module, [](const Function &function) { return !function.isDeclaration() && has_many_loops(function); }))
    leave_loops(*verifier.callbacks());
  const SeparateBranches separate;
  ModulePassManager passes =
      builder.buildPerModuleDefaultPipeline(options.optimise ? OptimizationLevel::O2 : OptimizationLevel::O1);
  passes.run(module, modules);
}

}  // namespace

Expected<GpuProgram> run_gpu_pipeline(Module &module, TargetMachine &machine, const GpuPipelineOptions &options) {
  const auto verify = [&](const char *step) { return options.verify ? verify_after(step, module) : Error::success(); };
  StripDebugInfo(module);
  record_printf(module);
  if (options.capability >= kHopperCapability) finish_copies(module);
  if (Error error = link_builtins(module, options.libraries, machine)) return std::move(error);
  restore_intrinsics(module);
  mark_constant_loads(module);
  change_spaces(module, {kNvptxGeneric, kNvptxGlobal, kNvptxGlobal, kNvptxShared, kNvptxGeneric});
  align_locals(module);
  if (Error error = verify("changing address spaces")) return std::move(error);
  GpuProgram program{make_gpu_kernels(module), program_scope_bytes(module)};
  SmallVector<Kernel, 8> &kernels = program.kernels;
  if (Error error = check_sub_groups(kernels)) return std::move(error);
  Optimiser optimiser(machine, options.verify);
  if (Error error = inline_context(kernels, [&](Function &function) { optimiser.simplify(function); })) return std::move(error);
  for (Kernel &kernel : kernels) {
    find_active_lanes(*kernel.item, optimiser.function_analyses());
    split_edges(kernel);
    lower_grid(kernel, options.capability);
    uint64_t &local_bytes = kernel.description.local_bytes;
    local_bytes = move_large_locals(*kernel.item);
    if (kernel.edges) local_bytes = std::max(local_bytes, move_large_locals(*kernel.edges));
  }
  // Before sm_80 a variable may be at address 0.
  if (options.capability >= kAmpereCapability) inline_pairs_of_bytes(module);
  for (Function &function : module) keep_null_pointers(function);
  if (Error error = verify("making kernels")) return std::move(error);
  optimise(module, machine, options);
  for (Function &function : module) {
    write_loop_exits(function);
    widen_elements(function);
    expand_divisions(function);
  }
  repair_for_nvptx(module);
  remove_foreign_casts(module);
  if (Error error = verify("the last step")) return std::move(error);
  if (options.verify)
    if (Error error = check_alignment(module)) return std::move(error);
  return program;
}

}  // namespace upsweep::passes
