// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs SSA form slot by slot, within the blocks where the slot is live. Phis are placed only where different values meet.
// An optimistic iteration in reverse post-order finds these blocks, so a loop without a store to a slot has no phi for it, at
// any nesting depth.
#include "passes/cpu/lanes/promote_slots.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

using Accesses = SmallVector<Instruction *, 4>;  // loads and stores in reverse post-order

class SlotPromoter {
public:
  explicit SlotPromoter(Function &function) : tree_(function), loops_(tree_) {
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function)) {
      order_[block] = blocks_.size();
      blocks_.push_back(block);
    }
  }
  void promote(ArrayRef<AllocaInst *> slots);

private:
  void promote(AllocaInst &slot, Accesses &accesses);
  bool replace_by_only_store(ArrayRef<Instruction *> accesses);
  BasicBlock *start_of(ArrayRef<Instruction *> accesses) const;
  SmallVector<unsigned, 16> touched_blocks(ArrayRef<Instruction *> accesses, const BasicBlock *start);
  void find_meetings(ArrayRef<unsigned> touched, ArrayRef<Instruction *> accesses, const BasicBlock *start);
  Value *value_in(BasicBlock &block, const AllocaInst &slot);
  void fill_phis();

  DominatorTree tree_;
  LoopInfo loops_;
  DenseMap<const BasicBlock *, unsigned> order_;
  std::vector<BasicBlock *> blocks_;  // reachable blocks in reverse post-order
  // State of the current slot
  Value *first_ = nullptr;                       // its value before all stores
  SmallPtrSet<const BasicBlock *, 16> live_in_;  // blocks at whose start its value is live
  DenseMap<const BasicBlock *, Value *> out_;    // its value at the end of blocks
  SmallPtrSet<const BasicBlock *, 8> meetings_;  // blocks where different values meet
  SmallVector<PHINode *, 8> phis_;               // of meetings_; without operands yet
};

/// Where the slot's live range begins: a block that dominates all accesses, outside loops that carry a value between
/// iterations.
BasicBlock *SlotPromoter::start_of(ArrayRef<Instruction *> accesses) const {
  BasicBlock *start = accesses.front()->getParent();
  for (Instruction *access : accesses) start = tree_.findNearestCommonDominator(start, access->getParent());
  for (Loop *loop = loops_.getLoopFor(start); loop; loop = loops_.getLoopFor(start)) {
    bool each_round_anew = all_of(accesses, [&](Instruction *access) {
      return loop->contains(access->getParent()) && access->getParent() != loop->getHeader();
    });
    if (each_round_anew) break;
    start = tree_.getNode(loop->getHeader())->getIDom()->getBlock();
  }
  return start;
}

bool SlotPromoter::replace_by_only_store(ArrayRef<Instruction *> accesses) {
  auto *store = dyn_cast<StoreInst>(accesses.front());
  if (!store) return false;
  for (Instruction *access : accesses.drop_front())
    if (isa<StoreInst>(access) || !tree_.dominates(store->getParent(), access->getParent())) return false;
  for (Instruction *load : accesses.drop_front()) {
    load->replaceAllUsesWith(store->getValueOperand());
    load->eraseFromParent();
  }
  store->eraseFromParent();
  return true;
}

/// The blocks with accesses and the blocks through which a value is live, in reverse post-order; fills live_in_.
SmallVector<unsigned, 16> SlotPromoter::touched_blocks(ArrayRef<Instruction *> accesses, const BasicBlock *start) {
  SmallPtrSet<const BasicBlock *, 16> stores;
  SmallVector<BasicBlock *, 16> work;
  SmallVector<unsigned, 16> touched;
  const BasicBlock *last = nullptr;
  for (Instruction *access : accesses) {
    BasicBlock *block = access->getParent();
    if (block != last) {
      touched.push_back(order_[block]);
      if (isa<LoadInst>(access)) work.push_back(block);
    }
    if (isa<StoreInst>(access)) stores.insert(block);
    last = block;
  }
  while (!work.empty()) {
    BasicBlock *block = work.pop_back_val();
    if (!live_in_.insert(block).second) continue;
    touched.push_back(order_[block]);
    if (block == start) continue;
    for (BasicBlock *before : predecessors(block))
      if (order_.contains(before) && !stores.contains(before)) work.push_back(before);
  }
  sort(touched);
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  return touched;
}

/// Fills meetings_. A value is a constant, an instruction, or the block of a future phi. A sweep propagates values forward as
/// if back edges brought no others. If a back edge does, the loop's header gets a phi, and the sweep is repeated.
void SlotPromoter::find_meetings(ArrayRef<unsigned> touched, ArrayRef<Instruction *> accesses, const BasicBlock *start) {
  DenseMap<const BasicBlock *, const Value *> stored, out;
  for (Instruction *access : accesses)
    if (auto *store = dyn_cast<StoreInst>(access)) stored[access->getParent()] = store->getValueOperand();
  // The value at the start of a block; null if two values meet.
  auto value_at = [&](const BasicBlock *block) -> const Value * {
    if (block == start) return first_;
    if (meetings_.contains(block)) return block;
    const Value *value = nullptr;
    for (const BasicBlock *before : predecessors(block)) {
      const Value *other = out.lookup(before);
      if (other && value && other != value) return nullptr;
      if (other) value = other;
    }
    return value;
  };
  for (size_t known = SIZE_MAX; known != meetings_.size();) {
    known = meetings_.size();
    out.clear();
    for (unsigned number : touched) {
      const BasicBlock *block = blocks_[number];
      const Value *value = live_in_.contains(block) ? value_at(block) : nullptr;
      if (live_in_.contains(block) && !value) {
        meetings_.insert(block);
        value = block;
      }
      if (block == start && !value) value = first_;
      const Value *last = stored.lookup(block);
      out[block] = last ? last : value;
    }
    for (const BasicBlock *block : live_in_)
      if (!value_at(block)) meetings_.insert(block);
  }
}

Value *SlotPromoter::value_in(BasicBlock &block, const AllocaInst &slot) {
  if (meetings_.contains(&block)) {
    phis_.push_back(PHINode::Create(slot.getAllocatedType(), pred_size(&block), slot.getName(), block.begin()));
    return phis_.back();
  }
  for (BasicBlock *before : predecessors(&block))
    if (Value *value = out_.lookup(before)) return value;
  return first_;  // only for unreachable blocks
}

void SlotPromoter::fill_phis() {
  for (PHINode *phi : phis_) {
    SmallVector<BasicBlock *, 4> from(predecessors(phi->getParent()));
    // Edges into a loop come before the back edge.
    if (loops_.isLoopHeader(phi->getParent()))
      sort(from, [&](BasicBlock *a, BasicBlock *b) { return order_.lookup(a) < order_.lookup(b); });
    for (BasicBlock *before : from) {
      Value *value = out_.lookup(before);
      phi->addIncoming(value ? value : UndefValue::get(phi->getType()), before);
    }
  }
  phis_.clear();
}

void SlotPromoter::promote(AllocaInst &slot, Accesses &accesses) {
  first_ = UndefValue::get(slot.getAllocatedType());
  if (auto *store = accesses.empty() ? nullptr : dyn_cast<StoreInst>(accesses.front());
      store && isa<Constant>(store->getValueOperand()) && store->getParent()->isEntryBlock()) {
    first_ = store->getValueOperand();
    store->eraseFromParent();
    accesses.erase(accesses.begin());
  }
  if (accesses.empty() || replace_by_only_store(accesses)) return;
  BasicBlock *start = start_of(accesses);
  live_in_.clear();
  meetings_.clear();
  out_.clear();
  const SmallVector<unsigned, 16> touched = touched_blocks(accesses, start);
  find_meetings(touched, accesses, start);
  auto access = accesses.begin();
  for (unsigned number : touched) {
    BasicBlock *block = blocks_[number];
    Value *value = block == start ? first_ : live_in_.contains(block) ? value_in(*block, slot) : nullptr;
    for (; access != accesses.end() && (*access)->getParent() == block; ++access) {
      if (auto *store = dyn_cast<StoreInst>(*access))
        value = store->getValueOperand();
      else
        (*access)->replaceAllUsesWith(value);
      (*access)->eraseFromParent();
    }
    out_[block] = value;
  }
  fill_phis();
}

void SlotPromoter::promote(ArrayRef<AllocaInst *> slots) {
  DenseMap<const Value *, Accesses> accesses;
  for (AllocaInst *slot : slots) accesses[slot];
  for (BasicBlock *block : blocks_)
    for (Instruction &instruction : *block) {
      auto found = accesses.find(getLoadStorePointerOperand(&instruction));
      if (found != accesses.end()) found->second.push_back(&instruction);
    }
  for (AllocaInst *slot : slots) {
    promote(*slot, accesses[slot]);
    for (User *user : make_early_inc_range(slot->users())) {  // in unreachable blocks
      auto *unreachable = cast<Instruction>(user);
      unreachable->replaceAllUsesWith(PoisonValue::get(unreachable->getType()));
      unreachable->eraseFromParent();
    }
    slot->eraseFromParent();
  }
}

}  // namespace

void promote_slots(Function &function, ArrayRef<AllocaInst *> slots) { SlotPromoter(function).promote(slots); }

void promote_variables(Function &function) {
  SmallVector<AllocaInst *, 4> slots;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *slot = dyn_cast<AllocaInst>(&instruction)) slots.push_back(slot);
  promote_slots(function, slots);
}

}  // namespace upsweep::passes
