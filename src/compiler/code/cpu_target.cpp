// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CPU pipeline, code generation and linking in sequence.
#include "compiler/code/cpu_target.h"

#include "builtins/builtins.h"
#include "compiler/client/shared_object_check.h"
#include "compiler/code/assembly_lines.h"
#include "compiler/code/code_generation.h"
#include "compiler/code/code_limits.h"
#include "passes/cpu/cpu_pipeline.h"
#include "passes/cpu/image_functions.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/raw_ostream.h"

namespace upsweep::compiler {
namespace {

template <typename Print>
llvm::SmallVector<char, 0> printed(Print print) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  print(stream);
  return bytes;
}

llvm::Error run_pipeline(llvm::Module &module, llvm::TargetMachine &machine, const CpuTarget &target, Session &session) {
  auto library = session.library();
  if (!library) return library.takeError();
  auto image_rows = session.image_rows(passes::image_level(machine.getTargetFeatureString()));
  if (!image_rows) return image_rows.takeError();
  passes::PassOptions options;
  options.machine = &machine;
  options.image_rows = *image_rows;
  options.lanes = target.vector_lanes ? passes::Lanes::kVector : passes::Lanes::kScalar;
  options.optimise = wants_optimisation(module);
  options.verify = target.verify;
  options.checks = target.checks;
  options.libraries = {*library};
  return passes::run_cpu_pipeline(module, options);
}

}  // namespace

bool wants_optimisation(const llvm::Module &module) {
  return llvm::none_of(module, [](const llvm::Function &f) { return f.hasFnAttribute("upsweep-opt-disable"); });
}

llvm::SmallVector<char, 0> make_portable_module(const llvm::Module &module) {
  return printed([&](llvm::raw_ostream &stream) { llvm::WriteBitcodeToFile(module, stream); });
}

llvm::Expected<llvm::SmallVector<char, 0>> make_cpu_output(llvm::Module &module, const CpuTarget &target, Output output,
                                                           Session &session) {
  auto machine = make_cpu_target_machine(target.cpu, wants_optimisation(module));
  if (!machine) return machine.takeError();
  if (llvm::Error error = run_pipeline(module, **machine, target, session)) return std::move(error);
  if (llvm::Error error = check_limits(module, BackEnd::kX86)) return std::move(error);
  if (output == Output::kLlvm) return printed([&](llvm::raw_ostream &stream) { module.print(stream, nullptr); });
  if (output == Output::kAssembly) name_written_functions(module);
  auto type = output == Output::kAssembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  auto code = generate_code(module, **machine, type, target.verify);
  // Errors of the back end, for example about inline assembly.
  if (llvm::Error error = session.take_errors())
    return code ? std::move(error) : llvm::joinErrors(code.takeError(), std::move(error));
  if (!code || output != Output::kSharedObject) return code;
  llvm::SmallVector<llvm::StringRef, 3> objects{{code->data(), code->size()}};
  if (passes::has_image_calls(module)) {
    objects.push_back(image_functions());
    for (const unsigned level : passes::image_levels(passes::image_level((*machine)->getTargetFeatureString())))
      objects.push_back(image_functions_for_lanes(level));
  }
  auto linked = link_shared_object(objects);
  if (!linked || target.allow_unsafe) return linked;
  if (auto problem = problem_of_shared_object({reinterpret_cast<const uint8_t *>(linked->data()), linked->size()}))
    return llvm::createStringError("error: the linked program would not be safe to load: " + *problem);
  return linked;
}

}  // namespace upsweep::compiler
