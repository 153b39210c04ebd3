// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For each loop that polls, finds the blocks where other lanes may be held back meanwhile, and the writes that they would
// reach.
#include "passes/cpu/lanes/waiting_lanes.h"

#include "passes/common/intrinsics.h"
#include "passes/common/pointed_objects.h"
#include "passes/cpu/lanes/lane_uniformity.h"
#include "passes/cpu/lanes/sole_lane.h"
#include "passes/cpu/loop_polls.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>
#include <vector>

using namespace llvm;

namespace upsweep::passes {
namespace {

// Dimensions as bits.
constexpr unsigned kRow = 1, kPlane = 3, kVolume = 7;

using Blocks = SmallSetVector<BasicBlock *, 16>;

/// All lanes of the sub-group meet: none continues before all have arrived.
bool is_barrier(const Instruction &instruction) {
  const Ups intrinsic = intrinsic_of(instruction);
  return intrinsic == Ups::kWorkGroupBarrier || intrinsic == Ups::kSubGroupBarrier;
}

/// The lanes that reach the call meet. Scalar code, too, waits here until no lane of the sub-group polls.
bool is_meeting(const Instruction &instruction) {
  return is_barrier(instruction) || ups_function(instruction).is_of_sub_group();
}

/// A write to memory that a loop may wait for.
struct Release {
  const Instruction *instruction;
  std::optional<PointedObjects> objects;  ///< empty: any
  bool is_plain;

  [[nodiscard]] bool may_end(const PointedObjects &polled) const;
};

/// An ordinary store to another object than the polled ones is data that a lock protects.
bool Release::may_end(const PointedObjects &polled) const {
  if (!objects) return polled.are_unknown();
  if (is_plain && polled.are_unknown() != objects->are_unknown()) return false;
  return objects->have_common(polled);
}

std::optional<Release> release_of(const Instruction &instruction) {
  if (!instruction.mayWriteToMemory()) return std::nullopt;
  const bool is_plain = !instruction.isAtomic() && !instruction.isVolatile();
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) pointer = update->getPointerOperand();
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) pointer = exchange->getPointerOperand();
  if (auto *copy = dyn_cast<MemIntrinsic>(&instruction)) pointer = copy->getRawDest();
  if (pointer) return Release{&instruction, PointedObjects(*pointer), is_plain};
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || isa<IntrinsicInst>(call) || intrinsic_of(*call) != Ups::kNone) return std::nullopt;
  return Release{&instruction, std::nullopt, is_plain};
}

class WaitingLanes {
public:
  /// `differing`: see SoleLanes.
  WaitingLanes(Function &item, LoopFacts &facts, const LaneLevels &levels, unsigned lanes, unsigned differing)
      : item_(item), facts_(facts),
        uniformity_(item, facts_.dominators, facts_.loops, levels, differing == kRow ? Cover::kRow : Cover::kAny),
        sole_(facts_.dominators, uniformity_, lanes, differing) {}
  bool wait();

private:
  struct Wait {
    Loop *loop;
    SmallVector<Instruction *, 4> polls;
    SmallVector<PointedObjects, 4> objects;  ///< that are polled
  };

  bool wait_in(const Wait &wait);
  void find_waits();
  bool releases_within(const Wait &wait) const;
  void find_releases(const Wait &wait);
  Blocks blocks_before(const Loop &loop) const;
  Blocks held_back(const Loop &loop, const Blocks &before, bool parts) const;
  bool come_to_release(const Loop &loop, const Blocks &starts) const;
  bool releases(const BasicBlock &block, const Loop &loop, bool later, bool &meets) const;

  Function &item_;
  LoopFacts &facts_;
  LaneUniformity uniformity_;
  SoleLanes sole_;
  std::vector<Wait> waits_;
  SmallPtrSet<const Instruction *, 8> own_releases_;  ///< that may end the loop at hand
  SmallPtrSet<const Instruction *, 8> releases_;      ///< that may end it, directly or through other work-items
};

void WaitingLanes::find_waits() {
  for (Loop *loop : facts_.loops.getLoopsInPreorder()) {
    const bool yields = any_of(loop->blocks(), [&](const BasicBlock *block) {
      return facts_.loops.getLoopFor(block) == loop &&
             any_of(*block, [](const Instruction &instruction) { return intrinsic_of(instruction) == Ups::kYield; });
    });
    if (!yields) continue;
    Wait wait{loop, polls_of(*loop, facts_), {}};
    for (const Instruction *poll : wait.polls) {
      const Value *pointer = getLoadStorePointerOperand(poll);
      if (auto *update = dyn_cast<AtomicRMWInst>(poll)) pointer = update->getPointerOperand();
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(poll)) pointer = exchange->getPointerOperand();
      wait.objects.emplace_back(*pointer);
    }
    waits_.push_back(std::move(wait));
  }
}

/// Includes the writes that another loop waits for: another work-item may first wait there, and then end this loop.
void WaitingLanes::find_releases(const Wait &wait) {
  own_releases_.clear();
  releases_.clear();
  const auto is_poll = [&](const Instruction &instruction) {
    return any_of(waits_, [&](const Wait &other) { return is_contained(other.polls, &instruction); });
  };
  for (const Instruction &instruction : instructions(item_)) {
    const std::optional<Release> release = release_of(instruction);
    if (!release) continue;
    const auto ends = [&](const Wait &other) {
      return any_of(other.objects, [&](const PointedObjects &objects) { return release->may_end(objects); });
    };
    if (ends(wait)) own_releases_.insert(&instruction);
    if (ends(wait) || (!is_poll(instruction) && any_of(waits_, ends))) releases_.insert(&instruction);
  }
}

/// Whether lanes in lockstep could take and return two locks in every round. Where they meet in the loop, they are in lockstep
/// in scalar code, too.
bool WaitingLanes::releases_within(const Wait &wait) const {
  const Loop &loop = *wait.loop;
  if (any_of(loop.blocks(), [](const BasicBlock *block) { return any_of(*block, is_meeting); })) return false;
  return any_of(own_releases_,
                [&](const Instruction *release) { return loop.contains(release) && !is_contained(wait.polls, release); });
}

/// The blocks from which control may reach the loop before the lanes meet at a barrier.
Blocks WaitingLanes::blocks_before(const Loop &loop) const {
  Blocks before;
  SmallVector<BasicBlock *, 16> work{loop.getHeader()};
  while (!work.empty()) {
    BasicBlock *block = work.pop_back_val();
    if (block != loop.getHeader() && any_of(*block, is_barrier)) continue;
    for (BasicBlock *previous : predecessors(block))
      if (!loop.contains(previous) && before.insert(previous)) work.push_back(previous);
  }
  return before;
}

/// The blocks of lanes that are not in the loop: behind it, or on another path from a branch at which they diverged.
Blocks WaitingLanes::held_back(const Loop &loop, const Blocks &before, bool parts) const {
  Blocks held;
  if (parts) {
    SmallVector<BasicBlock *, 4> exits;
    loop.getExitBlocks(exits);
    held.insert(exits.begin(), exits.end());
  }
  for (BasicBlock *block : before) {
    if (!uniformity_.has_divergent_branch(*block)) continue;
    SmallVector<BasicBlock *, 4> away, towards;
    for (BasicBlock *next : successors(block)) {
      const bool leads = next == loop.getHeader() || (before.contains(next) && none_of(*next, is_barrier));
      (leads ? towards : away).push_back(next);
    }
    held.insert(away.begin(), away.end());
    if (towards.size() > 1) held.insert(towards.begin(), towards.end());
  }
  return held;
}

/// Whether another lane reaches a release in the block. `later`: in a later round of an enclosing loop. `meets`: the lane goes
/// no further.
bool WaitingLanes::releases(const BasicBlock &block, const Loop &loop, bool later, bool &meets) const {
  const Loop *around = later ? loop.getOutermostLoop() : nullptr;
  for (const Instruction &instruction : block) {
    meets = is_meeting(instruction);
    if (meets) return false;
    if (releases_.contains(&instruction) && !sole_.run_same(loop.getHeader(), &block, around)) return true;
  }
  return false;
}

/// Whether lanes that are held back would reach a release if they ran. Releases in blocks that lead to the loop have happened
/// before lanes enter the loop, except in later rounds of a loop around it. `starts` has the loop's exits if lanes may leave it
/// in different rounds; else a path continues through the loop if another lane may run it alone in a later round.
bool WaitingLanes::come_to_release(const Loop &loop, const Blocks &starts) const {
  Blocks earlier;  // in the same round
  SmallVector<BasicBlock *, 16> work{loop.getHeader()};
  auto goes_back = [&](const BasicBlock *to) {
    const Loop *around = facts_.loops.getLoopFor(to);
    return around && around->getHeader() == to && around->contains(&loop);
  };
  while (!work.empty()) {
    BasicBlock *block = work.pop_back_val();
    for (BasicBlock *previous : predecessors(block)) {
      if (loop.contains(previous) || (goes_back(block) && facts_.loops.getLoopFor(block)->contains(previous))) continue;
      if (earlier.insert(previous)) work.push_back(previous);
    }
  }
  SmallPtrSet<BasicBlock *, 16> seen[2];
  SmallVector<std::pair<BasicBlock *, bool>, 16> open;  // and whether a later round has begun
  const bool has_other_lane_later = !sole_.run_same(loop.getHeader(), loop.getHeader(), loop.getOutermostLoop());
  SmallVector<BasicBlock *, 4> exits;
  loop.getExitBlocks(exits);
  auto visit = [&](BasicBlock *block, bool later) {
    const bool goes_through = loop.contains(block) && later && has_other_lane_later;
    for (BasicBlock *next : goes_through ? ArrayRef(exits) : loop.contains(block) ? ArrayRef<BasicBlock *>() : ArrayRef(block))
      if (seen[later].insert(next).second) open.push_back({next, later});
  };
  for (BasicBlock *start : starts) visit(start, goes_back(start));
  while (!open.empty()) {
    const auto [block, later] = open.pop_back_val();
    bool meets = false;
    if ((later || !earlier.contains(block)) && releases(*block, loop, later, meets)) return true;
    if (meets || any_of(*block, is_meeting)) continue;
    for (BasicBlock *next : successors(block)) visit(next, later || goes_back(next));
  }
  return false;
}

bool WaitingLanes::wait_in(const Wait &wait) {
  find_releases(wait);
  if (wait.polls.empty() || releases_.empty()) return false;
  const Loop &loop = *wait.loop;
  const bool parts = uniformity_.is_divergent(&loop) && !sole_.runs_one(loop.getHeader());
  if (parts && releases_within(wait)) return true;
  return come_to_release(loop, held_back(loop, blocks_before(loop), parts));
}

bool WaitingLanes::wait() {
  find_waits();
  return any_of(waits_, [&](const Wait &wait) { return wait_in(wait); });
}

}  // namespace

LaneGroups groups_for_lanes(Function &item, unsigned lanes, const GroupSize &size) {
  if (!calls(item, Ups::kYield)) return LaneGroups::kAll;
  LoopFacts facts(item);
  const LaneLevels levels(item, facts.loops);
  if (!levels.valid()) return LaneGroups::kNone;  // other control flow gets no vector code
  unsigned extended = 0;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (size[dimension] != 1) extended |= 1U << dimension;
  unsigned tried = 0;
  for (const auto &[groups, dimensions] :
       {std::pair(LaneGroups::kAll, kVolume), {LaneGroups::kPlanes, kPlane}, {LaneGroups::kRows, kRow}}) {
    const unsigned differing = dimensions & extended;
    if (differing && differing != tried && !WaitingLanes(item, facts, levels, lanes, differing).wait()) return groups;
    tried = differing;
  }
  return LaneGroups::kNone;
}

}  // namespace upsweep::passes
