// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses and events of a work-group.
#include "runtime/check/race_group.h"
#include <algorithm>

namespace upsweep {
namespace {

bool is_wide_scope(uint32_t scope) { return scope == kRaceOfDevice || scope == kRaceOfAll; }
bool acquires(uint32_t order) { return order == kRaceAcquire || order >= kRaceAcqRel; }
bool releases(uint32_t order) { return order >= kRaceRelease; }

}  // namespace

void RaceGroup::begin(RaceLaunch &launch, uint64_t number, uint32_t items) {
  launch_ = &launch;
  ++epoch_;
  number_ = number & UINT32_MAX;
  tick_ = 1;
  barriers_ = copies_start_ = 0;
  start_ = {};
  acquired_ = nullptr;
  barriers_of_.assign(items, 0);
  sub_start_.assign(items, {});
  has_sub_groups_ = false;
  acquirers_.clear();
  heads_.clear();
  nodes_.use(launch);
  past_.clear();
  past_of_item_.clear();
  shadow_.begin(items, local_time());
}

RaceGroup::Item &RaceGroup::item(uint32_t number) {
  if (number >= items_.size()) items_.resize(std::max<size_t>(number + 1, barriers_of_.size()));
  Item &its = items_[number];
  if (its.epoch != epoch_) {
    its = {};
    its.epoch = epoch_;
  }
  return its;
}

RaceGroup::Item *RaceGroup::known_item(uint32_t number) {
  return number < items_.size() && items_[number].epoch == epoch_ ? &items_[number] : nullptr;
}

const RaceNode *RaceGroup::acquired_by(uint32_t number) {
  const Item *its = known_item(number);
  return its ? its->acquired : nullptr;
}

void RaceGroup::acquire(Item &its, const RaceNode *node) {
  if (!node) return;
  if (!its.acquired) acquirers_.push_back(static_cast<uint32_t>(&its - items_.data()));
  its.acquired = nodes_.join(its.acquired, node);
}

/// Local memory belongs to a group: other groups' accesses of the same address were in other memory.
bool RaceGroup::is_of_now(const RaceEntry &entry, RaceSpace space) const {
  return entry.launch == launch_->number() && (space == kRaceGlobal || entry.group == number_);
}

bool RaceGroup::is_ordered_in_group(const RaceEntry &entry, const RaceAccess &access) const {
  if (entry.group != number_) return false;
  if (entry.is_copy) return access.is_copy || entry.tick < copies_start_;
  if (entry.item == access.item && !access.is_copy) return true;
  if (entry.tick < start_[access.space]) return true;
  const uint32_t sub_group = sub_group_of(entry.item);
  return !access.is_copy && sub_group == sub_group_of(access.item) && entry.tick < sub_start_[sub_group][access.space];
}

bool RaceGroup::is_ordered(const RaceEntry &entry, const RaceAccess &access) {
  if (is_ordered_in_group(entry, access)) return true;
  if (!launch_->has_nodes()) return false;
  if (launch_->has_lost_order()) return true;
  past_.add(acquired_);
  if (past_.covers(entry, access.space)) return true;
  const RaceNode *acquired = access.is_copy ? nullptr : acquired_by(access.item);
  if (!acquired) return false;
  if (is_covered_nearby(acquired, entry, access.space)) return true;
  if (past_item_ != access.item) past_of_item_.clear();
  past_item_ = access.item;
  past_of_item_.add(acquired);
  return past_of_item_.covers(entry, access.space);
}

bool RaceGroup::conflicts(const RaceEntry &entry, const RaceAccess &access) {
  if (!is_of_now(entry, access.space) || !(entry.writes || access.writes)) return false;
  if (entry.is_atomic && access.is_atomic) {
    const auto includes = [&](uint64_t scope) {
      if (scope == kRaceOfItem) return false;
      if (is_wide_scope(static_cast<uint32_t>(scope))) return true;
      if (entry.group != number_) return false;
      return scope == kRaceOfGroup || sub_group_of(entry.item) == sub_group_of(access.item);
    };
    if (includes(entry.scope) && includes(access.scope)) return false;
  }
  return !is_ordered(entry, access);
}

/// Keeps two entries of two groups, or of two work-items since the last barrier: a later access that conflicts with some entry
/// conflicts with a kept entry.
void RaceGroup::note(std::array<RaceEntry, 2> &slots, const RaceEntry &mine, const RaceAccess &access) const {
  auto &[one, other] = slots;
  const auto is_same = [&](const RaceEntry &entry) {
    return entry.group == number_ && entry.item == mine.item && entry.is_copy == mine.is_copy;
  };
  const auto is_free = [&](const RaceEntry &entry) {
    if (!is_of_now(entry, access.space) || (mine.writes && !entry.writes)) return true;
    if (is_same(entry)) return mine.writes || !entry.writes || entry.tick < start_[access.space];
    return is_ordered_in_group(entry, access);
  };
  for (const RaceEntry &entry : slots)
    if (is_of_now(entry, access.space) && is_same(entry) && !is_free(entry)) return;
  if (is_free(one)) {
    one = mine;
    if (is_of_now(other, access.space) && is_same(other)) other = {};
  } else if (is_free(other) || (one.group != number_ && other.group != number_) ||
             (one.group == other.group && one.group != number_)) {
    other = mine;
  }
}

void RaceGroup::visit(RaceCell &cell, const RaceEntry &mine, const RaceAccess &access, uint64_t address,
                      std::vector<RaceConflict> &found) {
  const auto test = [&](const RaceEntry &entry) {
    if (!entry.launch || !conflicts(entry, access)) return;
    const bool is_known = std::ranges::any_of(found, [&](const RaceConflict &conflict) {
      return conflict.other.group == entry.group && conflict.other.item == entry.item && conflict.other.site == entry.site;
    });
    if (!is_known) found.push_back({entry, address});
  };
  test(cell.write);
  for (const RaceEntry &entry : cell.atomics) test(entry);
  if (access.writes)
    for (const RaceEntry &reader : cell.readers) test(reader);
  if (access.is_atomic) {
    note(cell.atomics, mine, access);
  } else if (access.writes) {
    cell.write = mine;
    cell.readers = {};  // happened before this write, or were reported
  } else {
    note(cell.readers, mine, access);
  }
}

RaceEntry RaceGroup::entry_of(const RaceAccess &access) const {
  RaceEntry entry;
  entry.launch = launch_->number();
  entry.group = number_;
  entry.item = access.item;
  entry.tick = tick_;
  entry.site = access.site;
  entry.scope = access.scope;
  entry.is_atomic = access.is_atomic;
  entry.is_copy = access.is_copy;
  entry.writes = access.writes;
  entry.value = access.value;
  return entry;
}

void RaceGroup::access(const RaceAccess &access, std::vector<RaceConflict> &conflicts) {
  const bool may_release = access.is_atomic && (access.writes || access.may_write);
  if (access.is_atomic && update_local(access)) {
    if (may_release) release(access);
    return;
  }
  const RaceEntry mine = entry_of(access);
  for (uint64_t at = access.address, end = at + access.width; at < end;) {
    const uint64_t offset = at % RacePage::kBytes, bytes = std::min(end - at, RacePage::kBytes - offset);
    if (RacePage *page = launch_->shadow().page(at)) {
      std::lock_guard lock(*page);
      use_cells(*page, at, bytes, access.space);
      const std::span<RaceCell> cells = launch_->shadow().cells(*page, offset, bytes);
      for (size_t i = 0; i < cells.size(); ++i) visit(cells[i], mine, access, at + i * (bytes / cells.size()), conflicts);
    }
    at += bytes;
  }
  if (may_release) release(access);
}

/// Everything that happens before the present moment of the work-item.
RaceNode RaceGroup::state_of(uint32_t number) {
  RaceNode node;
  node.group = number_;
  node.item = number;
  node.tick = tick_;
  node.sub_group = sub_group_of(number);
  node.sub_group_size = sub_group_size_;
  node.start = start_;
  node.sub_start = sub_start_[node.sub_group];
  node.before = {acquired_by(number), acquired_, nullptr};
  return node;
}

const RaceNode *RaceGroup::node_of(Fence &fence) {
  if (fence.is_set && !fence.node) fence.node = nodes_.make(fence.state);
  return fence.node;
}

void RaceGroup::release(const RaceAccess &access) {
  if (access.scope == kRaceOfItem) return;
  const bool is_wide = is_wide_scope(access.scope) && access.space == kRaceGlobal;
  const RaceNode *of_group = nullptr;
  if (releases(access.order)) {
    RaceNode *made = nodes_.make(state_of(access.item));
    if (made && is_wide) launch_->attach_new(access.address, made);
    of_group = made;
    ++tick_;
    shadow_.set_time(local_time());
  } else if (Item *its = known_item(access.item)) {
    of_group = node_of(its->fence);
    const RaceNode *wide = its->is_fence_wide ? of_group : node_of(its->wide_fence);
    if (wide && is_wide) launch_->attach(access.address, wide, nodes_);
  }
  if (!of_group) return;
  const RaceNode *&head = heads_.at(access.address);
  head = nodes_.join(head, of_group);
}

void RaceGroup::acquire(const RaceAccess &access) {
  if (!access.reads || access.scope == kRaceOfItem || !launch_->has_nodes()) return;
  const RaceNode *of_group = heads_.find(access.address);
  const bool is_wide = is_wide_scope(access.scope) && access.space == kRaceGlobal;
  const RaceNode *wide = is_wide ? launch_->head(access.address) : nullptr;
  if (!of_group && !wide) return;
  Item &its = item(access.item);
  if (acquires(access.order)) {
    acquire(its, nodes_.join(wide, of_group));
  } else {
    its.loose_group = nodes_.join(its.loose_group, of_group);
    its.loose_wide = nodes_.join(its.loose_wide, wide);
  }
}

void RaceGroup::fence(uint32_t number, uint32_t order, uint32_t scope) {
  if (order == kRaceRelaxed || scope == kRaceOfItem) return;
  Item &its = item(number);
  const bool is_wide = is_wide_scope(scope);
  if (acquires(order)) {
    acquire(its, its.loose_group);
    if (is_wide) acquire(its, its.loose_wide);
  }
  if (!releases(order)) return;
  if (!is_wide && its.is_fence_wide) its.wide_fence = its.fence;
  its.is_fence_wide = is_wide;
  its.fence = {state_of(number), nullptr, true};
  ++tick_;
  shadow_.set_time(local_time());
}

/// Behind a barrier, all work-items of the group know what one of them has acquired.
void RaceGroup::share_acquired() {
  for (const uint32_t number : acquirers_) {
    const RaceNode *&acquired = items_[number].acquired;
    acquired_ = nodes_.join(acquired_, acquired);
    acquired = nullptr;
  }
  acquirers_.clear();
  past_of_item_.clear();
}

/// The first unit that goes on makes the barrier's time; all units arrived before.
void RaceGroup::pass_barrier(uint32_t unit, bool is_global, bool is_local, bool waits_for_copies) {
  if (unit >= barriers_of_.size() || ++barriers_of_[unit] <= barriers_) return;
  barriers_ = barriers_of_[unit];
  ++tick_;
  if (is_global) start_[kRaceGlobal] = tick_;
  if (is_local) start_[kRaceLocal] = tick_;
  if (waits_for_copies) {
    copies_start_ = tick_;
    shadow_.end_copies();
  }
  shadow_.set_time(local_time());
  share_acquired();
}

/// In scalar code each work-item of the sub-group makes a time of its own. Later ones order more than there is, so that races
/// are missed, not invented.
void RaceGroup::pass_sub_group(uint32_t item, bool is_global, bool is_local) {
  ++tick_;
  has_sub_groups_ = true;
  RaceTicks &start = sub_start_[sub_group_of(item)];
  if (is_global) start[kRaceGlobal] = tick_;
  if (is_local) start[kRaceLocal] = tick_;
  shadow_.set_time(local_time());
  if (launch_->has_nodes()) share_acquired();
}

RaceGroup &race_group() {
  static thread_local RaceGroup group;
  return group;
}

}  // namespace upsweep
