// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Climbs from a block to the blocks that decide whether it runs. A block has the lanes of its dominator if it post-dominates
// all of the dominator's branches, and otherwise the lanes that vote for the edge between the two. A loop's lanes are a phi of
// the lanes that enter and the lanes that stay.
#include "passes/gpu/active_lanes.h"

#include "passes/common/intrinsics.h"
#include "passes/gpu/reducible_flow.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr unsigned kLanes = 32;  // of a warp

class LanesOfBlocks {
public:
  /// `size`: of a sub-group.
  LanesOfBlocks(Function &kernel, unsigned size, FunctionAnalysisManager &analyses);

  Value *in(BasicBlock &block);
  /// Whether votes cannot determine the lanes of some block.
  bool is_tangled() const { return is_tangled_; }
  /// Removes all code that was written.
  void undo();

private:
  using Builder = IRBuilder<ConstantFolder, IRBuilderCallbackInserter>;

  Value *in_header(Loop &loop);
  Value *entering(BasicBlock &block);
  Value *find_entering(BasicBlock &block);
  Value *along(BasicBlock &from, BasicBlock &to);
  Value *existing();
  Value *in_sub_group(Value *lanes, Builder &builder) const;
  Value *arriving(BasicBlock &block);
  bool is_uniform(const Value &value, SmallPtrSetImpl<const Value *> &seen) const;
  bool is_uniform(const BasicBlock &from) const;
  bool lanes_stay_together(const Loop &loop) const;
  Loop *outermost_left(BasicBlock &from, BasicBlock &to) const;
  bool is_next(BasicBlock &block, BasicBlock &above, const Loop *around) const;
  Builder &before(Instruction *place) {
    builder_.SetInsertPoint(place);
    return builder_;
  }

  Function &kernel_;
  const unsigned size_;
  const DominatorTree &tree_;
  const PostDominatorTree &after_;
  const LoopInfo &loops_;
  UniformityInfo &uniformity_;
  bool has_simple_loops_;
  bool is_tangled_ = false;
  DenseMap<BasicBlock *, Value *> in_headers_, entering_;
  SmallVector<Instruction *, 32> written_;
  Builder builder_;
};

LanesOfBlocks::LanesOfBlocks(Function &kernel, unsigned size, FunctionAnalysisManager &analyses)
    : kernel_(kernel), size_(size), tree_(analyses.getResult<DominatorTreeAnalysis>(kernel)),
      after_(analyses.getResult<PostDominatorTreeAnalysis>(kernel)), loops_(analyses.getResult<LoopAnalysis>(kernel)),
      uniformity_(analyses.getResult<UniformityInfoAnalysis>(kernel)),
      builder_(kernel.getContext(), ConstantFolder(),
               IRBuilderCallbackInserter([this](Instruction *written) { written_.push_back(written); })) {
  ReversePostOrderTraversal<Function *> order(&kernel);
  has_simple_loops_ = !containsIrreducibleCFG<BasicBlock *>(order, loops_) &&
                      all_of(loops_.getLoopsInPreorder(), [](const Loop *loop) { return loop->getLoopPreheader(); });
}

void LanesOfBlocks::undo() {
  for (Instruction *each : written_) each->dropAllReferences();
  for (Instruction *each : written_) each->eraseFromParent();
  written_.clear();
}

/// The lanes that are also in the work-item's sub-group.
Value *LanesOfBlocks::in_sub_group(Value *lanes, Builder &builder) const {
  if (size_ == kLanes) return lanes;
  Value *first = builder.CreateAnd(builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {}, {}), ~(size_ - 1));
  return builder.CreateAnd(lanes, builder.CreateShl(builder.getInt32((1U << size_) - 1), first));
}

/// All existing lanes: all, except in a work-group's last sub-group.
Value *LanesOfBlocks::existing() {
  Builder &builder = before(&*kernel_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  auto read = [&](Intrinsic::ID id) { return builder.CreateIntrinsic(id, {}, {}); };
  Value *x = read(Intrinsic::nvvm_read_ptx_sreg_ntid_x), *y = read(Intrinsic::nvvm_read_ptx_sreg_ntid_y);
  Value *threads = builder.CreateMul(builder.CreateMul(x, y), read(Intrinsic::nvvm_read_ptx_sreg_ntid_z));
  Value *row = builder.CreateAdd(read(Intrinsic::nvvm_read_ptx_sreg_tid_y),
                                 builder.CreateMul(y, read(Intrinsic::nvvm_read_ptx_sreg_tid_z)));
  Value *thread = builder.CreateAdd(read(Intrinsic::nvvm_read_ptx_sreg_tid_x), builder.CreateMul(x, row));
  Value *rest = builder.CreateSub(threads, builder.CreateAnd(thread, ~(kLanes - 1)));
  Value *some = builder.CreateSub(builder.CreateShl(builder.getInt32(1), rest), builder.getInt32(1));
  Value *of_warp = builder.CreateSelect(builder.CreateICmpUGE(rest, builder.getInt32(kLanes)), builder.getInt32(~0U), some);
  return in_sub_group(of_warp, builder);
}

/// The lanes that happen to arrive together.
Value *LanesOfBlocks::arriving(BasicBlock &block) {
  is_tangled_ = true;
  Builder &builder = before(&*block.getFirstInsertionPt());
  auto *assembly = InlineAsm::get(FunctionType::get(builder.getInt32Ty(), false), "activemask.b32 $0;", "=r", true);
  CallInst *call = builder.CreateCall(assembly);
  call->addFnAttr(Attribute::Convergent);
  return in_sub_group(call, builder);
}

/// A value may differ between lanes even if its address does not, if they read it at different times. So may values from loops
/// that lanes leave separately.
bool LanesOfBlocks::is_uniform(const Value &value, SmallPtrSetImpl<const Value *> &seen) const {
  if (!seen.insert(&value).second) return true;
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction) return true;
  if (instruction->isAtomic() || instruction->isVolatile() || uniformity_.isDivergent(instruction)) return false;
  if (isa<PHINode>(instruction)) {
    const Loop *loop = loops_.getLoopFor(instruction->getParent());
    if (!loop || loop->getHeader() != instruction->getParent() || !lanes_stay_together(*loop)) return false;
  }
  return all_of(instruction->operands(), [&](const Use &operand) { return is_uniform(*operand, seen); });
}

bool LanesOfBlocks::is_uniform(const BasicBlock &from) const {
  const auto *branch = dyn_cast<BranchInst>(from.getTerminator());
  if (!branch || branch->isUnconditional()) return branch != nullptr;
  SmallPtrSet<const Value *, 16> seen;
  return !uniformity_.hasDivergentTerminator(from) && is_uniform(*branch->getCondition(), seen);
}

bool LanesOfBlocks::lanes_stay_together(const Loop &loop) const {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return none_of(exiting, [&](BasicBlock *block) { return uniformity_.hasDivergentTerminator(*block); });
}

Loop *LanesOfBlocks::outermost_left(BasicBlock &from, BasicBlock &to) const {
  Loop *left = nullptr;
  for (Loop *loop = loops_.getLoopFor(&from); loop && !loop->contains(&to); loop = loop->getParentLoop()) left = loop;
  return left;
}

/// Whether all lanes of `above` reach the block, in the same iteration of the loop around both.
bool LanesOfBlocks::is_next(BasicBlock &block, BasicBlock &above, const Loop *around) const {
  if (!after_.dominates(&block, &above)) return false;
  if (!around) return true;
  SmallVector<BasicBlock *, 8> open{&above};
  SmallPtrSet<BasicBlock *, 16> seen{&above};
  while (!open.empty())
    for (BasicBlock *next : successors(open.pop_back_val())) {
      if (next == &block || !seen.insert(next).second) continue;
      if (next == around->getHeader() || !around->contains(next)) return false;
      open.push_back(next);
    }
  return true;
}

Value *LanesOfBlocks::along(BasicBlock &from, BasicBlock &to) {
  Value *lanes = in(from);
  auto *branch = dyn_cast<BranchInst>(from.getTerminator());
  if (!branch) return arriving(to);
  if (from.getUniqueSuccessor() || is_uniform(from)) return lanes;
  Builder &builder = before(branch);
  Value *votes = branch->getCondition();
  if (branch->getSuccessor(0) != &to) votes = builder.CreateNot(votes);
  return builder.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync, {}, {lanes, votes});
}

Value *LanesOfBlocks::find_entering(BasicBlock &block) {
  if (&block == &kernel_.getEntryBlock()) return existing();
  BasicBlock &above = *tree_.getNode(&block)->getIDom()->getBlock();
  const Loop *around = loops_.getLoopFor(&block);
  const bool is_header = around && around->getHeader() == &block;
  if (is_header) around = around->getParentLoop();
  Loop *left = outermost_left(above, block);
  if (left && is_next(block, *left->getHeader(), around)) return entering(*left->getHeader());
  if (!left || (is_uniform(above) && lanes_stay_together(*left))) {
    if (!left && is_next(block, above, around)) return in(above);
    if (is_header || block.getUniquePredecessor() == &above) return along(above, block);
  }
  return arriving(block);
}

/// The lanes that reach the block, or the header of a loop from outside the loop.
Value *LanesOfBlocks::entering(BasicBlock &block) {
  if (Value *known = entering_.lookup(&block)) return known;
  Value *lanes = find_entering(block);
  return entering_[&block] = lanes;
}

Value *LanesOfBlocks::in_header(Loop &loop) {
  BasicBlock &header = *loop.getHeader();
  if (Value *known = in_headers_.lookup(&header)) return known;
  Value *outside = entering(header);
  BasicBlock *latch = loop.getLoopLatch();
  if (lanes_stay_together(loop) || !latch) return in_headers_[&header] = outside;
  PHINode *lanes = before(&*header.begin()).CreatePHI(outside->getType(), 2, "lanes");
  in_headers_[&header] = lanes;
  Value *staying = along(*latch, header);
  for (BasicBlock *from : predecessors(&header)) lanes->addIncoming(loop.contains(from) ? staying : outside, from);
  return lanes;
}

Value *LanesOfBlocks::in(BasicBlock &block) {
  if (!has_simple_loops_) return arriving(block);
  Loop *loop = loops_.getLoopFor(&block);
  return loop && loop->getHeader() == &block ? in_header(*loop) : entering(block);
}

SmallVector<CallInst *, 8> find_calls(Function &kernel) {
  SmallVector<CallInst *, 8> calls;
  for (Instruction &instruction : instructions(kernel))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && intrinsic_of(*call) == Ups::kActiveLanes) calls.push_back(call);
  return calls;
}

/// Whether votes determined all lanes. If not, and `must` is false, the kernel is unchanged.
bool replace(ArrayRef<CallInst *> calls, Kernel &record, FunctionAnalysisManager &analyses, bool must) {
  Function &kernel = *record.item;
  LanesOfBlocks lanes(kernel, record.description.sub_group_size, analyses);
  SmallVector<Value *, 8> found;
  for (CallInst *call : calls) found.push_back(lanes.in(*call->getParent()));
  if (lanes.is_tangled() && !must) {
    lanes.undo();
    return false;
  }
  for (auto [call, value] : zip(calls, found)) {
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
  analyses.invalidate(kernel, PreservedAnalyses::none());
  return !lanes.is_tangled();
}

void run(FunctionPassManager passes, Function &kernel, FunctionAnalysisManager &analyses) {
  analyses.invalidate(kernel, passes.run(kernel, analyses));
}

void simplify_branches(Function &kernel, FunctionAnalysisManager &analyses) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));  // otherwise conditions in memory would be any lane's
  passes.addPass(SimplifyCFGPass());
  passes.addPass(LowerSwitchPass());
  passes.addPass(LoopSimplifyPass());
  run(std::move(passes), kernel, analyses);
}

void untangle(Function &kernel, FunctionAnalysisManager &analyses) {
  structure_flow(kernel, analyses);
  FunctionPassManager passes;
  passes.addPass(LoopSimplifyPass());
  run(std::move(passes), kernel, analyses);
}

}  // namespace

void find_kernel_active_lanes(Kernel &record, Program &program) {
  Function &kernel = *record.item;
  FunctionAnalysisManager &analyses = *program.functions;
  if (find_calls(kernel).empty()) return;
  analyses.invalidate(kernel, PreservedAnalyses::none());
  simplify_branches(kernel, analyses);
  if (replace(find_calls(kernel), record, analyses, false)) return;
  untangle(kernel, analyses);
  replace(find_calls(kernel), record, analyses, true);
}

}  // namespace upsweep::passes
