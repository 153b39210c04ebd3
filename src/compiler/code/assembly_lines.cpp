// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions of a written function count as inlined into its new subprogram.
#include "compiler/code/assembly_lines.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace upsweep::compiler {
namespace {

bool has_lines_alone(const Module &module) {
  return !module.debug_compile_units().empty() && all_of(module.debug_compile_units(), [](const DICompileUnit *unit) {
    return unit->getEmissionKind() == DICompileUnit::LineTablesOnly;
  });
}

/// The subprogram of the kernel that the code comes from; null if no instruction has a line.
DISubprogram *source_of(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (const DILocation *location = instruction.getDebugLoc().get()) return location->getInlinedAtScope()->getSubprogram();
  return nullptr;
}

DISubprogram *make_subprogram(const Function &function, DISubprogram &source) {
  LLVMContext &context = function.getContext();
  DISubroutineType *type = DISubroutineType::get(context, DINode::FlagZero, 0, DITypeRefArray(MDTuple::get(context, {})));
  return DISubprogram::getDistinct(context, source.getFile(), function.getName(), function.getName(), source.getFile(),
                                   source.getLine(), type, source.getLine(), nullptr, 0, 0, DINode::FlagArtificial,
                                   DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized, source.getUnit());
}

}  // namespace

void name_written_functions(Module &module) {
  if (!has_lines_alone(module)) return;
  LLVMContext &context = module.getContext();
  for (Function &function : module) {
    DISubprogram *source = function.getSubprogram() ? nullptr : source_of(function);
    if (!source) continue;
    DISubprogram *made = make_subprogram(function, *source);
    function.setSubprogram(made);
    DILocation *around = DILocation::getDistinct(context, source->getLine(), 1, made);
    DILocation *nowhere = DILocation::get(context, 0, 0, made);
    DenseMap<const MDNode *, MDNode *> moved;
    for (Instruction &instruction : instructions(function)) {
      if (const DebugLoc location = instruction.getDebugLoc())
        instruction.setDebugLoc(DILocation::get(context, location.getLine(), location.getCol(), location.getScope(),
                                                DebugLoc::appendInlinedAt(location, around, context, moved).get()));
      else if (isa<CallBase>(instruction))
        instruction.setDebugLoc(nowhere);  // LLVM's verifier asks for a location of each call that could be inlined
    }
  }
}

}  // namespace upsweep::compiler
