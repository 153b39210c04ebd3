// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the hooks for checked barriers.
#include "passes/cpu/check/lower_checks.h"
#include "passes/cpu/group_layout.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace upsweep::passes {

void add_meeting_row(IRBuilder<> &builder, Value *site, Value *values, Value *lanes, uint32_t stride, uint32_t unit_lanes) {
  Type *pointer = builder.getPtrTy();
  Module &module = *builder.GetInsertBlock()->getModule();
  auto *type = FunctionType::get(builder.getVoidTy(),
                                 {pointer, pointer, builder.getInt64Ty(), builder.getInt32Ty(), builder.getInt32Ty()}, false);
  FunctionCallee callee = module.getOrInsertFunction(name_of(Ups::kMeetRow), type);
  auto *function = cast<Function>(callee.getCallee());
  function->setMemoryEffects(MemoryEffects::argMemOnly(ModRefInfo::Ref) | MemoryEffects::inaccessibleMemOnly());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setConvergent();
  builder.CreateCall(callee, {site, values, lanes, builder.getInt32(stride), builder.getInt32(unit_lanes)})->setConvergent();
}

namespace {

/// A field of the UpsweepMeetingSite of a call.
uint32_t meeting_field(const CallInst &meeting, unsigned index) {
  const auto *record = cast<ConstantStruct>(cast<GlobalVariable>(meeting.getArgOperand(0))->getInitializer());
  return static_cast<uint32_t>(cast<ConstantInt>(record->getOperand(index))->getZExtValue());
}
constexpr unsigned kCountField = 3, kFlagsField = 4;

}  // namespace

uint32_t num_meeting_values(const CallInst &meeting) {
  return meeting_field(meeting, kFlagsField) & UPSWEEP_POLLS ? 1 : meeting_field(meeting, kCountField);
}

void lower_meetings_of_one(Function &item) {
  SmallVector<CallInst *, 16> meetings;
  for (Instruction &instruction : instructions(item))
    if (intrinsic_of(instruction) == Ups::kMeetAt) meetings.push_back(cast<CallInst>(&instruction));
  if (meetings.empty()) return;
  IRBuilder<> entry(&item.getEntryBlock(), item.getEntryBlock().begin());
  AllocaInst *values =
      entry.CreateAlloca(ArrayType::get(entry.getInt64Ty(), UPSWEEP_MOST_MEETING_ARGUMENTS), nullptr, "upsweep.values");
  for (CallInst *meeting : meetings) {
    IRBuilder<> builder(meeting);
    for (uint32_t i = 0; i < num_meeting_values(*meeting); ++i)
      builder.CreateStore(meeting->getArgOperand(1 + i), builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), values, i));
    add_meeting_row(builder, meeting->getArgOperand(0), values, builder.getInt64(1), 0, 1);
    meeting->eraseFromParent();
  }
}

namespace {

/// A whole unit that reaches the site next, with the arguments of the units before it, only notes the following unit. The
/// builder ends in the code for all other units.
void note_unit_in_turn(IRBuilder<> &builder, CallInst &call, unsigned unit_lanes) {
  Value *first = call.getFunction()->getArg(1);
  Type *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty();
  Value *checks = load_group_pointer(builder, call.getFunction()->getArg(0), offsetof(UpsweepGroup, checks));
  const auto field = [&](size_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), checks, offsetof(UpsweepCheckState, meeting) + offset);
  };
  Value *next = field(offsetof(UpsweepMeetingState, next)), *site = field(offsetof(UpsweepMeetingState, site));
  SmallVector<Value *, 8> tests{
      builder.CreateICmpEQ(builder.CreateLoad(builder.getPtrTy(), site), call.getArgOperand(0)),
      builder.CreateICmpEQ(builder.CreateLoad(i32, next), first),
      builder.CreateICmpEQ(call.getArgOperand(2), builder.getInt64(maskTrailingOnes<uint64_t>(unit_lanes)))};
  for (uint32_t i = 0; i < num_meeting_values(call); ++i) {
    Value *known = builder.CreateLoad(i64, field(offsetof(UpsweepMeetingState, values) + i * sizeof(uint64_t)));
    Value *mine = builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(i64, call.getArgOperand(1), i));
    tests.push_back(builder.CreateICmpEQ(known, mine));
  }
  Instruction *in_turn = nullptr, *other = nullptr;
  SplitBlockAndInsertIfThenElse(builder.CreateAnd(tests), &call, &in_turn, &other,
                                MDBuilder(builder.getContext()).createBranchWeights(1000, 1));
  builder.SetInsertPoint(in_turn);
  builder.CreateStore(builder.CreateAdd(first, builder.getInt32(unit_lanes)), next);
  builder.SetInsertPoint(other);
}

}  // namespace

void lower_meeting(IRBuilder<> &builder, CallInst &call, unsigned sub_group_size, unsigned axis) {
  Function &unit = *call.getFunction();
  Value *group = unit.getArg(0);
  const auto stride = static_cast<unsigned>(cast<ConstantInt>(call.getArgOperand(3))->getZExtValue());
  const auto unit_lanes = static_cast<unsigned>(cast<ConstantInt>(call.getArgOperand(4))->getZExtValue());
  const uint32_t flags = meeting_field(call, kFlagsField);
  if (stride == 0 && !(flags & (UPSWEEP_MEETS_SUB_GROUP | UPSWEEP_POLLS))) note_unit_in_turn(builder, call, unit_lanes);
  AllocaInst *place = report_place(unit, builder.getInt32Ty(), sizeof(UpsweepItemPlace) / 4, "upsweep.place");
  AllocaInst *row = report_place(unit, builder.getInt64Ty(), sizeof(UpsweepMeetingRow) / 8, "upsweep.row");
  static_assert(sizeof(UpsweepMeetingRow) == 3 * 8 && sizeof(UpsweepItemPlace) == 6 * 4);
  Value *zero = builder.getInt32(0);
  store_report(builder, place, {unit.getArg(2), unit.getArg(3), unit.getArg(4), zero, builder.getInt32(axis), unit.getArg(1)});
  Value *values = builder.CreatePtrToInt(call.getArgOperand(1), builder.getInt64Ty());
  store_report(
      builder, row,
      {call.getArgOperand(2), values, builder.getInt64(stride | uint64_t{sub_group_size} << 32 | uint64_t{unit_lanes} << 48)});
  Type *pointer = builder.getPtrTy();
  auto *type = FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer, pointer}, false);
  builder
      .CreateCall(type, load_group_hook(builder, group, offsetof(UpsweepHooks, meet)),
                  {group, call.getArgOperand(0), place, row})
      ->setDoesNotThrow();
}

void end_meetings(Function &entry) {
  for (BasicBlock &block : entry) {
    auto *exit = dyn_cast<ReturnInst>(block.getTerminator());
    if (!exit) continue;
    IRBuilder<> builder(exit);
    auto *type = FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
    Value *group = entry.getArg(0);
    builder.CreateCall(type, load_group_hook(builder, group, offsetof(UpsweepHooks, end_meetings)), {group})->setDoesNotThrow();
  }
}

}  // namespace upsweep::passes
