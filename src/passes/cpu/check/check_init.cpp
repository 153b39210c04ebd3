// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the writer of shadows on an item and on the functions that it calls.
#include "passes/cpu/check/check_init.h"

#include "passes/common/link_builtins.h"
#include "passes/cpu/check/shadow_writer.h"

#include <llvm/ADT/SetVector.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// On functions that have shadows.
constexpr StringLiteral kShadowed = "upsweep-shadowed";

void add_callees(Function &function, SmallSetVector<Function *, 8> &callees) {
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration()) callees.insert(callee);
}

}  // namespace

/// Functions that are not inlined do not know their work-item, so they only keep the shadows of memory.
void check_init(Kernel &kernel, Program &program) {
  SmallSetVector<Function *, 8> callees;
  add_callees(*kernel.item, callees);
  ShadowWriter(*kernel.item, kernel.description, true).run();
  program.functions->clear(*kernel.item, kernel.item->getName());
  for (size_t i = 0; i < callees.size(); ++i) {
    Function &callee = *callees[i];
    if (callee.hasFnAttribute(kShadowed) || callee.hasFnAttribute(kLibraryAttribute)) continue;
    callee.addFnAttr(kShadowed);
    add_callees(callee, callees);
    ShadowWriter(callee, kernel.description, false).run();
    program.functions->clear(callee, callee.getName());
  }
}

}  // namespace upsweep::passes
