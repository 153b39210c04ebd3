// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the hooks for checked barriers.
#include "passes/cpu/check/lower_checks.h"
#include "passes/cpu/group_layout.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {

void add_meeting_row(IRBuilder<> &builder, Value *site, Value *values, Value *lanes, uint32_t stride) {
  Type *pointer = builder.getPtrTy();
  Module &module = *builder.GetInsertBlock()->getModule();
  auto *type = FunctionType::get(builder.getVoidTy(), {pointer, pointer, builder.getInt64Ty(), builder.getInt32Ty()}, false);
  FunctionCallee callee = module.getOrInsertFunction(name_of(Ups::kMeetRow), type);
  auto *function = cast<Function>(callee.getCallee());
  function->setMemoryEffects(MemoryEffects::argMemOnly(ModRefInfo::Ref) | MemoryEffects::inaccessibleMemOnly());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setConvergent();
  builder.CreateCall(callee, {site, values, lanes, builder.getInt32(stride)})->setConvergent();
}

uint32_t num_meeting_values(const CallInst &meeting) {
  const auto *record = cast<ConstantStruct>(cast<GlobalVariable>(meeting.getArgOperand(0))->getInitializer());
  const auto number = [&](unsigned index) { return cast<ConstantInt>(record->getOperand(index))->getZExtValue(); };
  constexpr unsigned kCount = 3, kFlags = 4;  // UpsweepMeetingSite
  return number(kFlags) & UPSWEEP_POLLS ? 1 : static_cast<uint32_t>(number(kCount));
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
    add_meeting_row(builder, meeting->getArgOperand(0), values, builder.getInt64(1), 0);
    meeting->eraseFromParent();
  }
}

void lower_meeting(IRBuilder<> &builder, CallInst &call, unsigned sub_group_size, unsigned axis) {
  Function &unit = *call.getFunction();
  Value *group = unit.getArg(0);
  AllocaInst *place = report_place(unit, builder.getInt32Ty(), sizeof(UpsweepItemPlace) / 4, "upsweep.place");
  AllocaInst *row = report_place(unit, builder.getInt64Ty(), sizeof(UpsweepMeetingRow) / 8, "upsweep.row");
  static_assert(sizeof(UpsweepMeetingRow) == 3 * 8 && sizeof(UpsweepItemPlace) == 6 * 4);
  Value *zero = builder.getInt32(0);
  store_report(builder, place, {unit.getArg(2), unit.getArg(3), unit.getArg(4), zero, builder.getInt32(axis), zero});
  const uint64_t stride = cast<ConstantInt>(call.getArgOperand(3))->getZExtValue();
  Value *values = builder.CreatePtrToInt(call.getArgOperand(1), builder.getInt64Ty());
  store_report(builder, row, {call.getArgOperand(2), values, builder.getInt64(stride | uint64_t{sub_group_size} << 32)});
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
