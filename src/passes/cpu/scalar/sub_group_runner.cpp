// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar code: runs the lanes of a sub-group between its operations.
#include "passes/cpu/scalar/lane_operations.h"
#include "passes/cpu/scalar/split_lanes.h"
#include "passes/cpu/unit_state.h"
#include "passes/cpu/work_group_loop.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

class RunnerBuilder {
public:
  RunnerBuilder(Function &runner, const LaneUnit &unit, unsigned sub_group_size)
      : runner_(runner), unit_(unit), sub_group_size_(sub_group_size), builder_(runner.getContext()) {}
  void build();

private:
  BasicBlock *block(const char *name) { return BasicBlock::Create(builder_.getContext(), name, &runner_); }
  Value *state_place(Value *frame) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), frame, kUnitRecordOffset);
  }
  Value *load_state(Value *frame) { return builder_.CreateLoad(builder_.getInt32Ty(), state_place(frame), "state"); }
  void sweep(BasicBlock *start, BasicBlock *swept);
  void operate(BasicBlock *operation);

  Function &runner_;
  const LaneUnit &unit_;
  unsigned sub_group_size_;
  IRBuilder<> builder_;
  PHINode *mask_ = nullptr, *seen_ = nullptr, *site_ = nullptr;
};

// Resumes each lane that `mask` allows, and collects all lanes' states: `seen` is their bitwise or, `site` the earliest site
// waited at.
void RunnerBuilder::sweep(BasicBlock *start, BasicBlock *swept) {
  BasicBlock *lane = block("lane"), *resume = block("resume"), *look = block("look");
  Value *zero = builder_.getInt32(0), *none = builder_.getInt32(~0u);
  builder_.CreateBr(lane);
  builder_.SetInsertPoint(lane);
  PHINode *index = builder_.CreatePHI(builder_.getInt32Ty(), 2, "index");
  PHINode *seen = builder_.CreatePHI(builder_.getInt32Ty(), 2), *site = builder_.CreatePHI(builder_.getInt32Ty(), 2);
  Value *offset = builder_.CreateNUWMul(builder_.CreateZExt(index, builder_.getInt64Ty()), runner_.getArg(3));
  Value *frame = builder_.CreateInBoundsGEP(builder_.getInt8Ty(), runner_.getArg(0), offset);
  builder_.CreateCondBr(builder_.CreateIsNotNull(builder_.CreateAnd(load_state(frame), mask_)), resume, look);
  builder_.SetInsertPoint(resume);
  emit_resume(builder_, frame);
  builder_.CreateBr(look);

  builder_.SetInsertPoint(look);
  Value *state = load_state(frame);
  Value *at_site = builder_.CreateICmpUGE(state, builder_.getInt32(kFirstSite));
  Value *now_seen = builder_.CreateOr(seen, builder_.CreateSelect(at_site, zero, state));
  Value *earliest = builder_.CreateBinaryIntrinsic(Intrinsic::umin, site, builder_.CreateSelect(at_site, state, none));
  Value *next = builder_.CreateNUWAdd(index, builder_.getInt32(1));
  builder_.CreateCondBr(builder_.CreateICmpULT(next, runner_.getArg(1)), lane, swept);
  index->addIncoming(zero, start), index->addIncoming(next, look);
  seen->addIncoming(zero, start), seen->addIncoming(now_seen, look);
  site->addIncoming(none, start), site->addIncoming(earliest, look);
  builder_.SetInsertPoint(swept);
  seen_ = builder_.CreatePHI(builder_.getInt32Ty(), 1, "seen");
  seen_->addIncoming(now_seen, look);
  site_ = builder_.CreatePHI(builder_.getInt32Ty(), 1, "site");
  site_->addIncoming(earliest, look);
}

void RunnerBuilder::operate(BasicBlock *operation) {
  BasicBlock *unknown = block("unknown");
  builder_.SetInsertPoint(operation);
  SwitchInst *choice = builder_.CreateSwitch(site_, unknown, static_cast<unsigned>(unit_.sites.size()));
  builder_.SetInsertPoint(unknown);
  builder_.CreateUnreachable();
  SmallDenseMap<Function *, BasicBlock *> blocks;  // sites of the same operation share its code
  uint32_t state = 0;
  for (const UpsFunction *intrinsic : unit_.sites) {
    Function *function = make_lane_operation(*runner_.getParent(), *intrinsic, sub_group_size_);
    BasicBlock *&call = blocks[function];
    if (!call) {
      call = block("operate");
      builder_.SetInsertPoint(call);
      builder_.CreateCall(function, {runner_.getArg(0), runner_.getArg(1), runner_.getArg(3), site_});
      builder_.CreateBr(mask_->getParent());
      mask_->addIncoming(builder_.getInt32(kReady), call);
    }
    choice->addCase(builder_.getInt32(state += kFirstSite), call);
  }
}

void RunnerBuilder::build() {
  BasicBlock *entry = block("entry"), *start = block("sweep"), *swept = block("swept"), *operation = block("operation"),
             *exit = block("exit");
  builder_.SetInsertPoint(entry);
  builder_.CreateBr(start);
  builder_.SetInsertPoint(start);
  mask_ = builder_.CreatePHI(builder_.getInt32Ty(), 2, "mask");
  mask_->addIncoming(runner_.getArg(2), entry);
  sweep(start, swept);
  // A polling lane may still reach the site, so the operation waits for it.
  Value *has_site = builder_.CreateICmpNE(site_, builder_.getInt32(~0u));
  Value *yielded = builder_.CreateIsNotNull(builder_.CreateAnd(seen_, builder_.getInt32(kYielded)));
  builder_.CreateCondBr(builder_.CreateAnd(has_site, builder_.CreateNot(yielded)), operation, exit);
  operate(operation);
  builder_.SetInsertPoint(exit);
  builder_.CreateRet(seen_);
}

}  // namespace

Function *make_sub_group_runner(const LaneUnit &unit, StringRef kernel, unsigned sub_group_size) {
  Module &module = *unit.lane->getParent();
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *number = Type::getInt32Ty(context);
  auto *type = FunctionType::get(number, {pointer, number, number, Type::getInt64Ty(context)}, false);
  Function *runner = Function::Create(type, GlobalValue::InternalLinkage, kernel + ".sub_group", module);
  runner->setDoesNotThrow();
  RunnerBuilder(*runner, unit, sub_group_size).build();
  return runner;
}

void make_kernel_sub_group_runner(Kernel &kernel, Program &) {
  if (kernel.sites.empty()) return;
  kernel.units.run_sub_group =
      make_sub_group_runner({kernel.units.full, kernel.sites}, kernel.description.name, kernel.description.sub_group_size);
}

}  // namespace upsweep::passes
