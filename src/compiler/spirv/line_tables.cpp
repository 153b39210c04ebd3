// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/line_tables.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace upsweep::compiler::spirv {

llvm::DIFile *LineTables::file(llvm::StringRef name) {
  llvm::DIFile *made = builder_.createFile(name, "");
  if (!unit_)
    unit_ = builder_.createCompileUnit(llvm::dwarf::DW_LANG_C99, made, "Upsweep", /*isOptimized=*/true, "", 0, "",
                                       llvm::DICompileUnit::LineTablesOnly);
  return made;
}

void LineTables::add(llvm::Function &function, size_t first, size_t last) {
  std::optional<SourceLines::Place> place;
  for (size_t index = first; index < last && !place; ++index) place = lines_.place(index);
  if (!place) return;
  llvm::DIFile *where = file(place->file);
  llvm::StringRef name = function.getName();
  name.consume_front("spv.");
  function.setSubprogram(builder_.createFunction(
      where, name, "", where, place->line, builder_.createSubroutineType(builder_.getOrCreateTypeArray({})), place->line,
      llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized));
}

llvm::DebugLoc LineTables::location(const llvm::Function &function, size_t index) {
  llvm::DISubprogram *scope = function.getSubprogram();
  if (!scope) return {};
  const std::optional<SourceLines::Place> place = lines_.place(index);
  if (!place) return llvm::DILocation::get(module_.getContext(), 0, 0, scope);
  llvm::DIScope *block = scope;
  if (place->file != scope->getFilename()) block = builder_.createLexicalBlockFile(scope, file(place->file));
  return llvm::DILocation::get(module_.getContext(), place->line, place->column, block);
}

void LineTables::finish() {
  if (!unit_) return;
  builder_.finalize();
  module_.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module_.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
  // LLVM needs a place for each call that may be inlined.
  for (llvm::Function &function : module_) {
    if (!function.getSubprogram()) continue;
    for (llvm::Instruction &each : llvm::instructions(function))
      if (llvm::isa<llvm::CallBase>(each) && !each.getDebugLoc())
        each.setDebugLoc(llvm::DILocation::get(module_.getContext(), 0, 0, function.getSubprogram()));
  }
}

}  // namespace upsweep::compiler::spirv
