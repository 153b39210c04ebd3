// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes post-dominators of the loop without back edges (Cooper, Harvey and Kennedy 2001), and control dependence from them
// (Ferrante, Ottenstein and Warren 1987).
#include "passes/cpu/loop_deciders.h"

#include <llvm/IR/CFG.h>

#include <algorithm>

using namespace llvm;

namespace upsweep::passes {

LoopDeciders::LoopDeciders(const Loop &loop) : loop_(loop) {
  order_blocks();
  find_post_dominators();
  for (unsigned branch = 0; branch < order_.size(); ++branch) {
    if (succ_size(order_[branch]) < 2) continue;
    for (const BasicBlock *next : successors(order_[branch]))
      for (unsigned at = place_of(next); at != kEnd && at != post_dominators_[branch]; at = post_dominators_[at]) {
        auto &found = deciders_[order_[at]];
        if (found.empty() || found.back() != order_[branch]) found.push_back(order_[branch]);
      }
  }
}

ArrayRef<const BasicBlock *> LoopDeciders::of(const BasicBlock *block) const {
  const auto found = deciders_.find(block);
  if (found == deciders_.end()) return {};
  return found->second;
}

/// Also kEnd for a block from which no path leads to the iteration's end.
unsigned LoopDeciders::place_of(const BasicBlock *block) const {
  if (block == loop_.getHeader()) return kEnd;
  const auto found = places_.find(block);
  return found == places_.end() ? kEnd : found->second;
}

void LoopDeciders::order_blocks() {
  std::vector<std::pair<const BasicBlock *, const_pred_iterator>> open;
  DenseMap<const BasicBlock *, bool> seen;
  auto enter = [&](const BasicBlock *block) {
    if (loop_.contains(block) && seen.insert({block, true}).second) open.push_back({block, pred_begin(block)});
  };
  auto ends_round = [&](const BasicBlock *next) { return next == loop_.getHeader() || !loop_.contains(next); };
  for (const BasicBlock *last : loop_.blocks()) {
    if (none_of(successors(last), ends_round)) continue;
    enter(last);
    while (!open.empty()) {
      auto &[block, next] = open.back();
      if (block == loop_.getHeader() || next == pred_end(block)) {
        order_.push_back(block);
        open.pop_back();
        continue;
      }
      enter(*next++);
    }
  }
  std::reverse(order_.begin(), order_.end());
  for (unsigned i = 0; i < order_.size(); ++i) places_[order_[i]] = i;
}

unsigned LoopDeciders::meet(unsigned a, unsigned b) const {
  while (a != b) {
    if (a == kEnd || b == kEnd) return kEnd;
    if (a > b)
      a = post_dominators_[a];
    else
      b = post_dominators_[b];
  }
  return a;
}

void LoopDeciders::find_post_dominators() {
  constexpr unsigned kUnknown = kEnd - 1;
  post_dominators_.assign(order_.size(), kUnknown);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned place = 0; place < order_.size(); ++place) {
      unsigned common = kUnknown;
      for (const BasicBlock *next : successors(order_[place])) {
        const unsigned after = place_of(next);
        if (after == place || (after != kEnd && post_dominators_[after] == kUnknown)) continue;
        common = common == kUnknown ? after : meet(common, after);
      }
      if (common == post_dominators_[place]) continue;
      post_dominators_[place] = common;
      changed = true;
    }
  }
}

}  // namespace upsweep::passes
