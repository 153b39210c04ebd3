// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The classes of passes.def: each calls its function, unless an earlier pass has reported an error.
#include "passes/passes.h"

#include "passes/common/block_kernels.h"
#include "passes/common/claimed_alignment.h"
#include "passes/common/flat_memory.h"
#include "passes/common/image_handles.h"
#include "passes/common/inline_context.h"
#include "passes/common/link_builtins.h"
#include "passes/common/long_functions.h"
#include "passes/cpu/apart_arguments.h"
#include "passes/cpu/arithmetic.h"
#include "passes/cpu/assembly_flags.h"
#include "passes/cpu/check/check_arithmetic.h"
#include "passes/cpu/check/check_arrays.h"
#include "passes/cpu/check/check_barriers.h"
#include "passes/cpu/check/check_init.h"
#include "passes/cpu/check/check_memory.h"
#include "passes/cpu/check/check_races.h"
#include "passes/cpu/check/lower_checks.h"
#include "passes/cpu/check/mark_arithmetic.h"
#include "passes/cpu/check/mark_meetings.h"
#include "passes/cpu/check/mark_races.h"
#include "passes/cpu/check/mark_uninitialised.h"
#include "passes/cpu/code_object.h"
#include "passes/cpu/group_joining.h"
#include "passes/cpu/image_functions.h"
#include "passes/cpu/kernel_arguments.h"
#include "passes/cpu/kernel_needs.h"
#include "passes/cpu/lanes/lane_ends.h"
#include "passes/cpu/lanes/narrow_phis.h"
#include "passes/cpu/lanes/promote_slots.h"
#include "passes/cpu/lanes/split_coordinates.h"
#include "passes/cpu/lanes/vectorise_lanes.h"
#include "passes/cpu/lanes/whole_masks.h"
#include "passes/cpu/legalise_half.h"
#include "passes/cpu/likely_rows.h"
#include "passes/cpu/local_atomics.h"
#include "passes/cpu/lower_context.h"
#include "passes/cpu/polling_loops.h"
#include "passes/cpu/prefetch_rows.h"
#include "passes/cpu/required_size.h"
#include "passes/cpu/safe_division.h"
#include "passes/cpu/scalar/split_lanes.h"
#include "passes/cpu/split_at_waits.h"
#include "passes/cpu/split_stores.h"
#include "passes/cpu/unit_order.h"
#include "passes/cpu/work_group_loop.h"
#include "passes/gpu/active_lanes.h"
#include "passes/gpu/expand_divisions.h"
#include "passes/gpu/finish_copies.h"
#include "passes/gpu/gpu_kernels.h"
#include "passes/gpu/gpu_local_memory.h"
#include "passes/gpu/known_spaces.h"
#include "passes/gpu/loop_exits.h"
#include "passes/gpu/nvptx_repairs.h"
#include "passes/gpu/ptx_symbols.h"
#include "passes/gpu/record_printf.h"
#include "passes/gpu/reducible_flow.h"
#include "passes/gpu/share_barriers.h"
#include "passes/gpu/stores_before_meetings.h"
#include "passes/gpu/sub_group_sizes.h"
#include "passes/gpu/tell_ends.h"
#include "passes/gpu/texture_kernels.h"
#include "passes/gpu/unroll_collective_loops.h"
#include "passes/gpu/unroll_short_loops.h"
#include "passes/gpu/wide_elements.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

#include <type_traits>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// Calls a function that may return an Error.
template <typename... Arguments>
void call(Program &program, auto step, Arguments &...arguments) {
  if constexpr (std::is_same_v<std::invoke_result_t<decltype(step), Arguments &...>, Error>) {
    if (program.error.empty()) program.error = toString(step(arguments...));
    if (!program.error.empty() && program.options.fatal_errors)
      report_fatal_error(program.take_error(), /*gen_crash_diag=*/false);
  } else {
    step(arguments...);
  }
}

template <auto kStep>
PreservedAnalyses run_step(Module &module, ModuleAnalysisManager &analyses) {
  auto &program = analyses.getResult<ProgramAnalysis>(module);
  if (!program.error.empty()) return PreservedAnalyses::all();
  if constexpr (std::is_invocable_v<decltype(kStep), Kernel &, Program &>)
    for (Kernel &kernel : program.kernels) {
      if (kernel.scalar) call(program, kStep, *kernel.scalar, program);
      call(program, kStep, kernel, program);
    }
  else if constexpr (std::is_invocable_v<decltype(kStep), Module &, Program &>)
    call(program, kStep, module, program);
  else
    call(program, kStep, module);
  return PreservedAnalyses::none();
}

template <auto kStep>
PreservedAnalyses run_step(Function &function, FunctionAnalysisManager &analyses) {
  bool changed = true;
  if constexpr (std::is_invocable_r_v<bool, decltype(kStep), Function &>)
    changed = kStep(function);
  else if constexpr (std::is_invocable_r_v<bool, decltype(kStep), Function &, FunctionAnalysisManager &>)
    changed = kStep(function, analyses);
  else
    kStep(function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace

// NOLINTNEXTLINE(bugprone-macro-parentheses): a class and a type
#define UPSWEEP_PASS(Class, Level, name, need, function)                                                                       \
  PreservedAnalyses Class::run(Level &unit, AnalysisManager<Level> &analyses) { return run_step<function>(unit, analyses); }
#include "passes/passes.def"

PreservedAnalyses ForItems::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &program = analyses.getResult<ProgramAnalysis>(module);
  if (!program.error.empty()) return PreservedAnalyses::all();
  const auto run = [&](Function *item) {
    if (!item) return;
    passes_.run(*item, *program.functions);
    program.functions->clear(*item, item->getName());
  };
  for (const Kernel &kernel : program.kernels) {
    if (kernel.scalar) run(kernel.scalar->item);
    run(kernel.item);
  }
  return PreservedAnalyses::none();
}

namespace {

template <typename Class>
bool add(ModulePassManager &passes) {
  passes.addPass(Class());
  return true;
}
template <typename Class>
bool add(FunctionPassManager &passes) {
  passes.addPass(Class());
  return true;
}
template <typename Class>
bool add(LoopPassManager &passes) {
  passes.addPass(Class());
  return true;
}

template <typename Manager, typename Level>
void parse_names(PassBuilder &builder) {
  builder.registerPipelineParsingCallback([](StringRef text, Manager &passes, ArrayRef<PassBuilder::PipelineElement>) {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a class
#define UPSWEEP_PASS_CLASS(Class, Unit, name)                                                                                  \
  if constexpr (std::is_same_v<Level, Unit>)                                                                                   \
    if (text == name) return add<Class>(passes);
#define UPSWEEP_PASS(Class, Unit, name, need, function) UPSWEEP_PASS_CLASS(Class, Unit, name)
#include "passes/passes.def"
    return false;
  });
}

}  // namespace

void register_passes(PassBuilder &builder) {
  if (PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks()) {
#define UPSWEEP_PASS_CLASS(Class, Level, text) callbacks->addClassToPassName(Class::name(), text);
#define UPSWEEP_PASS(Class, Level, text, need, function) UPSWEEP_PASS_CLASS(Class, Level, text)
#include "passes/passes.def"
  }
  parse_names<ModulePassManager, Module>(builder);
  parse_names<FunctionPassManager, Function>(builder);
  parse_names<LoopPassManager, Loop>(builder);
}

namespace {

// True in builds that check for defects anyway. In other builds LLVM's verifier runs only with UPSWEEP_VERIFY=1 or --verify.
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kAlwaysVerified = true;
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kAlwaysVerified = true;
#else
constexpr bool kAlwaysVerified = false;
#endif

}  // namespace

PassRunner::PassRunner(LLVMContext &context, const PassOptions &options, const TargetLibraryInfoImpl &names)
    : instruments_(context, /*DebugLogging=*/false, options.verify || kAlwaysVerified),
      builder_(options.machine, PipelineTuningOptions(), std::nullopt, &callbacks_) {
  functions_.registerPass([names] { return TargetLibraryAnalysis(names); });
  modules_.registerPass([options] { return ProgramAnalysis(options); });
  builder_.registerModuleAnalyses(modules_);
  builder_.registerCGSCCAnalyses(components_);
  builder_.registerFunctionAnalyses(functions_);
  builder_.registerLoopAnalyses(loops_);
  builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
  register_passes(builder_);
  instruments_.registerCallbacks(callbacks_, &modules_);
}

Expected<Program> PassRunner::run(Module &module, ModulePassManager passes) {
  auto &program = modules_.getResult<ProgramAnalysis>(module);
  callbacks_.registerShouldRunOptionalPassCallback([&program](StringRef, const Any &) { return program.error.empty(); });
  passes.run(module, modules_);
  if (Error error = program.take_error()) return std::move(error);
  return std::move(program);
}

}  // namespace upsweep::passes
