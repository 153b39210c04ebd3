// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race check's intrinsics as calls of its hook.
#include "base/race_abi.h"
#include "passes/cpu/check/access.h"
#include "passes/cpu/check/lower_checks.h"
#include "passes/cpu/group_layout.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// The row that all calls of a function share; no variable of a source has a dot in its name.
AllocaInst *shared_row(Function &unit) {
  constexpr StringLiteral kName = "upsweep.race_row";
  BasicBlock &entry = unit.getEntryBlock();
  for (Instruction &instruction : entry)
    if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && variable->getName() == kName) return variable;
  IRBuilder<> builder(&entry, entry.begin());
  return builder.CreateAlloca(ArrayType::get(builder.getInt64Ty(), sizeof(UpsweepRaceRow) / 8), nullptr, kName);
}

/// A field of the row, by its offset.
using RowField = std::pair<size_t, Value *>;

SmallVector<RowField, 16> fields_of(IRBuilder<> &builder, const CallInst &call) {
  Value *zero = builder.getInt64(0), *none = builder.getInt32(0);
  Constant *null = ConstantPointerNull::get(builder.getPtrTy());
  if (intrinsic_of(call) == Ups::kRaceMeet)
    return {{offsetof(UpsweepRaceRow, pointer), zero},
            {offsetof(UpsweepRaceRow, step), zero},
            {offsetof(UpsweepRaceRow, pointers), null},
            {offsetof(UpsweepRaceRow, value), zero},
            {offsetof(UpsweepRaceRow, values), null},
            {offsetof(UpsweepRaceRow, mask), zero},
            {offsetof(UpsweepRaceRow, width), zero},
            {offsetof(UpsweepRaceRow, kind), call.getArgOperand(0)},
            {offsetof(UpsweepRaceRow, order), none},
            {offsetof(UpsweepRaceRow, scope), none},
            {offsetof(UpsweepRaceRow, spaces), call.getArgOperand(1)}};
  const auto operand = [&](unsigned i) { return call.getArgOperand(i); };
  return {{offsetof(UpsweepRaceRow, pointer), operand(1)},  {offsetof(UpsweepRaceRow, step), operand(2)},
          {offsetof(UpsweepRaceRow, pointers), operand(3)}, {offsetof(UpsweepRaceRow, value), operand(4)},
          {offsetof(UpsweepRaceRow, values), operand(5)},   {offsetof(UpsweepRaceRow, mask), operand(6)},
          {offsetof(UpsweepRaceRow, width), operand(7)},    {offsetof(UpsweepRaceRow, kind), operand(8)},
          {offsetof(UpsweepRaceRow, order), operand(9)},    {offsetof(UpsweepRaceRow, scope), operand(10)},
          {offsetof(UpsweepRaceRow, spaces), none}};
}

}  // namespace

CallInst *add_race_row(IRBuilder<> &builder, ArrayRef<Value *> operands) {
  Type *i64 = builder.getInt64Ty(), *i32 = builder.getInt32Ty(), *pointer = builder.getPtrTy();
  auto *type =
      FunctionType::get(builder.getVoidTy(), {pointer, i64, i64, pointer, i64, pointer, i64, i64, i32, i32, i32}, false);
  FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(name_of(Ups::kRaceRow), type);
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  return builder.CreateCall(callee, operands);
}

void lower_item_races(Function &item) {
  for (Instruction &instruction : make_early_inc_range(instructions(item))) {
    if (intrinsic_of(instruction) != Ups::kRace) continue;
    auto *call = cast<CallInst>(&instruction);
    IRBuilder<> builder(call);
    const auto operand = [&](unsigned i) { return call->getArgOperand(i); };
    Constant *null = ConstantPointerNull::get(builder.getPtrTy());
    Value *address = builder.CreatePtrToInt(operand(0), builder.getInt64Ty());
    add_race_row(builder, {operand(2), address, builder.getInt64(0), null, operand(3), null, builder.getInt64(1), operand(1),
                           operand(4), operand(5), operand(6)});
    call->eraseFromParent();
  }
}

void lower_race(IRBuilder<> &builder, CallInst &call, unsigned axis, unsigned sub_group_size) {
  Function &unit = *call.getFunction();
  Value *group = unit.getArg(0), *row = shared_row(unit);
  constexpr unsigned kKindOperand = 8;
  if (Value *kind = intrinsic_of(call) == Ups::kRaceRow ? call.getArgOperand(kKindOperand) : nullptr;
      kind && !isa<ConstantInt>(kind)) {
    Value *is_loud = builder.CreateICmpNE(kind, builder.getInt32(UPSWEEP_RACE_QUIET));
    builder.SetInsertPoint(SplitBlockAndInsertIfThen(is_loud, &call, false));
  }
  const bool is_access = intrinsic_of(call) == Ups::kRaceRow;
  SmallVector<RowField, 16> fields = fields_of(builder, call);
  fields.append({{offsetof(UpsweepRaceRow, sub_group_size), builder.getInt32(sub_group_size)},
                 {offsetof(UpsweepRaceRow, x), unit.getArg(2)},
                 {offsetof(UpsweepRaceRow, y), unit.getArg(3)},
                 {offsetof(UpsweepRaceRow, z), unit.getArg(4)},
                 {offsetof(UpsweepRaceRow, axis), builder.getInt32(axis)}});
  static_assert(sizeof(UpsweepRaceRow) == 7 * 8 + 10 * 4);
  for (const auto &[offset, value] : fields)
    builder.CreateStore(value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), row, offset));
  Type *pointer = builder.getPtrTy();
  Value *hooks = load_group_pointer(builder, group, offsetof(UpsweepGroup, hooks));
  Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), hooks, offsetof(UpsweepHooks, race));
  Value *site = is_access ? call.getArgOperand(0) : ConstantPointerNull::get(builder.getPtrTy());
  CallInst *made = builder.CreateCall(FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer}, false),
                                      builder.CreateLoad(pointer, place), {group, site, row});
  made->setDoesNotThrow();
  call.eraseFromParent();
}

}  // namespace upsweep::passes
