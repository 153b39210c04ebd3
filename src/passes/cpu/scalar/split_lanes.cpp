// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar code: one work-item after another. Finds the call sites of sub-group operations and turns them into waits.
#include "passes/cpu/scalar/split_lanes.h"

#include "passes/cpu/scalar/structured_order.h"
#include "passes/cpu/unit_state.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

bool is_common(const Instruction &instruction) {
  const Ups intrinsic = intrinsic_of(instruction);
  return intrinsic == Ups::kSgCommon || intrinsic == Ups::kSgCommonPointer;
}

bool is_site(const Instruction &instruction) {
  const UpsFunction &callee = ups_function(instruction);
  return callee.is_of_sub_group() || callee.id == Ups::kSubGroupBarrier;
}

class SiteSplitter {
public:
  explicit SiteSplitter(LaneUnit &unit) : unit_(unit), builder_(unit.lane->getContext()) {}
  void run();

private:
  void meet_at_latches(ArrayRef<CallInst *> sites);
  void split(CallInst &call);
  Value *field(UnitRecordField index);

  LaneUnit &unit_;
  IRBuilder<> builder_;
};

// Prevents lanes that skip a loop's site from entering the next iteration while others still wait in this iteration.
void SiteSplitter::meet_at_latches(ArrayRef<CallInst *> sites) {
  DominatorTree dominators(*unit_.lane);
  LoopInfo loops(dominators);
  SmallVector<Instruction *, 4> latches;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    BasicBlock *latch = loop->getLoopLatch();
    bool has_site = false, in_step = latch != nullptr;
    for (CallInst *site : sites) {
      if (!loop->contains(site)) continue;
      has_site = true;
      in_step = in_step && dominators.dominates(site->getParent(), latch);
    }
    if (!has_site || in_step) continue;
    SmallVector<BasicBlock *, 4> all;
    loop->getLoopLatches(all);
    for (BasicBlock *each : all) latches.push_back(each->getTerminator());
  }
  FunctionCallee meeting =
      unit_.lane->getParent()->getOrInsertFunction(name_of(Ups::kSubGroupBarrier), builder_.getVoidTy(), builder_.getInt32Ty());
  for (Instruction *latch : latches) CallInst::Create(meeting, builder_.getInt32(0), "", latch->getIterator());
}

Value *SiteSplitter::field(UnitRecordField index) {
  Value *record =
      builder_.CreateCall(unit_.lane->getParent()->getOrInsertFunction(name_of(Ups::kUnitRecord), builder_.getPtrTy()));
  return builder_.CreateStructGEP(unit_record_type(builder_.getContext()), record, index);
}

void SiteSplitter::split(CallInst &call) {
  unit_.sites.push_back(&ups_function(call));
  builder_.SetInsertPoint(&call);
  bool is_meeting = unit_.sites.back()->id == Ups::kSubGroupBarrier;
  for (unsigned i = 0; !is_meeting && i < call.arg_size(); ++i)
    builder_.CreateAlignedStore(call.getArgOperand(i), field(i == 0 ? kOperandField : kSecondOperandField), Align(8));
  FunctionCallee wait =
      unit_.lane->getParent()->getOrInsertFunction(name_of(Ups::kAwaitLanes), builder_.getVoidTy(), builder_.getInt32Ty());
  builder_.CreateCall(wait, builder_.getInt32(static_cast<uint32_t>(unit_.sites.size()) * kFirstSite));
  if (!is_meeting) call.replaceAllUsesWith(builder_.CreateAlignedLoad(call.getType(), field(kOperandField), Align(8)));
  call.eraseFromParent();
}

/// A value that all lanes share is each lane's own.
void use_own_values(Function &lane) {
  for (Instruction &instruction : make_early_inc_range(instructions(lane))) {
    if (!is_common(instruction)) continue;
    instruction.replaceAllUsesWith(instruction.getOperand(0));
    instruction.eraseFromParent();
  }
}

void SiteSplitter::run() {
  use_own_values(*unit_.lane);
  SmallVector<CallInst *, 8> sites;
  for (Instruction &instruction : instructions(*unit_.lane))
    if (is_site(instruction)) sites.push_back(cast<CallInst>(&instruction));
  if (sites.empty()) return;
  meet_at_latches(sites);
  DominatorTree dominators(*unit_.lane);
  LoopInfo loops(dominators);
  for (BasicBlock *block : structured_order(*unit_.lane, loops))
    for (Instruction &instruction : make_early_inc_range(*block))
      if (is_site(instruction)) split(cast<CallInst>(instruction));
}

}  // namespace

LaneUnit split_lanes(Function &item, StringRef kernel) {
  LLVMContext &context = item.getContext();
  Type *pointer = PointerType::get(context, 0), *number = Type::getInt32Ty(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, number, number, number, number}, false);
  LaneUnit unit;
  unit.lane = Function::Create(type, GlobalValue::InternalLinkage, item.getAddressSpace(), kernel + ".lane");
  item.getParent()->getFunctionList().insert(item.getIterator(), unit.lane);
  unit.lane->copyAttributesFrom(&item);
  unit.lane->setSubprogram(item.getSubprogram());
  unit.lane->IsNewDbgInfoFormat = item.IsNewDbgInfoFormat;
  unit.lane->splice(unit.lane->begin(), &item);
  static constexpr const char *kNames[] = {"group", "first", "x", "y", "z"};
  for (Argument &argument : unit.lane->args()) argument.setName(kNames[argument.getArgNo()]);
  item.eraseFromParent();
  SiteSplitter(unit).run();
  return unit;
}

void split_kernel(Kernel &kernel, Program &program) {
  if (!kernel.item) return;
  program.functions->clear(*kernel.item, kernel.item->getName());
  LaneUnit unit = split_lanes(*std::exchange(kernel.item, nullptr), kernel.description.name);
  if (!kernel.large) {
    kernel.units.full = unit.lane;
    kernel.sites = std::move(unit.sites);
    return;
  }
  kernel.large->full = unit.lane;
  kernel.large->full->addFnAttr(Attribute::OptimizeForSize);
  kernel.large->lanes = 1;
}

}  // namespace upsweep::passes
