// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each check covers a single transfer of control; together they hold for every path by induction.
#include "passes/cpu/lanes/lane_control_check.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/IR/CFG.h>

#include "passes/cpu/lanes/lane_control.h"

using namespace llvm;

namespace upsweep::passes {
namespace {

class ControlCheck {
public:
  explicit ControlCheck(const LaneControl &control) : control_(control), predecessors_(control.plans().size()) {}

  std::string run() {
    for (const BlockPlan &plan : control_.plans()) {
      check_skip(plan);
      check_successors(plan);
    }
    if (broken_.empty()) check_return();
    return broken_;
  }

private:
  void fail(const BlockPlan &plan, const char *rule) {
    if (broken_.empty()) broken_ = (plan.block->getName() + ": " + rule).str();
  }

  /// The blocks at which lanes wait after `plan`, whose own lanes go to `wanted`; only blocks inside the divergent loop
  /// `around`.
  std::set<unsigned> waiting_after(const BlockPlan &plan, ArrayRef<BasicBlock *> wanted, const Loop *around) const {
    std::set<unsigned> waiting;
    for (unsigned place : control_.pending(plan))
      if (place != plan.index) waiting.insert(place);
    for (BasicBlock *block : wanted)
      if (!around || around->contains(block)) waiting.insert(control_.plan(block).index);
    return waiting;
  }

  /// Control goes from `plan` to `to` while lanes wait at `waiting`.
  void check_transfer(const BlockPlan &plan, const BasicBlock *to, const std::set<unsigned> &waiting) {
    if (!to) return fail(plan, "control goes nowhere");
    const BlockPlan &next = control_.plan(to);
    predecessors_[next.index].push_back(plan.index);
    const Loop *loop = control_.loops().getLoopFor(to);
    const bool back = next.index <= plan.index;
    if (back && !(loop && loop->getHeader() == to && loop->getLoopLatch() == plan.block))
      return fail(plan, "control goes back, and not from a latch to its header");
    for (unsigned place : waiting) {
      const BasicBlock *other = control_.plans()[place].block;
      if (place == next.index) continue;
      if (back ? loop->contains(other) : place < next.index) return fail(plan, "control passes lanes that wait");
      if (!control_.pending(next).contains(place)) return fail(plan, "the next block forgets lanes that wait");
    }
  }

  void check_skip(const BlockPlan &plan) {
    if (!plan.check) return;
    if (plan.skip_to && control_.plan(plan.skip_to).index <= plan.index) return fail(plan, "a skip does not go forward");
    check_transfer(plan, plan.skip_to, waiting_after(plan, {}, nullptr));
  }

  void check_successors(const BlockPlan &plan) {
    const SmallVector<BasicBlock *, 2> all(successors(plan.block));
    if (all.empty()) return;
    const Loop *around = control_.divergent_loop_around(plan.block);
    if (plan.tested_loop) {
      SmallVector<BasicBlock *, 4> exits;
      plan.tested_loop->getUniqueExitBlocks(exits);
      check_transfer(plan, plan.next[0],
                     waiting_after(plan, exits, control_.divergent_loop(plan.tested_loop->getParentLoop())));
      check_transfer(plan, plan.tested_loop->getHeader(), waiting_after(plan, {}, nullptr));
    } else if (plan.divergent) {
      check_transfer(plan, plan.next[0], waiting_after(plan, all, around));
    } else {
      for (unsigned i = 0; i < all.size(); ++i) check_transfer(plan, plan.next[i], waiting_after(plan, all[i], around));
    }
  }

  void check_return() {
    const auto count = static_cast<unsigned>(control_.plans().size());
    BitVector reached(count);
    std::vector<unsigned> work = {count - 1};
    reached.set(count - 1);
    while (!work.empty()) {
      const unsigned place = work.back();
      work.pop_back();
      for (unsigned before : predecessors_[place])
        if (!reached.test(before)) {
          reached.set(before);
          work.push_back(before);
        }
    }
    for (const BlockPlan &plan : control_.plans())
      if (!reached.test(plan.index)) fail(plan, "no way leads to the return");
  }

  const LaneControl &control_;
  std::vector<std::vector<unsigned>> predecessors_;  ///< in the control flow, for each block
  std::string broken_;
};

}  // namespace

std::string check_control(const LaneControl &control) { return ControlCheck(control).run(); }

}  // namespace upsweep::passes
