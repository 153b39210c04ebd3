// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes by name, for opt-19 in tests; the table at the end lists them. Passes find functions by what their names end in,
// as ARCHITECTURE.md says. Where the CPU matters it is an x86-64-v4 with sub-groups of 16.
#include "builtins/builtins.h"
#include "passes/common/claimed_alignment.h"
#include "passes/common/flat_memory.h"
#include "passes/common/inline_context.h"
#include "passes/common/link_builtins.h"
#include "passes/cpu/assembly_flags.h"
#include "passes/cpu/code_object.h"
#include "passes/cpu/cpu_pipeline.h"
#include "passes/cpu/kernel_arguments.h"
#include "passes/cpu/lanes/narrow_phis.h"
#include "passes/cpu/lanes/promote_slots.h"
#include "passes/cpu/lanes/vectorise_lanes.h"
#include "passes/cpu/lanes/whole_masks.h"
#include "passes/cpu/legalise_half.h"
#include "passes/cpu/lower_context.h"
#include "passes/cpu/polling_loops.h"
#include "passes/cpu/prefetch_rows.h"
#include "passes/cpu/safe_division.h"
#include "passes/cpu/scalar/split_lanes.h"
#include "passes/cpu/split_at_waits.h"
#include "passes/cpu/split_stores.h"
#include "passes/cpu/unit_order.h"
#include "passes/cpu/work_group_loop.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Target/TargetMachine.h>

using namespace llvm;
using namespace upsweep::passes;

namespace {

constexpr unsigned kSubGroupSize = 16;

void check(Error error) {
  if (error) report_fatal_error(std::move(error), /*gen_crash_diag=*/false);
}

std::unique_ptr<TargetMachine> make_machine(StringRef cpu) {
  constexpr const char *kTriple = "x86_64-unknown-linux-gnu";
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(kTriple, error);
  if (!target) report_fatal_error(Twine(error));
  StringRef features = cpu == "x86-64-v4" ? "+avx512f,+avx512vl,+avx512bw,+avx512dq,+avx512cd" : "";
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(kTriple, cpu, features, TargetOptions(), Reloc::PIC_));
}

SmallVector<Function *, 4> defined(Module &module, StringRef ending) {
  SmallVector<Function *, 4> found;
  for (Function &function : module)
    if (!function.isDeclaration() && function.getName().ends_with(ending)) found.push_back(&function);
  return found;
}

SmallVector<Function *, 4> units(Module &module) {
  SmallVector<Function *, 4> found = defined(module, ".full");
  append_range(found, defined(module, ".row"));
  append_range(found, defined(module, ".part"));
  append_range(found, defined(module, ".lane"));
  return found;
}

StringRef kernel_of(const Function &function) { return function.getName().rsplit('.').first; }

void run_pipeline(Module &module, Lanes lanes, StringRef cpu) {
  std::unique_ptr<TargetMachine> machine = make_machine(cpu);
  CpuPipelineOptions options;
  options.lanes = lanes;
  std::unique_ptr<Library> library = cantFail(Library::open(upsweep::builtins_archive(), module.getContext()));
  options.library = library.get();
  check(run_cpu_pipeline(module, *machine, options));
}

void link(Module &module, ModuleAnalysisManager &) {
  std::unique_ptr<Library> library = cantFail(Library::open(upsweep::builtins_archive(), module.getContext()));
  check(link_builtins(module, {library.get()}, *make_machine("x86-64-v4")));
}

void copy_arguments(Module &module, ModuleAnalysisManager &) {
  for (Function *item : defined(module, ".item")) copy_written_arguments(*item);
}

void inline_items(Module &module, ModuleAnalysisManager &) {
  SmallVector<Kernel, 4> kernels;
  for (Function *item : defined(module, ".item"))
    kernels.push_back({.description = {.name = kernel_of(*item).str()}, .item = item});
  check(inline_context(kernels, [](Function &) {}));
}

void settle_order(Module &module, bool in_order) {
  for (Function *item : defined(module, ".item")) {
    resolve_order(*item, in_order);
    resolve_scratch_barriers(*item);
  }
}

template <bool kRows>
void vectorise(Module &module, ModuleAnalysisManager &) {
  std::unique_ptr<TargetMachine> machine = make_machine("x86-64-v4");
  module.setDataLayout(machine->createDataLayout());
  for (Function *item : defined(module, ".item")) {
    item->addFnAttr("target-cpu", machine->getTargetCPU());
    item->addFnAttr("target-features", machine->getTargetFeatureString());
    vectorise_lanes(*item, kSubGroupSize, machine->getTargetTransformInfo(*item), kRows);
  }
}

void split_items(Module &module, ModuleAnalysisManager &) {
  for (Function *item : defined(module, ".item")) {
    std::string kernel = kernel_of(*item).str();
    LaneUnit unit = split_lanes(*item, kernel);
    if (!unit.sites.empty()) (void)make_sub_group_runner(unit, kernel, kSubGroupSize);
  }
}

void lower_units(Module &module, ModuleAnalysisManager &) {
  for (Function *unit : units(module))
    lower_context(*unit, lay_out_locals(*unit), kSubGroupSize, /*waits=*/unit->arg_size() == 6);
}

void split_units(Module &module, ModuleAnalysisManager &analyses) {
  for (Function *unit : units(module)) make_coroutine(*unit);
  split_coroutines(module, analyses, /*optimise=*/true);
}

// The units' frames are those that the split before has left a mark of.
void make_loops(Module &module, ModuleAnalysisManager &) {
  SmallVector<Function *, 4> firsts = defined(module, ".full");
  append_range(firsts, defined(module, ".lane"));
  for (Function *first : firsts) {
    StringRef kernel = kernel_of(*first);
    Units units;
    units.full = first;
    units.row = module.getFunction((kernel + ".row").str());
    units.part = module.getFunction((kernel + ".part").str());
    units.lanes = units.row || units.part ? kSubGroupSize : 1;
    units.sub_group_size = kSubGroupSize;
    units.run_sub_group = module.getFunction((kernel + ".sub_group").str());
    units.wait = first->arg_size() == 6;
    units.yield = module.getFunction("__ups_yield") != nullptr;
    if (units.wait) units.frame = take_frame(*first);
    make_work_group_loop(units, (kernel + ".entry").str());
  }
}

void make_code_object(Module &module, ModuleAnalysisManager &) {
  SmallVector<KernelRecord, 4> records;
  for (Function &function : module) {
    if (!is_kernel(function)) continue;
    KernelRecord record;
    record.description = describe_kernel(function);
    record.description.sub_group_size = kSubGroupSize;
    record.entry = module.getFunction((function.getName() + ".entry").str());
    records.push_back(std::move(record));
  }
  emit_code_object(module, records);
}

/// All of them, as of a unit that holds nothing but slots.
void promote_variables(Function &function) {
  SmallVector<AllocaInst *, 4> slots;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *slot = dyn_cast<AllocaInst>(&instruction)) slots.push_back(slot);
  promote_slots(function, slots);
}

template <auto kStep>
void for_each_function(Module &module, ModuleAnalysisManager &) {
  for (Function &function : module)
    if (!function.isDeclaration()) kStep(function);
}

struct NamedPass {
  StringLiteral name;
  void (*run)(Module &, ModuleAnalysisManager &);
};

constexpr NamedPass kPasses[] = {
    // The whole CPU pipeline, for 16 and for 8 lanes.
    {"upsweep-cpu<scalar>", [](Module &m, ModuleAnalysisManager &) { run_pipeline(m, Lanes::kScalar, "x86-64-v4"); }},
    {"upsweep-cpu<vector>", [](Module &m, ModuleAnalysisManager &) { run_pipeline(m, Lanes::kVector, "x86-64-v4"); }},
    {"upsweep-cpu-avx2<scalar>", [](Module &m, ModuleAnalysisManager &) { run_pipeline(m, Lanes::kScalar, "x86-64-v3"); }},
    {"upsweep-cpu-avx2<vector>", [](Module &m, ModuleAnalysisManager &) { run_pipeline(m, Lanes::kVector, "x86-64-v3"); }},
    // Its steps, in its order.
    {"upsweep-link-builtins", link},
    {"upsweep-assembly-flags", [](Module &m, ModuleAnalysisManager &) { clobber_assembly_flags(m); }},
    {"upsweep-flat-memory", [](Module &m, ModuleAnalysisManager &) { flatten_memory(m); }},
    {"upsweep-safe-division", for_each_function<make_divisions_safe>},
    {"upsweep-kernel-arguments", [](Module &m, ModuleAnalysisManager &) { (void)make_items(m); }},
    {"upsweep-inline-context", inline_items},
    {"upsweep-copy-arguments", copy_arguments},
    {"upsweep-polling-loops", for_each_function<add_yields>},
    {"upsweep-unit-order<in-order>", [](Module &m, ModuleAnalysisManager &) { settle_order(m, true); }},
    {"upsweep-unit-order<any>", [](Module &m, ModuleAnalysisManager &) { settle_order(m, false); }},
    {"upsweep-vectorise-lanes", vectorise<false>},
    {"upsweep-vectorise-lanes<rows>", vectorise<true>},
    {"upsweep-split-lanes", split_items},
    {"upsweep-lower-context", lower_units},
    {"upsweep-split-at-waits", split_units},
    {"upsweep-work-group-loop", make_loops},
    {"upsweep-code-object", make_code_object},
    {"upsweep-align-variables", for_each_function<align_variables>},
    {"upsweep-check-alignment", [](Module &m, ModuleAnalysisManager &) { check(check_alignment(m)); }},
    {"upsweep-narrow-phis", for_each_function<narrow_phis>},
    {"upsweep-promote-slots", for_each_function<promote_variables>},
    {"upsweep-prefetch-rows", for_each_function<prefetch_rows>},
    {"upsweep-whole-masks", for_each_function<version_whole_masks>},
    {"upsweep-legalise-half", for_each_function<legalise_half>},
    {"upsweep-split-stores",
     [](Module &m, ModuleAnalysisManager &) {
       for (Function &f : m) split_stores(f, 512);
     }},
};

struct Pass : PassInfoMixin<Pass> {
  explicit Pass(const NamedPass &named) : named(named) {}
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    named.run(module, analyses);
    return PreservedAnalyses::none();
  }
  const NamedPass &named;
};

bool parse(StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
  const auto *named = find_if(kPasses, [name](const NamedPass &pass) { return pass.name == name; });
  if (named == std::end(kPasses)) return false;
  passes.addPass(Pass(*named));
  return true;
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "upsweep", "1",
          [](PassBuilder &builder) { builder.registerPipelineParsingCallback(parse); }};
}
