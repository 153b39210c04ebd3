// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The x86 back end as OpenCL kernels need it.
#include "compiler/code_generation.h"

#include "compiler/huge_functions.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
void LLVMInitializeX86AsmParser();
}

namespace upsweep::compiler {
namespace {

void register_x86() {
  static bool once = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();  // inline assembly in kernels
    return true;
  }();
  (void)once;
}

std::string host_features() {
  llvm::SubtargetFeatures features;
  for (const auto &[name, enabled] : llvm::sys::getHostCPUFeatures()) features.AddFeature(name, enabled);
  return features.getString();
}

}  // namespace

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> make_cpu_target_machine(const std::string &cpu, bool optimise) {
  register_x86();
  const char *triple = "x86_64-unknown-linux-gnu";
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return llvm::createStringError(error);
  std::string name = cpu.empty() ? llvm::sys::getHostCPUName().str() : cpu;
  llvm::TargetOptions options;
  options.UseInitArray = true;  // constructors of program-scope objects; nothing runs .ctors any more
  auto level = optimise ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::Less;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, name, cpu.empty() ? host_features() : "", options, llvm::Reloc::PIC_, llvm::CodeModel::Small, level));
  if (!machine || !machine->getMCSubtargetInfo()->isCPUStringValid(name))
    return llvm::createStringError("unknown processor '" + name + "'");
  return machine;
}

llvm::Expected<llvm::SmallVector<char, 0>> generate_code(llvm::Module &module, llvm::TargetMachine &machine,
                                                         llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> code;
  llvm::raw_svector_ostream stream(code);
  const HugeFunctionGate gate(module);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return llvm::createStringError("this target cannot emit that kind of file");
  passes.run(module);
  return code;
}

}  // namespace upsweep::compiler
