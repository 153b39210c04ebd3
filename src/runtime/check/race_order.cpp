// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph of releases.
#include "runtime/check/race_order.h"
#include <algorithm>

namespace upsweep {

bool RaceNode::covers(const RaceEntry &access, RaceSpace space) const {
  if (access.group != group) return false;
  if (access.tick < start[space]) return true;
  if (access.is_copy) return false;
  if (access.item == item) return access.tick <= tick;
  return access.item / sub_group_size == sub_group && access.tick < sub_start[space];
}

bool is_covered_nearby(const RaceNode *node, const RaceEntry &access, RaceSpace space) {
  std::array<const RaceNode *, 8> nodes{node};
  size_t count = node ? 1 : 0;
  for (size_t i = 0; i < count; ++i) {
    if (nodes[i]->covers(access, space)) return true;
    for (const RaceNode *before : nodes[i]->before)
      if (before && count < nodes.size()) nodes[count++] = before;
  }
  return false;
}

void RacePast::clear() {
  seen_.clear();
  open_.clear();
  by_group_.clear();
  next_ = 0;
}

void RacePast::add(const RaceNode *node) {
  if (node && seen_.insert(node).second) open_.push_back(node);
}

bool RacePast::covers(const RaceEntry &access, RaceSpace space) {
  if (const auto known = by_group_.find(access.group); known != by_group_.end())
    if (std::ranges::any_of(known->second, [&](const RaceNode *node) { return node->covers(access, space); })) return true;
  while (next_ < open_.size()) {
    const RaceNode *node = open_[next_++];
    for (const RaceNode *before : node->before) add(before);
    if (node->group == RaceNode::kNoGroup) continue;
    by_group_[node->group].push_back(node);
    if (node->covers(access, space)) return true;
  }
  return false;
}

const RaceNode *RaceLaunch::make(const RaceNode &node) {
  std::lock_guard lock(mutex_);
  if (num_nodes_.load(std::memory_order_relaxed) >= kMostNodes) return nullptr;
  num_nodes_.fetch_add(1, std::memory_order_relaxed);
  return &nodes_.emplace_back(node);
}

const RaceNode *RaceLaunch::join(const RaceNode *one, const RaceNode *other) {
  if (!other || one == other) return one;
  if (!one) return other;
  // A loop that polls acquires the same nodes again.
  const RaceNode *known = one;
  for (int i = 0; i < 4 && known && known->group == RaceNode::kNoGroup; ++i, known = known->before[1])
    if (known->before[0] == other || known->before[1] == other) return one;
  RaceNode both;
  both.before = {other, one, nullptr};
  return make(both);
}

void RaceLaunch::attach(uint64_t address, uint64_t group, const RaceNode *node) {
  const Key key{address, group};
  Shard &its = shard(key);
  std::lock_guard lock(its.mutex);
  const RaceNode *&head = its.heads[key];
  head = join(head, node);
}

const RaceNode *RaceLaunch::head(uint64_t address, uint64_t group) {
  const Key key{address, group};
  Shard &its = shard(key);
  std::lock_guard lock(its.mutex);
  const auto known = its.heads.find(key);
  return known == its.heads.end() ? nullptr : known->second;
}

}  // namespace upsweep
