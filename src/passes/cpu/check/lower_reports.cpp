// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checker's intrinsics as loads from the group and calls of its hooks.
#include "passes/cpu/check/lower_checks.h"
#include "passes/cpu/group_layout.h"

using namespace llvm;

namespace upsweep::passes {

Value *load_group_hook(IRBuilder<> &builder, Value *group, size_t offset) {
  Value *hooks = load_group_pointer(builder, group, offsetof(UpsweepGroup, hooks));
  return builder.CreateLoad(builder.getPtrTy(), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), hooks, offset));
}

/// All calls share a variable for each struct, so that the function's frame stays small. No variable of a source has a dot in
/// its name.
AllocaInst *report_place(Function &unit, Type *element, uint64_t count, StringRef name) {
  BasicBlock &entry = unit.getEntryBlock();
  for (Instruction &instruction : entry)
    if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && variable->getName() == name) return variable;
  IRBuilder<> builder(&entry, entry.begin());
  return builder.CreateAlloca(ArrayType::get(element, count), nullptr, name);
}

void store_report(IRBuilder<> &builder, Value *place, ArrayRef<Value *> values) {
  for (auto [i, value] : enumerate(values))
    builder.CreateStore(value, builder.CreateConstInBoundsGEP1_64(value->getType(), place, i));
}

namespace {

/// Operands of __ups_report: site, address, start, bytes, width, value, lane.
void report(IRBuilder<> &builder, CallInst &call, unsigned axis) {
  Function &unit = *call.getFunction();
  Value *group = unit.getArg(0);
  AllocaInst *failure = report_place(unit, builder.getInt64Ty(), sizeof(UpsweepFailure) / 8, "upsweep.failure");
  AllocaInst *place = report_place(unit, builder.getInt32Ty(), sizeof(UpsweepItemPlace) / 4, "upsweep.place");
  static_assert(sizeof(UpsweepFailure) == 5 * 8 && sizeof(UpsweepItemPlace) == 6 * 4);
  Value *address = builder.CreatePtrToInt(call.getArgOperand(1), builder.getInt64Ty());
  store_report(builder, failure,
               {address, call.getArgOperand(2), call.getArgOperand(3), call.getArgOperand(4), call.getArgOperand(5)});
  store_report(
      builder, place,
      {unit.getArg(2), unit.getArg(3), unit.getArg(4), call.getArgOperand(6), builder.getInt32(axis), builder.getInt32(0)});
  Type *pointer = builder.getPtrTy();
  auto *type = FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer, pointer}, false);
  CallInst *made = builder.CreateCall(type, load_group_hook(builder, group, offsetof(UpsweepHooks, report)),
                                      {group, call.getArgOperand(0), failure, place});
  made->setDoesNotThrow();
  made->addFnAttr(Attribute::Cold);
}

Value *bound(IRBuilder<> &builder, CallInst &call) {
  Value *group = call.getFunction()->getArg(0);
  Value *bounds = load_group_pointer(builder, group, offsetof(UpsweepGroup, bounds));
  const uint64_t argument = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
  const auto load = [&](uint64_t field) {
    return load_group_field(builder, bounds, argument * sizeof(UpsweepBounds) + field, builder.getInt64Ty());
  };
  Value *value = load(cast<ConstantInt>(call.getArgOperand(1))->getZExtValue());
  const uint64_t align = cast<ConstantInt>(call.getArgOperand(2))->getZExtValue();
  if (align == 1) return value;
  Value *address = builder.CreateAdd(load(offsetof(UpsweepBounds, base)), load(offsetof(UpsweepBounds, start)));
  Value *is_aligned = builder.CreateIsNull(builder.CreateAnd(address, builder.getInt64(align - 1)));
  return builder.CreateSelect(is_aligned, value, builder.getInt64(0));
}

Value *find_object(IRBuilder<> &builder, CallInst &call) {
  Value *group = call.getFunction()->getArg(0);
  Value *find = load_group_hook(builder, group, offsetof(UpsweepHooks, find));
  Type *pointer = builder.getPtrTy();
  auto *type = FunctionType::get(call.getType(), {pointer, pointer, builder.getInt32Ty()}, false);
  CallInst *made = builder.CreateCall(type, find, {group, call.getArgOperand(0), call.getArgOperand(1)});
  made->setDoesNotThrow();
  return made;
}

}  // namespace

Value *lower_report(IRBuilder<> &builder, Ups intrinsic, CallInst &call, unsigned axis) {
  if (intrinsic == Ups::kBounds) return bound(builder, call);
  if (intrinsic == Ups::kFindObject) return find_object(builder, call);
  if (intrinsic == Ups::kReport) report(builder, call, axis);
  return nullptr;
}

}  // namespace upsweep::passes
