// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's x86 back end, configured for OpenCL kernels.
#include "compiler/code/code_generation.h"

#include "compiler/code/huge_functions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/X86TargetParser.h"

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
void LLVMInitializeX86AsmParser();
}

namespace llvm {

// Functions of the X86 back end whose first call builds a table of thousands of sorted rows (X86InstrFoldTables.h).
struct X86FoldTableEntry;
const X86FoldTableEntry *lookupUnfoldTable(unsigned opcode);
const X86FoldTableEntry *lookupBroadcastFoldTableBySize(unsigned opcode, unsigned bits);

}  // namespace llvm

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

constexpr char kNative[] = "native";

bool is_processor(const std::string &name) { return llvm::X86::parseArchX86(name, /*Only64Bit=*/true) != llvm::X86::CK_None; }

llvm::Error unknown_processor(const std::string &name) {
  return llvm::createStringError("unknown processor '" + name +
                                 "'; use native, x86-64-v2, x86-64-v3, x86-64-v4 or another processor that LLVM knows");
}

/// The processor's default features.
llvm::StringSet<> features_by_default(const llvm::Target &target, const char *triple, llvm::StringRef processor) {
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(target.createMCSubtargetInfo(triple, processor, ""));
  llvm::StringSet<> names;
  for (const llvm::SubtargetFeatureKV &feature : subtarget->getEnabledProcessorFeatures()) names.insert(feature.Key);
  return names;
}

/// All features, since the passes query them by name: LLVM lists avx512bw for x86-64-v4, but not avx512f, which it implies.
std::string features_of(const std::string &processor) {
  llvm::SmallVector<llvm::StringRef, 64> listed;
  llvm::X86::getFeaturesForCPU(processor, listed);
  llvm::StringMap<bool> all;
  for (const llvm::StringRef feature : listed) llvm::X86::updateImpliedFeatures(feature, /*Enabled=*/true, all);
  llvm::SubtargetFeatures features;
  for (const llvm::StringRef feature : listed) all[feature] = true;
  for (const auto &[name, enabled] : all) features.AddFeature(name, enabled);
  return features.getString();
}

/// Features that differ from the processor's defaults: additional features of this computer, and missing features. (Each
/// feature in the list adds 5 µs to every build.)
std::string host_features(const llvm::Target &target, const char *triple, llvm::StringRef processor) {
  const llvm::StringSet<> by_default = features_by_default(target, triple, processor);
  llvm::SubtargetFeatures features;
  for (const auto &[name, enabled] : llvm::sys::getHostCPUFeatures())
    if (enabled || by_default.contains(name)) features.AddFeature(name, enabled);
  return features.getString();
}

}  // namespace

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> make_cpu_target_machine(const std::string &cpu, bool optimise) {
  register_x86();
  const char *triple = "x86_64-unknown-linux-gnu";
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return llvm::createStringError(error);
  const bool native = cpu == kNative;
  if (!native && !is_processor(cpu)) return unknown_processor(cpu);
  std::string name = native ? llvm::sys::getHostCPUName().str() : cpu;
  llvm::TargetOptions options;
  // Otherwise the speed of a short loop depends on its kernel's address: a histogram took 1.2 times as long 16 bytes further
  // on.
  options.LoopAlignment = 64;
  options.UseInitArray = true;  // constructors of program-scope objects; modern systems ignore .ctors
  auto level = optimise ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::Less;
  const std::string features = native ? host_features(*target, triple, name) : features_of(cpu);
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, name, features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small, level));
  if (!machine || !machine->getMCSubtargetInfo()->isCPUStringValid(name)) return unknown_processor(name);
  return machine;
}

void make_shared_tables() {
  register_x86();
  (void)llvm::lookupUnfoldTable(0);
  (void)llvm::lookupBroadcastFoldTableBySize(0, 0);
}

llvm::Error check_executable(const std::string &cpu) {
  if (cpu == kNative) return llvm::Error::success();
  if (!is_processor(cpu)) return unknown_processor(cpu);
  llvm::SmallVector<llvm::StringRef, 64> features;
  llvm::X86::getFeaturesForCPU(cpu, features);
  const auto host = llvm::sys::getHostCPUFeatures();
  // The list for this computer contains only features reported by CPUID; all x86-64 processors have the others, such as x87.
  llvm::erase_if(features, [&](llvm::StringRef feature) {
    const auto known = host.find(feature);
    return known == host.end() || known->second;
  });
  if (features.empty()) return llvm::Error::success();
  return llvm::createStringError("this computer cannot run code for '" + cpu + "': it lacks " + llvm::join(features, ", "));
}

llvm::Expected<llvm::SmallVector<char, 0>> generate_code(llvm::Module &module, llvm::TargetMachine &machine,
                                                         llvm::CodeGenFileType type, bool verify) {
  llvm::SmallVector<char, 0> code;
  llvm::raw_svector_ostream stream(code);
  const HugeFunctionGate gate(module);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/!verify))
    return llvm::createStringError("this target cannot emit that kind of file");
  passes.run(module);
  return code;
}

}  // namespace upsweep::compiler
