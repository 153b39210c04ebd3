// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places local variables in the order of their first use.
#include "passes/common/local_variables.h"

#include "passes/common/flat_memory.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/ReplaceConstant.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

void find_locals(Value *operand, SetVector<GlobalVariable *> &found) {
  if (auto *variable = dyn_cast<GlobalVariable>(operand); variable && variable->hasMetadata(kLocalMetadata))
    found.insert(variable);
  if (auto *constant = dyn_cast<Constant>(operand); constant && !isa<GlobalValue>(constant))
    for (Value *part : constant->operands()) find_locals(part, found);
}

}  // namespace

LocalLayout lay_out_locals(Function &item) {
  SetVector<GlobalVariable *> used;
  for (Instruction &instruction : instructions(item))
    for (Value *operand : instruction.operands()) find_locals(operand, used);
  LocalLayout layout;
  const DataLayout &data_layout = item.getDataLayout();
  for (GlobalVariable *variable : used) {
    const Align align = data_layout.getPreferredAlign(variable);
    layout.align = std::max(layout.align, align);
    layout.bytes = alignTo(layout.bytes, align);
    layout.offsets[variable] = layout.bytes;
    layout.bytes += data_layout.getTypeAllocSize(variable->getValueType());
  }
  return layout;
}

// Turns constant expressions on local variables into instructions, so that the variable's address can be substituted.
void place_locals(Function &function, const LocalLayout &locals, function_ref<Value *(IRBuilder<> &)> base) {
  SmallVector<Constant *, 8> variables;
  for (auto [variable, offset] : locals.offsets) variables.push_back(variable);
  if (variables.empty()) return;
  convertUsersOfConstantsToInstructions(variables, &function);
  IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
  Value *memory = base(builder);
  for (auto [variable, offset] : locals.offsets) {
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory, offset, variable->getName());
    variable->replaceUsesWithIf(place, [&](Use &use) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      return user && user->getFunction() == &function;
    });
  }
}

}  // namespace upsweep::passes
