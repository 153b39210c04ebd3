// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CPU pipeline, code generation and linking in sequence.
#include "compiler/cpu_target.h"

#include "compiler/code_generation.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/raw_ostream.h"

namespace upsweep::compiler {
namespace {

bool wants_optimisation(const llvm::Module &module) {
  return llvm::none_of(module, [](const llvm::Function &f) { return f.hasFnAttribute("upsweep-opt-disable"); });
}

template <typename Print> llvm::SmallVector<char, 0> printed(Print print) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  print(stream);
  return bytes;
}

} // namespace

llvm::Expected<llvm::SmallVector<char, 0>> make_cpu_output(llvm::Module &module, const CpuTarget &target, Output output) {
  if (output == Output::kModule)
    return printed([&](llvm::raw_ostream &stream) { llvm::WriteBitcodeToFile(module, stream); });
  auto machine = make_cpu_target_machine(target.cpu, wants_optimisation(module));
  if (!machine)
    return machine.takeError();
  if (output == Output::kLlvm)
    return printed([&](llvm::raw_ostream &stream) { module.print(stream, nullptr); });
  auto type = output == Output::kAssembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  auto code = generate_code(module, **machine, type);
  if (!code || output != Output::kSharedObject)
    return code;
  return link_shared_object({code->data(), code->size()});
}

} // namespace upsweep::compiler
