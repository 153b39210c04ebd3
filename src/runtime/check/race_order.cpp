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

bool is_before_nearby(const RaceNode *before, const RaceNode *node) {
  std::array<const RaceNode *, 8> nodes{node};
  size_t count = node ? 1 : 0;
  for (size_t i = 0; i < count; ++i) {
    if (nodes[i] == before) return true;
    for (const RaceNode *next : nodes[i]->before)
      if (next && count < nodes.size()) nodes[count++] = next;
  }
  return false;
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

RaceLaunch::RaceLaunch(RaceShadow &shadow)
    : shadow_(shadow), number_(shadow.begin_launch()), id_([] {
        static std::atomic<uint64_t> last{0};
        return last.fetch_add(1, std::memory_order_relaxed) + 1;
      }()) {}

RaceNode *RaceLaunch::take_chunk() {
  std::lock_guard lock(mutex_);
  if (has_lost_order()) return nullptr;
  chunks_.push_back(std::make_unique<RaceNode[]>(RaceNodes::kChunk));
  num_nodes_.fetch_add(RaceNodes::kChunk, std::memory_order_relaxed);
  return chunks_.back().get();
}

void RaceLaunch::attach(uint64_t address, const RaceNode *node, RaceNodes &nodes) {
  Shard &its = shard(address);
  std::lock_guard lock(its.lock);
  const RaceNode *&head = its.heads.at(address);
  head = nodes.join(head, node);
}

/// The node takes the place of a node that would join it with the earlier releases.
void RaceLaunch::attach_new(uint64_t address, RaceNode *node) {
  Shard &its = shard(address);
  std::lock_guard lock(its.lock);
  const RaceNode *&head = its.heads.at(address);
  if (!is_before_nearby(head, node)) node->before[2] = head;
  head = node;
}

const RaceNode *RaceLaunch::head(uint64_t address) {
  Shard &its = shard(address);
  std::lock_guard lock(its.lock);
  return its.heads.find(address);
}

void RaceNodes::use(RaceLaunch &launch) {
  if (launch.id() == id_) return;
  launch_ = &launch;
  id_ = launch.id();
  next_ = end_ = nullptr;
}

RaceNode *RaceNodes::make(const RaceNode &node) {
  if (next_ == end_) {
    next_ = launch_->take_chunk();
    end_ = next_ ? next_ + kChunk : nullptr;
    if (!next_) return nullptr;
  }
  *next_ = node;
  return next_++;
}

/// A release behind the location's earlier releases replaces them: this is the case for locks.
const RaceNode *RaceNodes::join(const RaceNode *one, const RaceNode *other) {
  if (!other || one == other) return one;
  if (!one || is_before_nearby(one, other)) return other;
  if (is_before_nearby(other, one)) return one;
  RaceNode both;
  both.before = {other, one, nullptr};
  return make(both);
}

const RaceNode *&RaceHeads::at(uint64_t address) {
  if (2 * size_ >= slots_.size()) grow();
  Slot &slot = slots_[place(address)];
  if (slot.epoch != epoch_) {
    slot = {address, nullptr, epoch_};
    ++size_;
  }
  return slot.node;
}

void RaceHeads::grow() {
  std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
  old.swap(slots_);
  for (const Slot &slot : old)
    if (slot.epoch == epoch_) slots_[place(slot.address)] = slot;
}

}  // namespace upsweep
