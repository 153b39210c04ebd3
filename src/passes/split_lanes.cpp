// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar code: one work-item after the other.
#include "passes/split_lanes.h"

#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {

Function *split_lanes(Function &item, StringRef kernel) {
  LLVMContext &context = item.getContext();
  Type *pointer = PointerType::get(context, 0), *number = Type::getInt32Ty(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, number, number, number, number}, false);
  Function *lane = Function::Create(type, GlobalValue::InternalLinkage, kernel + ".lane", item.getParent());
  lane->copyAttributesFrom(&item);
  lane->setSubprogram(item.getSubprogram());
  lane->IsNewDbgInfoFormat = item.IsNewDbgInfoFormat;
  lane->splice(lane->begin(), &item);
  static constexpr const char *kNames[] = {"group", "first", "x", "y", "z"};
  for (Argument &argument : lane->args()) argument.setName(kNames[argument.getArgNo()]);
  item.eraseFromParent();
  return lane;
}

} // namespace upsweep::passes
