// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the branches on which each call of a barrier depends, and makes the sites.
#include "passes/cpu/check/check_barriers.h"

#include "passes/cpu/check/mark_meetings.h"
#include "passes/cpu/check/sites.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <map>
#include <tuple>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// Values that may differ between the work-items of a work-group, for the texts of findings: rather too many than too few.
class GroupDivergence {
public:
  explicit GroupDivergence(Function &item) : dominators_(item), loops_(dominators_), post_dominators_(item) {
    for (Instruction &instruction : instructions(item))
      if (is_source(instruction)) mark(instruction);
    while (!pending_.empty()) {
      Instruction *instruction = pending_.pop_back_val();
      for (User *user : instruction->users())
        if (auto *next = dyn_cast<Instruction>(user)) mark(*next);
      if (instruction->isTerminator()) spread_from(*instruction->getParent());
    }
  }
  [[nodiscard]] bool may_differ(const BasicBlock &block) const { return divergent_.contains(block.getTerminator()); }
  [[nodiscard]] const PostDominatorTree &post_dominators() const { return post_dominators_; }

private:
  static bool is_source(const Instruction &instruction) {
    if (isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(instruction)) return true;
    const auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || (call->getCalledFunction() && call->getCalledFunction()->isIntrinsic())) return false;
    const UpsFunction &callee = ups_function(*call);
    const bool is_of_launch = callee.spread == Spread::kUniform && !callee.is_of_sub_group() && callee.id != Ups::kSubGroupId;
    return callee.id == Ups::kNone || !(is_of_launch || callee.spread == Spread::kByArguments);
  }
  void mark(Instruction &instruction) {
    if (divergent_.insert(&instruction).second) pending_.push_back(&instruction);
  }
  /// The phis on the paths from a branch to the block where they join again, and values that leave its loops.
  void spread_from(BasicBlock &branch) {
    const auto *end = post_dominators_.getNode(&branch);
    const BasicBlock *join = end && end->getIDom() ? end->getIDom()->getBlock() : nullptr;
    SmallSetVector<BasicBlock *, 16> between;
    for (BasicBlock *next : successors(&branch)) between.insert(next);
    for (unsigned i = 0; i < between.size(); ++i) {
      for (PHINode &phi : between[i]->phis()) mark(phi);
      if (between[i] == join) continue;
      for (BasicBlock *next : successors(between[i])) between.insert(next);
    }
    for (const Loop *loop = loops_.getLoopFor(&branch); loop; loop = loop->getParentLoop())
      for (BasicBlock *block : loop->blocks())
        for (Instruction &instruction : *block)
          for (User *user : instruction.users())
            if (auto *outside = dyn_cast<Instruction>(user); outside && !loop->contains(outside)) mark(*outside);
  }

  DominatorTree dominators_;
  LoopInfo loops_;
  PostDominatorTree post_dominators_;
  DenseSet<const Instruction *> divergent_;
  SmallVector<Instruction *, 32> pending_;
};

/// The branches on which a block depends: Ferrante, Ottenstein and Warren, "The program dependence graph", 1987.
class ControlDependences {
public:
  explicit ControlDependences(Function &item) : divergence_(item) {
    const PostDominatorTree &tree = divergence_.post_dominators();
    for (BasicBlock &branch : item) {
      if (succ_size(&branch) < 2 || !tree.getNode(&branch)) continue;
      const auto *end = tree.getNode(&branch)->getIDom();
      for (BasicBlock *next : successors(&branch))
        for (const auto *node = tree.getNode(next); node && node != end && node->getBlock(); node = node->getIDom())
          branches_[node->getBlock()].insert(&branch);
    }
  }
  /// The branches that may differ between work-items and on which the block depends, directly or not; the nearest first.
  [[nodiscard]] SmallVector<BasicBlock *, 8> of(BasicBlock &block) const {
    SmallSetVector<BasicBlock *, 16> all;
    const auto add = [&](const BasicBlock *of) {
      if (const auto found = branches_.find(of); found != branches_.end())
        all.insert(found->second.begin(), found->second.end());
    };
    add(&block);
    for (unsigned i = 0; i < all.size(); ++i) add(all[i]);
    SmallVector<BasicBlock *, 8> differing;
    for (BasicBlock *branch : all)
      if (divergence_.may_differ(*branch)) differing.push_back(branch);
    return differing;
  }

private:
  GroupDivergence divergence_;
  DenseMap<const BasicBlock *, SmallSetVector<BasicBlock *, 4>> branches_;
};

class BarrierChecker {
public:
  explicit BarrierChecker(Kernel &kernel)
      : item_(*kernel.item), module_(*item_.getParent()), context_(item_.getContext()),
        places_(module_, kernel.description.name) {}
  /// Whether there is a call to check.
  bool run();

private:
  using Key = std::tuple<uint64_t, const DILocation *, uint64_t>;

  void replace(CallInst &marker, const ControlDependences &dependences);
  void add_poll(CallInst &yield);
  Constant *site(const Instruction &at, const MeetingFunction &function, uint64_t compared, ArrayRef<BasicBlock *> branches);
  Constant *text(StringRef text);
  void call(IRBuilder<> &builder, Constant *site, ArrayRef<Value *> values);

  Function &item_;
  Module &module_;
  LLVMContext &context_;
  SiteTable places_;
  std::map<Key, Constant *> sites_;  ///< unrolled and copied calls share a site
};

Constant *BarrierChecker::text(StringRef text) {
  Constant *bytes = ConstantDataArray::getString(context_, text);
  auto *variable = new GlobalVariable(module_, bytes->getType(), true, GlobalValue::PrivateLinkage, bytes);
  variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return variable;
}

/// "a.cl:12:3", or an empty text.
std::string condition_place(const BasicBlock &branch) {
  const Instruction *terminator = branch.getTerminator();
  const DILocation *place = terminator->getDebugLoc().get();
  const auto *condition = dyn_cast<Instruction>(terminator->getOperand(0));
  if ((!place || !place->getLine()) && condition) place = condition->getDebugLoc().get();
  if (!place || !place->getLine()) return "";
  return place->getFilename().str() + ":" + std::to_string(place->getLine()) + ":" + std::to_string(place->getColumn());
}

std::string condition_places(ArrayRef<BasicBlock *> branches) {
  constexpr size_t kMostNamed = 3;
  SmallSetVector<StringRef, 4> named;
  std::vector<std::string> places;
  for (const BasicBlock *branch : branches) places.push_back(condition_place(*branch));
  std::string all;
  for (const std::string &place : places)
    if (!place.empty() && named.size() < kMostNamed && named.insert(place)) all += (all.empty() ? "" : ", ") + place;
  return all;
}

Constant *BarrierChecker::site(const Instruction &at, const MeetingFunction &function, uint64_t compared,
                               ArrayRef<BasicBlock *> branches) {
  SiteFacts facts;
  if (const MDNode *name = at.getMetadata(kMeetingName)) facts.object = cast<MDString>(name->getOperand(0))->getString().str();
  std::string arguments;
  uint32_t count = 0;
  for (const auto &[bit, argument] : enumerate(function.arguments)) {
    if (!(compared >> bit & 1)) continue;
    arguments += (count ? "," : "") + argument.name.str();
    ++count;
  }
  const auto word = [&](uint32_t number) { return ConstantInt::get(Type::getInt32Ty(context_), number); };
  const uint32_t conditional = branches.empty() ? 0 : UPSWEEP_IS_CONDITIONAL;
  Constant *record = ConstantStruct::getAnon(context_, {places_.site(at, facts), text(condition_places(branches)),
                                                        text(arguments), word(count), word(function.flags | conditional)});
  static_assert(sizeof(UpsweepMeetingSite) == 3 * 8 + 2 * 4, "the record has these fields and no others");
  auto *variable =
      new GlobalVariable(module_, record->getType(), true, GlobalValue::InternalLinkage, record, "upsweep.meeting");
  variable->setAlignment(Align(8));
  return variable;
}

void BarrierChecker::call(IRBuilder<> &builder, Constant *site, ArrayRef<Value *> values) {
  SmallVector<Value *, 6> operands{site};
  operands.append(values.begin(), values.end());
  operands.resize(1 + UPSWEEP_MOST_MEETING_ARGUMENTS, builder.getInt64(0));
  SmallVector<Type *, 6> types;
  for (Value *operand : operands) types.push_back(operand->getType());
  FunctionCallee callee =
      module_.getOrInsertFunction(name_of(Ups::kMeetAt), FunctionType::get(builder.getVoidTy(), types, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setOnlyAccessesInaccessibleMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setConvergent();
  builder.CreateCall(callee, operands)->setConvergent();
}

void BarrierChecker::replace(CallInst &marker, const ControlDependences &dependences) {
  const auto number = [&](unsigned index) { return cast<ConstantInt>(marker.getArgOperand(index))->getZExtValue(); };
  const uint64_t compared = number(kMeetCompared);
  Constant *&made = sites_[{number(kMeetNumber), marker.getDebugLoc().get(), compared}];
  if (!made) made = site(marker, meeting_function(number(kMeetFunction)), compared, dependences.of(*marker.getParent()));
  IRBuilder<> builder(&marker);
  call(builder, made, SmallVector<Value *, 5>(drop_begin(marker.args(), kMeetValues)));
  marker.eraseFromParent();
}

/// The atomic or volatile access nearest before a yield, which the loop around the yield repeats.
const Instruction &polling_access(const CallInst &yield) {
  SmallSetVector<const BasicBlock *, 16> blocks;
  blocks.insert(yield.getParent());
  for (unsigned i = 0; i < blocks.size(); ++i) {
    for (const Instruction &instruction : reverse(*blocks[i]))
      if ((instruction.isAtomic() || instruction.isVolatile()) && instruction.getDebugLoc()) return instruction;
    blocks.insert(pred_begin(blocks[i]), pred_end(blocks[i]));
  }
  return yield;
}

/// A loop yields after some iterations, which a phi counts.
void BarrierChecker::add_poll(CallInst &yield) {
  using namespace PatternMatch;
  IRBuilder<> builder(&yield);
  const BasicBlock *before = yield.getParent()->getSinglePredecessor();
  const auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  Value *iterations = nullptr;
  ICmpInst::Predicate predicate;
  const bool is_counted =
      branch && branch->isConditional() &&
      match(branch->getCondition(), m_ICmp(predicate, m_And(m_Value(iterations), m_ConstantInt()), m_Zero()));
  const MeetingFunction loop{"", false, UPSWEEP_POLLS, {}};
  call(builder, site(polling_access(yield), loop, 0, {}),
       {is_counted ? builder.CreateZExt(iterations, builder.getInt64Ty()) : builder.getInt64(0)});
}

bool BarrierChecker::run() {
  SmallVector<CallInst *, 16> markers, yields;
  for (Instruction &instruction : instructions(item_)) {
    const Ups intrinsic = intrinsic_of(instruction);
    if (intrinsic == Ups::kMeet) markers.push_back(cast<CallInst>(&instruction));
    if (intrinsic == Ups::kYield) yields.push_back(cast<CallInst>(&instruction));
  }
  if (!markers.empty()) {
    const ControlDependences dependences(item_);
    for (CallInst *marker : markers) replace(*marker, dependences);
  }
  for (CallInst *yield : yields) add_poll(*yield);
  return !markers.empty() || !yields.empty();
}

}  // namespace

void check_barriers(Kernel &kernel, Program &program) {
  kernel.meets = BarrierChecker(kernel).run();
  program.functions->clear(*kernel.item, kernel.item->getName());
}

}  // namespace upsweep::passes
