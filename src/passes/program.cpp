// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's initial state for the first pass.
#include "passes/program.h"

#include "passes/common/kernel_info.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {

AnalysisKey ProgramAnalysis::Key;

Error Program::take_error() { return error.empty() ? Error::success() : createStringError(std::exchange(error, {})); }

void Program::erase(Function &function) const {
  functions->clear(function, function.getName());
  function.eraseFromParent();
}

SmallVector<Kernel, 8> find_kernels(Module &module, unsigned sub_group_size) {
  SmallVector<Kernel, 8> kernels;
  const auto kernel_named = [&](StringRef name) -> Kernel & {
    auto *known = find_if(kernels, [&](const Kernel &kernel) { return kernel.description.name == name; });
    if (known != kernels.end()) return *known;
    Kernel &made = kernels.emplace_back();
    made.description.name = name.str();
    return made;
  };
  for (Function &function : module) {
    if (function.isDeclaration()) continue;
    if (is_kernel(function)) kernel_named(function.getName()).description = describe_kernel(function);
    const auto [name, role] = function.getName().rsplit('.');
    constexpr Function *Units::*kNone = nullptr;
    const auto unit = StringSwitch<Function * Units::*>(role)
                          .Cases("full", "lane", &Units::full)
                          .Case("row", &Units::row)
                          .Case("column", &Units::column)
                          .Case("part", &Units::part)
                          .Case("sub_group", &Units::run_sub_group)
                          .Default(kNone);
    if (unit) kernel_named(name).units.*unit = &function;
    if (role == "item") kernel_named(name).item = &function;
    if (role == "entry") kernel_named(name).entry = &function;
  }
  for (Kernel &kernel : kernels) {
    Units &units = kernel.units;
    kernel.description.sub_group_size = units.sub_group_size = sub_group_size;
    if (units.row || units.part) units.lanes = sub_group_size;
    if (Function *any = kernel.item ? kernel.item : units.full) kernel.locals = lay_out_locals(*any);
  }
  return kernels;
}

Program ProgramAnalysis::run(Module &module, ModuleAnalysisManager &analyses) const {
  Program program;
  program.options = options_;
  if (!program.options.sub_group_size)
    program.options.sub_group_size = options_.machine->getTargetFeatureString().contains("+avx512f") ? 16 : 8;
  program.modules = &analyses;
  program.functions = &analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  program.kernels = find_kernels(module, program.options.sub_group_size);
  return program;
}

}  // namespace upsweep::passes
