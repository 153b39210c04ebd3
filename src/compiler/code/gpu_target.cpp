// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU pipeline and code generation in sequence.
#include "compiler/code/gpu_target.h"

#include "compiler/client/gpu_image.h"
#include "compiler/code/code_generation.h"
#include "compiler/code/code_limits.h"
#include "compiler/code/ptx_repairs.h"
#include "passes/common/host_variables.h"
#include "passes/gpu/gpu_kernels.h"
#include "passes/gpu/gpu_pipeline.h"
#include "passes/gpu/reducible_flow.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace upsweep::compiler {
namespace {

/// The first version that supports sm_90's copy engine, which drivers since CUDA 12.0 accept; else a version for drivers since
/// 11.8.
const char *ptx_version(unsigned capability) { return capability >= passes::kHopperCapability ? "+ptx80" : "+ptx78"; }

constexpr char kTriple[] = "nvptx64-nvidia-cuda";

std::unique_ptr<llvm::TargetMachine> make_machine(unsigned capability) {
  static bool once = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)once;
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(kTriple, error);
  if (!target) return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // only the fusions that the program permits
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(kTriple, "sm_" + std::to_string(capability),
                                                                          ptx_version(capability), options, std::nullopt,
                                                                          std::nullopt, llvm::CodeGenOptLevel::Default));
}

}  // namespace

unsigned capability_of(llvm::StringRef name) {
  unsigned number = 0;
  if (!name.consume_front("sm_") || name.getAsInteger(10, number) || number < kLeastCapability) return 0;
  auto machine = make_machine(number);
  return machine && machine->getMCSubtargetInfo()->isCPUStringValid("sm_" + std::to_string(number)) ? number : 0;
}

namespace {

struct GpuCode {
  passes::Program program;
  llvm::SmallVector<char, 0> text;
};

llvm::Expected<GpuCode> make_code(llvm::Module &module, const GpuTarget &target, Output output, Session &session) {
  auto machine = make_machine(target.capability);
  if (!machine) return llvm::createStringError("the compiler lacks its NVPTX back end");
  passes::PassOptions options;
  options.machine = machine.get();
  options.optimise = wants_optimisation(module);
  options.capability = target.capability;
  options.verify = target.verify;
  auto own = session.nvptx_library();
  if (!own) return own.takeError();
  auto common = session.library();
  if (!common) return common.takeError();
  options.libraries = {*own, *common};
  auto program = passes::run_gpu_pipeline(module, options);
  if (!program) return program.takeError();
  if (llvm::Error error = check_limits(module, BackEnd::kNvptx)) return std::move(error);
  GpuCode code{std::move(*program), {}};
  if (output == Output::kLlvm) {
    llvm::raw_svector_ostream stream(code.text);
    module.print(stream, nullptr);
    return code;
  }
  auto text = generate_code(module, *machine, llvm::CodeGenFileType::AssemblyFile, target.verify);
  if (llvm::Error error = session.take_errors())
    return text ? std::move(error) : llvm::joinErrors(text.takeError(), std::move(error));
  if (!text) return text.takeError();
  code.text = repair_ptx({text->data(), text->size()});
  return code;
}

GpuSymbols symbols_of(const passes::Kernel &kernel) {
  const auto name = [](const llvm::Function *version) { return version ? version->getName().str() : std::string(); };
  return {name(kernel.item), name(kernel.edges), name(kernel.textures), name(kernel.orders)};
}

}  // namespace

llvm::Expected<llvm::SmallVector<char, 0>> make_gpu_output(llvm::Module &module, const GpuTarget &target, Output output,
                                                           Session &session) {
  auto code = make_code(module, target, output, session);
  if (!code) return code.takeError();
  return std::move(code->text);
}

llvm::Expected<llvm::SmallVector<char, 0>> make_gpu_image(llvm::Module &module, const GpuTarget &target, Session &session) {
  GpuImage image;
  const bool wants = wants_optimisation(module);
  auto code = make_code(module, target, Output::kAssembly, session);
  if (!code) return code.takeError();
  image.is_optimised = wants && llvm::none_of(module, [](const llvm::Function &function) {
                         return function.hasFnAttribute(passes::kHadIrreducibleFlow);
                       });
  image.ptx.assign(code->text.begin(), code->text.end());
  image.program_scope_bytes = code->program.program_scope_bytes;
  for (const passes::Kernel &kernel : code->program.kernels)
    image.kernels.emplace_back(kernel.description, symbols_of(kernel), kernel.texture_uses);
  for (const auto &[name, variable, access] : passes::host_variables(module))
    image.variables.push_back({.name = name.str(),
                               .symbol = variable->getName().str(),
                               .bytes = module.getDataLayout().getTypeAllocSize(variable->getValueType()).getFixedValue(),
                               .host_reads = (access & passes::kHostReads) != 0,
                               .host_writes = (access & passes::kHostWrites) != 0});
  const Bytes bytes = encode(image);
  return llvm::SmallVector<char, 0>(bytes.begin(), bytes.end());
}

}  // namespace upsweep::compiler
