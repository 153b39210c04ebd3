// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of remarks.
#include "passes/common/remarks.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

std::string place(const DILocation &location) {
  return (location.getFilename() + ":" + Twine(location.getLine()) + ":" + Twine(location.getColumn())).str();
}

void tell(LLVMContext &context, const DILocation *location, StringRef fallback, const Twine &text) {
  std::string all =
      (location && location->getLine() ? place(*location) + ": " : fallback.str() + ": ") + "remark: " + text.str();
  if (location && location->getInlinedAt()) all += " (inlined at " + place(*location->getInlinedAt()) + ")";
  context.diagnose(Remark(location ? location->getLine() : 0, location ? location->getColumn() : 0, all + " [-Rupsweep]"));
}

/// "@name.item" and "@name.full" are functions of the kernel "name".
StringRef kernel_of(const Function &function) { return function.getName().rsplit('.').first; }

/// Functions that the compiler writes have no subprogram. Their instructions have the locations of the kernel's.
const DISubprogram *subprogram_of(const Function &function) {
  if (const DISubprogram *own = function.getSubprogram()) return own;
  for (const BasicBlock &block : function)
    for (const Instruction &instruction : block)
      if (const DILocation *location = instruction.getDebugLoc().get()) return location->getInlinedAtScope()->getSubprogram();
  return nullptr;
}

}  // namespace

int Remark::kind() {
  static const int kKind = getNextAvailablePluginDiagnosticKind();
  return kKind;
}

void Remark::print(DiagnosticPrinter &printer) const { printer << text_; }

void remark(const Instruction &about, const Twine &text) {
  const DILocation *location = about.getDebugLoc().get();
  // Code that the compiler made has no line, or line 0.
  while (location && location->getLine() == 0 && location->getInlinedAt()) location = location->getInlinedAt();
  if (location && location->getLine() > 0) tell(about.getContext(), location, {}, text);
}

void remark(const Function &kernel, const Twine &text) {
  const DISubprogram *subprogram = subprogram_of(kernel);
  const std::string name = ("kernel '" + kernel_of(kernel) + "'").str();
  if (!subprogram) return tell(kernel.getContext(), nullptr, name, text);
  tell(kernel.getContext(),
       DILocation::get(kernel.getContext(), subprogram->getLine(), 1, const_cast<DISubprogram *>(subprogram)), name, text);
}

}  // namespace upsweep::passes
