// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds runs of instructions whose accesses have the same mask, copies each run, and makes the copy's accesses unmasked.
#include "passes/cpu/lanes/whole_masks.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/InstructionSimplify.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr StringLiteral kOddMark = "upsweep.odd";
constexpr unsigned kMostInstructions = 160;  // longer runs are cut: their copy would cost more compile time than it saves
constexpr uint32_t kWholeWeight = 1000;      // against 1; only affects the code's layout

/// The value that must be all true for `mask` to be: the source vector of a shuffle that repeats its elements.
Value *root_of(Value *mask) {
  while (auto *shuffle = dyn_cast<ShuffleVectorInst>(mask)) {
    auto lanes = static_cast<int>(cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
    if (any_of(shuffle->getShuffleMask(), [&](int lane) { return lane >= lanes; })) break;
    mask = shuffle->getOperand(0);
  }
  return mask;
}

/// The mask's root for a masked access, otherwise null.
Value *masked_root(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call) return nullptr;
  Value *mask = nullptr;
  if (call->getIntrinsicID() == Intrinsic::masked_load) mask = call->getArgOperand(2);
  if (call->getIntrinsicID() == Intrinsic::masked_store) mask = call->getArgOperand(3);
  if (!mask || isa<Constant>(mask) || instruction.hasMetadata(kOddMark)) return nullptr;
  return root_of(mask);
}

bool may_be_copied(const Instruction &instruction) {
  if (instruction.isTerminator() || isa<PHINode, AllocaInst>(instruction) || instruction.getType()->isTokenTy()) return false;
  auto *call = dyn_cast<CallBase>(&instruction);
  return !call || (isa<IntrinsicInst>(call) && !call->isConvergent() && !call->cannotDuplicate());
}

void make_plain(IntrinsicInst &access) {
  IRBuilder<> builder(&access);
  bool load = access.getIntrinsicID() == Intrinsic::masked_load;
  unsigned pointer = load ? 0 : 1;
  Align align = cast<ConstantInt>(access.getArgOperand(pointer + 1))->getAlignValue();
  if (load)
    access.replaceAllUsesWith(builder.CreateAlignedLoad(access.getType(), access.getArgOperand(0), align));
  else
    builder.CreateAlignedStore(access.getArgOperand(0), access.getArgOperand(1), align);
  access.eraseFromParent();
}

/// Later uses of the values of `run` take them from the version that ran.
void merge_values(BasicBlock &run, BasicBlock &copy, BasicBlock &after, const ValueToValueMapTy &copies) {
  for (Instruction &instruction : run) {
    if (!instruction.isUsedOutsideOfBlock(&run)) continue;
    auto *merged = PHINode::Create(instruction.getType(), 2, "", after.begin());
    instruction.replaceUsesOutsideBlock(merged, &run);
    merged->addIncoming(&instruction, &run);
    merged->addIncoming(copies.lookup(&instruction), &copy);
  }
}

using KnownValues = SmallDenseMap<Value *, Constant *, 8>;

/// Values that are constant if the mask is whole: its bits as an integer, and the first and last active lane.
KnownValues known_of_whole(Value &root) {
  KnownValues known{{&root, Constant::getAllOnesValue(root.getType())}};
  SmallVector<Value *, 8> work{&root};
  while (!work.empty()) {
    Value *value = work.pop_back_val();
    for (User *user : value->users()) {
      Constant *from = known.lookup(value), *constant = nullptr;
      auto *bits = dyn_cast<ConstantInt>(from);
      auto *call = dyn_cast<IntrinsicInst>(user);
      if (auto *cast = dyn_cast<CastInst>(user))
        constant = ConstantFoldCastOperand(cast->getOpcode(), from, cast->getType(), cast->getDataLayout());
      else if (bits && call && call->getIntrinsicID() == Intrinsic::cttz)
        constant = ConstantInt::get(call->getType(), bits->getValue().countr_zero());
      else if (bits && call && call->getIntrinsicID() == Intrinsic::ctlz)
        constant = ConstantInt::get(call->getType(), bits->getValue().countl_zero());
      if (constant && known.try_emplace(user, constant).second) work.push_back(user);
    }
  }
  return known;
}

/// Where the run of the access `access` may begin. It begins at the first instruction that depends on the mask, so that
/// addresses relative to the first active lane are folded. If the mask is a phi, it begins after the phis (skip_known_tests()).
BasicBlock::iterator begin_of_run(BasicBlock::iterator access, Value &root, const KnownValues &known) {
  auto begin = access;
  auto at = access;
  for (; at != access->getParent()->begin() && may_be_copied(*std::prev(at)); --at)
    if (any_of(std::prev(at)->operands(), [&](Value *operand) { return known.contains(operand); })) begin = std::prev(at);
  auto *phi = dyn_cast<PHINode>(&root);
  return phi && at == phi->getParent()->getFirstNonPHIIt() ? at : begin;
}

/// Folds the values that follow from a whole mask.
void fold(BasicBlock &copy) {
  SimplifyQuery query(copy.getDataLayout());
  for (Instruction &instruction : make_early_inc_range(copy)) {
    Value *known = simplifyInstruction(&instruction, query);
    if (!known) continue;
    instruction.replaceAllUsesWith(known);
    if (isInstructionTriviallyDead(&instruction)) instruction.eraseFromParent();
  }
}

/// Merges the values of `phi` in `before` and of `copied` in `copy` for all other uses.
void join_phis(PHINode &phi, PHINode &copied) {
  SSAUpdater values;
  values.Initialize(phi.getType(), phi.getName());
  values.AddAvailableValue(phi.getParent(), &phi);
  values.AddAvailableValue(copied.getParent(), &copied);
  for (Use &use : make_early_inc_range(phi.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    if (user == &copied || user->getParent() == phi.getParent()) continue;
    if (user->getParent() == copied.getParent() && !isa<PHINode>(user))
      use.set(&copied);
    else
      values.RewriteUse(use);
  }
}

/// Redirects the edges into `before` on which the mask, a phi, is known to be whole directly to `copy`. `before` only tests the
/// mask.
void skip_known_tests(BasicBlock &before, BasicBlock &copy, PHINode &mask) {
  SmallSetVector<BasicBlock *, 4> known;
  for (unsigned i = 0; i < mask.getNumIncomingValues(); ++i)
    if (auto *value = dyn_cast<Constant>(mask.getIncomingValue(i)); value && value->isAllOnesValue())
      known.insert(mask.getIncomingBlock(i));
  known.remove_if([&](BasicBlock *from) { return llvm::count(successors(from), &before) != 1; });
  if (known.empty() || known.size() == mask.getNumIncomingValues()) return;
  SmallVector<std::pair<PHINode *, PHINode *>, 8> phis;
  for (PHINode &phi : before.phis()) {
    PHINode *copied = PHINode::Create(phi.getType(), known.size() + 1, phi.getName(), copy.getFirstNonPHIIt());
    copied->addIncoming(&phi, &before);
    for (BasicBlock *from : known) copied->addIncoming(phi.getIncomingValueForBlock(from), from);
    phis.push_back({&phi, copied});
  }
  for (BasicBlock *from : known) {
    from->getTerminator()->replaceSuccessorWith(&before, &copy);
    before.removePredecessor(from, /*KeepOneInputPHIs=*/true);
  }
  for (auto [phi, copied] : phis) join_phis(*phi, *copied);
}

/// Makes a second version of the run [first, end) of a block; returns the block after it.
BasicBlock *version_run(Instruction &first, Instruction &end, Value &root, const KnownValues &known) {
  BasicBlock *before = first.getParent();
  BasicBlock *run = SplitBlock(before, &first);
  BasicBlock *after = SplitBlock(run, &end);
  ValueToValueMapTy copies;
  BasicBlock *copy = CloneBasicBlock(run, copies, ".whole", run->getParent());
  copy->moveBefore(run);
  for (auto [value, constant] : known) copies[value] = constant;
  SmallVector<IntrinsicInst *, 8> accesses;
  for (Instruction &instruction : *run)
    if (masked_root(instruction) == &root) accesses.push_back(cast<IntrinsicInst>(copies.lookup(&instruction)));
  for (Instruction &instruction : *copy)
    RemapInstruction(&instruction, copies, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  merge_values(*run, *copy, *after, copies);
  for (IntrinsicInst *access : accesses) make_plain(*access);
  fold(*copy);
  IRBuilder<> builder(before->getTerminator());
  Value *whole = builder.CreateAndReduce(&root);
  builder.CreateCondBr(whole, copy, run, MDBuilder(root.getContext()).createBranchWeights(kWholeWeight, 1));
  before->getTerminator()->eraseFromParent();
  auto *phi = dyn_cast<PHINode>(&root);
  if (phi && phi->getParent() == before && &*before->getFirstNonPHIIt() == whole) skip_known_tests(*before, *copy, *phi);
  return after;
}

/// The first run in the block: from a masked access to the last instruction that may be copied with it, or to an access with
/// another mask.
BasicBlock *version_first_run(BasicBlock &block) {
  auto first = find_if(block, [](const Instruction &instruction) { return masked_root(instruction) != nullptr; });
  if (first == block.end()) return nullptr;
  Value *root = masked_root(*first);
  auto end = first;
  for (unsigned count = 0; count < kMostInstructions && may_be_copied(*end); ++count, ++end)
    if (Value *other = masked_root(*end); other && other != root) break;
  KnownValues known = known_of_whole(*root);
  return version_run(*begin_of_run(first, *root, known), *end, *root, known);
}

}  // namespace

void mark_odd_masks(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (masked_root(instruction)) instruction.setMetadata(kOddMark, MDNode::get(function.getContext(), {}));
}

bool version_whole_masks(Function &function) {
  // A noinline function is for incomplete sub-groups, whose masks are never whole.
  if (function.hasFnAttribute(Attribute::NoInline)) return false;
  SmallVector<BasicBlock *, 16> blocks;
  for (BasicBlock &block : function) blocks.push_back(&block);
  bool changed = false;
  for (BasicBlock *block : blocks)
    while ((block = version_first_run(*block))) changed = true;
  return changed;
}

}  // namespace upsweep::passes
