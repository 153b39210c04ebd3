// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes by name, for opt-19 in tests:
//   upsweep-cpu<scalar|vector>    the whole CPU pipeline, for x86-64-v4 with 16 lanes
//   upsweep-cpu-avx2<...>         the same for x86-64-v3 with 8 lanes
//   upsweep-flat-memory           address spaces and opaque types only
//   upsweep-vectorise-lanes       step 5a for the functions named *.item, 16 lanes of x86-64-v4
//   upsweep-narrow-phis           phis of wide integers of which the low half is used
//   upsweep-whole-masks           versions of blocks for masks that are all true
#include "builtins/builtins.h"
#include "passes/cpu_pipeline.h"
#include "passes/flat_memory.h"
#include "passes/link_builtins.h"
#include "passes/narrow_phis.h"
#include "passes/vectorise_lanes.h"
#include "passes/whole_masks.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Target/TargetMachine.h>

using namespace llvm;
using namespace upsweep::passes;

namespace {

std::unique_ptr<TargetMachine> make_machine(StringRef cpu) {
  constexpr const char *kTriple = "x86_64-unknown-linux-gnu";
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(kTriple, error);
  if (!target) report_fatal_error(Twine(error));
  StringRef features = cpu == "x86-64-v4" ? "+avx512f,+avx512vl,+avx512bw,+avx512dq,+avx512cd" : "";
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(kTriple, cpu, features, TargetOptions(), Reloc::PIC_));
}

struct CpuPass : PassInfoMixin<CpuPass> {
  CpuPass(Lanes lanes, StringRef cpu) : lanes(lanes), cpu(cpu) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    std::unique_ptr<TargetMachine> machine = make_machine(cpu);
    CpuPipelineOptions options;
    options.lanes = lanes;
    std::unique_ptr<Module> library = cantFail(load_builtins(upsweep::builtins_bitcode(), module.getContext()));
    options.library = library.get();
    if (Error error = run_cpu_pipeline(module, *machine, std::move(options))) report_fatal_error(std::move(error));
    return PreservedAnalyses::none();
  }

  Lanes lanes;
  StringRef cpu;
};

struct FlatMemoryPass : PassInfoMixin<FlatMemoryPass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    flatten_memory(module);
    return PreservedAnalyses::none();
  }
};

struct VectoriseLanesPass : PassInfoMixin<VectoriseLanesPass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    std::unique_ptr<TargetMachine> machine = make_machine("x86-64-v4");
    module.setDataLayout(machine->createDataLayout());
    SmallVector<Function *, 4> items;
    for (Function &function : module)
      if (function.getName().ends_with(".item")) items.push_back(&function);
    for (Function *item : items) {
      item->addFnAttr("target-cpu", machine->getTargetCPU());
      item->addFnAttr("target-features", machine->getTargetFeatureString());
      vectorise_lanes(*item, 16, machine->getTargetTransformInfo(*item));
    }
    return PreservedAnalyses::none();
  }
};

struct NarrowPhisPass : PassInfoMixin<NarrowPhisPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    return narrow_phis(function) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

struct WholeMasksPass : PassInfoMixin<WholeMasksPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    return version_whole_masks(function) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

bool parse(StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
  if (name == "upsweep-cpu<scalar>")
    passes.addPass(CpuPass(Lanes::kScalar, "x86-64-v4"));
  else if (name == "upsweep-cpu<vector>")
    passes.addPass(CpuPass(Lanes::kVector, "x86-64-v4"));
  else if (name == "upsweep-cpu-avx2<scalar>")
    passes.addPass(CpuPass(Lanes::kScalar, "x86-64-v3"));
  else if (name == "upsweep-cpu-avx2<vector>")
    passes.addPass(CpuPass(Lanes::kVector, "x86-64-v3"));
  else if (name == "upsweep-flat-memory")
    passes.addPass(FlatMemoryPass());
  else if (name == "upsweep-vectorise-lanes")
    passes.addPass(VectoriseLanesPass());
  else if (name == "upsweep-narrow-phis")
    passes.addPass(createModuleToFunctionPassAdaptor(NarrowPhisPass()));
  else if (name == "upsweep-whole-masks")
    passes.addPass(createModuleToFunctionPassAdaptor(WholeMasksPass()));
  else
    return false;
  return true;
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "upsweep", "1",
          [](PassBuilder &builder) { builder.registerPipelineParsingCallback(parse); }};
}
