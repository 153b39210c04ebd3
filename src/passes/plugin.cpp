// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plugin for opt-19 with the passes of passes.def, and both pipelines as upsweep-cpu and upsweep-gpu.
#include "builtins/builtins.h"
#include "passes/cpu/cpu_pipeline.h"
#include "passes/gpu/gpu_pipeline.h"
#include "passes/passes.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>

using namespace llvm;
using namespace upsweep::passes;

namespace {

cl::opt<std::string> processor("upsweep-processor", cl::init("x86-64-v4"),
                               cl::desc("what upsweep's passes compile for: x86-64-v4, x86-64-v3 or a GPU such as sm_80"));
cl::opt<bool> scalar("upsweep-scalar", cl::desc("upsweep-cpu makes scalar code"));

bool is_for_gpu() { return StringRef(processor).starts_with("sm_"); }

TargetMachine *make_machine() {
  const char *triple = is_for_gpu() ? "nvptx64-nvidia-cuda" : "x86_64-unknown-linux-gnu";
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target) report_fatal_error(Twine(error));
  const StringRef features = processor == "x86-64-v4" ? "+avx512f,+avx512vl,+avx512bw,+avx512dq,+avx512cd" : "";
  return target->createTargetMachine(triple, processor, features, TargetOptions(), Reloc::PIC_);
}

PassOptions options_for(LLVMContext &context) {
  // Never freed: opt ends after one module, without a notification.
  const auto open = [&](std::string_view archive, bool has_intrinsics) {
    return cantFail(Library::open(archive, context, has_intrinsics)).release();
  };
  PassOptions options;
  options.machine = make_machine();
  options.fatal_errors = true;
  if (is_for_gpu()) options.libraries.push_back(open(upsweep::nvptx_builtins_archive(), true));
  options.libraries.push_back(open(upsweep::builtins_archive(), false));
  for (const unsigned level : {3, 4})
    if (!is_for_gpu()) options.image_rows.push_back(open(upsweep::image_rows_archive(level), false));
  options.lanes = scalar ? Lanes::kScalar : Lanes::kVector;
  if (is_for_gpu()) StringRef(processor).drop_front(3).getAsInteger(10, options.capability);
  return options;
}

/// ProgramAnalysis with options that need the module's context.
struct TestedProgram : AnalysisInfoMixin<TestedProgram> {
  using Result = Program;
  static AnalysisKey *ID() { return ProgramAnalysis::ID(); }
  static Program run(Module &module, ModuleAnalysisManager &analyses) {
    return ProgramAnalysis(options_for(module.getContext())).run(module, analyses);
  }
};

/// A whole pipeline as a pass.
struct Pipeline : PassInfoMixin<Pipeline> {
  PassInstrumentationCallbacks *callbacks;
  bool for_gpu;
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) const {
    const PassOptions &options = analyses.getResult<ProgramAnalysis>(module).options;
    return (for_gpu ? gpu_passes(options, callbacks) : cpu_passes(options)).run(module, analyses);
  }
  static bool isRequired() { return true; }
};

void register_with(PassBuilder &builder) {
  register_passes(builder);
  builder.registerAnalysisRegistrationCallback(
      [](ModuleAnalysisManager &analyses) { analyses.registerPass([] { return TestedProgram(); }); });
  builder.registerPipelineParsingCallback(
      [&builder](StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != "upsweep-cpu" && name != "upsweep-gpu") return false;
        passes.addPass(Pipeline{{}, builder.getPassInstrumentationCallbacks(), name == "upsweep-gpu"});
        return true;
      });
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "upsweep", "1", register_with};
}
