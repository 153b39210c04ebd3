// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the slice of a loop on which its exits depend. It includes operands, the branches that choose edges and blocks, the
// iteration counts of inner loops, and memory that the loop writes.
//
// Limits are special. A loop that ends when a value exceeds a limit does not wait if the value is a counter's sum, such as a
// ticket that a work-item passes to its work-group through local memory.
#include "passes/cpu/loop_polls.h"

#include "passes/common/intrinsics.h"
#include "passes/common/long_functions.h"
#include "passes/common/pointed_objects.h"
#include "passes/cpu/loop_deciders.h"
#include "passes/cpu/loop_progress.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <vector>

using namespace llvm;

namespace upsweep::passes {
namespace {

class PollFinder {
public:
  PollFinder(Loop &loop, LoopFacts &facts) : loop_(loop), facts_(facts) {}
  SmallVector<Instruction *, 4> find();

private:
  /// How a value decides.
  enum class Use : uint8_t {
    kAny,
    kAboveLimit,  ///< larger values leave the loop
    kBelowLimit   ///< smaller values leave the loop
  };
  struct Write {
    Instruction *instruction;
    std::optional<PointedObjects> objects;  ///< empty for a call
  };

  bool is_poll(const Instruction &instruction) const;
  bool is_poll_of(const Value &pointer) const;
  void add(Value *value, const BasicBlock *user, Use use = Use::kAny);
  void add_operands(Instruction &instruction, Use use = Use::kAny);
  void add_limit(const BasicBlock *block);
  void add_decision(const BasicBlock *block);
  void add_decisions_before(const BasicBlock *block, const BasicBlock *meeting);
  void add_exits(const Loop &loop);
  void add_choice(const PHINode &phi);
  void find_writes();
  void add_writes(const Instruction &reader, Use use);
  bool is_counter(const Instruction &instruction, Use use) const;
  void visit(Instruction &instruction, Use use);

  Loop &loop_;
  LoopFacts &facts_;
  std::optional<LoopDeciders> deciders_;  ///< empty in functions with many blocks, where every branch may decide
  SmallVector<std::pair<Instruction *, Use>, 16> work_;
  SmallDenseSet<std::pair<const Instruction *, unsigned>, 32> seen_;
  SmallPtrSet<const BasicBlock *, 16> decided_;
  SmallPtrSet<const Loop *, 4> left_;
  SmallSetVector<Instruction *, 4> polls_;
  std::optional<std::vector<Write>> writes_;  ///< of the loop, in block order
};

bool PollFinder::is_poll_of(const Value &pointer) const {
  if (PointedObjects(pointer).are_own()) return false;
  return facts_.has_many_loops || !walks_on(pointer, loop_, facts_.evolution);
}

bool PollFinder::is_poll(const Instruction &instruction) const {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return (load->isVolatile() || load->isAtomic()) && is_poll_of(*load->getPointerOperand());
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) return is_poll_of(*update->getPointerOperand());
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) return is_poll_of(*exchange->getPointerOperand());
  return false;
}

/// A value of an inner loop that is used after that loop also depends on its iteration count.
void PollFinder::add(Value *value, const BasicBlock *user, Use use) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !loop_.contains(instruction)) return;
  for (const Loop *inner = facts_.loops.getLoopFor(instruction->getParent()); inner != &loop_ && !inner->contains(user);
       inner = inner->getParentLoop())
    add_exits(*inner);
  if (seen_.insert({instruction, static_cast<unsigned>(use)}).second) work_.push_back({instruction, use});
}

void PollFinder::add_decision(const BasicBlock *block) {
  if (!loop_.contains(block) || !decided_.insert(block).second) return;
  if (auto *branch = dyn_cast<BranchInst>(block->getTerminator()); branch && branch->isConditional())
    add(branch->getCondition(), block);
  if (auto *choice = dyn_cast<SwitchInst>(block->getTerminator())) add(choice->getCondition(), block);
}

/// Adds all branches in the loop that decide whether the block runs; with `meeting`, only branches that it dominates.
void PollFinder::add_decisions_before(const BasicBlock *start, const BasicBlock *meeting) {
  if (!deciders_) return;
  SmallPtrSet<const BasicBlock *, 8> seen;
  SmallVector<const BasicBlock *, 8> work{start};
  while (!work.empty())
    for (const BasicBlock *decider : deciders_->of(work.pop_back_val())) {
      if ((meeting && !facts_.dominators.dominates(meeting, decider)) || !seen.insert(decider).second) continue;
      add_decision(decider);
      work.push_back(decider);
    }
}

void PollFinder::add_exits(const Loop &loop) {
  if (!left_.insert(&loop).second) return;
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (const BasicBlock *block : exiting) {
    if (&loop == &loop_) add_limit(block);
    add_decision(block);
    add_decisions_before(block, nullptr);
  }
}

/// Replaces the decision if the block ends the loop beyond a limit.
void PollFinder::add_limit(const BasicBlock *block) {
  const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
  bool grows = false;
  Value *value = branch ? limited_operand(*branch, loop_, grows) : nullptr;
  if (value && decided_.insert(block).second) add(value, block, grows ? Use::kAboveLimit : Use::kBelowLimit);
}

/// The incoming edge determines a phi's value.
void PollFinder::add_choice(const PHINode &phi) {
  const DomTreeNode *node = facts_.dominators.getNode(phi.getParent());
  const BasicBlock *meeting = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  for (const BasicBlock *block : phi.blocks()) {
    if (!loop_.contains(block)) continue;
    add_decision(block);
    add_decisions_before(block, meeting && loop_.contains(meeting) ? meeting : nullptr);
  }
}

void PollFinder::find_writes() {
  writes_.emplace();
  for (BasicBlock *block : loop_.blocks())
    for (Instruction &instruction : *block) {
      if (auto *store = dyn_cast<StoreInst>(&instruction))
        writes_->push_back({store, PointedObjects(*store->getPointerOperand())});
      else if (isa<CallBase>(instruction) && intrinsic_of(instruction) == Ups::kNone && instruction.mayWriteToMemory())
        writes_->push_back({&instruction, std::nullopt});
    }
}

/// Adds the loop's own writes to the read object. Stores through unrelated pointers are not considered as passing a value.
void PollFinder::add_writes(const Instruction &reader, Use use) {
  if (!writes_) find_writes();
  const Value *from = getLoadStorePointerOperand(&reader);
  const std::optional<PointedObjects> read = from ? std::optional<PointedObjects>(*from) : std::nullopt;
  for (const Write &write : *writes_) {
    if (read && write.objects && !read->name_same(*write.objects)) continue;
    add_decisions_before(write.instruction->getParent(), nullptr);
    add_operands(*write.instruction, use);
  }
}

/// `use` is the use of the result. A larger operand gives a larger result if the instruction passes it on, adds a
/// loop-invariant value, or scales it.
void PollFinder::add_operands(Instruction &instruction, Use use) {
  auto is_same = [&](unsigned i) { return loop_.isLoopInvariant(instruction.getOperand(i)); };
  const auto *constant = instruction.getNumOperands() > 1 ? dyn_cast<ConstantInt>(instruction.getOperand(1)) : nullptr;
  const unsigned opcode = instruction.getOpcode();
  const bool keeps = isa<ZExtInst, SExtInst, TruncInst, FreezeInst, StoreInst>(instruction) ||
                     (opcode == Instruction::Add && (is_same(0) || is_same(1))) || (opcode == Instruction::Sub && is_same(1)) ||
                     (constant && !constant->isNegative() &&
                      (opcode == Instruction::Mul || opcode == Instruction::Shl || opcode == Instruction::LShr ||
                       opcode == Instruction::UDiv));
  const bool is_broadcast = intrinsic_of(instruction) == Ups::kSgBroadcast;
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
    const bool is_value = isa<SelectInst>(instruction) ? i > 0 : is_broadcast || isa<StoreInst>(instruction) ? i == 0 : keeps;
    add(instruction.getOperand(i), instruction.getParent(), is_value ? use : Use::kAny);
  }
}

bool PollFinder::is_counter(const Instruction &instruction, Use use) const {
  const auto *update = dyn_cast<AtomicRMWInst>(&instruction);
  return update && use != Use::kAny && counts(*update, loop_, use == Use::kAboveLimit);
}

void PollFinder::visit(Instruction &instruction, Use use) {
  if (is_counter(instruction, use)) return;
  if (is_poll(instruction)) polls_.insert(&instruction);
  if (auto *phi = dyn_cast<PHINode>(&instruction)) {
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) add(phi->getIncomingValue(i), phi->getIncomingBlock(i), use);
    add_choice(*phi);
    return;
  }
  add_operands(instruction, use);
  // The result depends on the participating work-items.
  if (ups_function(instruction).is_of_sub_group()) add_decisions_before(instruction.getParent(), nullptr);
  const bool is_plain_read = isa<LoadInst>(instruction) || (isa<CallBase>(instruction) && instruction.mayReadFromMemory() &&
                                                            intrinsic_of(instruction) == Ups::kNone);
  if (is_plain_read && !instruction.hasMetadata(LLVMContext::MD_invariant_load)) add_writes(instruction, use);
}

SmallVector<Instruction *, 4> PollFinder::find() {
  const bool has_candidate = any_of(loop_.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) { return is_poll(instruction); });
  });
  if (!has_candidate || progresses_by_updates(loop_, facts_.dominators, facts_.loops)) return {};
  if (facts_.has_many_blocks)
    for (const BasicBlock *block : loop_.blocks()) add_decision(block);
  else
    deciders_.emplace(loop_);
  add_exits(loop_);
  while (!work_.empty()) {
    const auto [instruction, use] = work_.pop_back_val();
    visit(*instruction, use);
  }
  return SmallVector<Instruction *, 4>(polls_.begin(), polls_.end());
}

}  // namespace

LoopFacts::LoopFacts(Function &item)
    : dominators(item), loops(dominators), assumptions(item), names(Triple(item.getParent()->getTargetTriple())),
      library(names), evolution(item, library, assumptions, dominators, loops), has_many_blocks(passes::has_many_blocks(item)),
      has_many_loops(passes::has_many_loops(loops)) {}

SmallVector<Instruction *, 4> polls_of(Loop &loop, LoopFacts &facts) { return PollFinder(loop, facts).find(); }

}  // namespace upsweep::passes
