// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes rows apart into accesses of work-items, and makes findings of conflicts.
#include "targets/cpu/race_hooks.h"
#include "base/across_fork.h"
#include "base/never_destroyed.h"
#include "base/race_abi.h"
#include "runtime/check/findings.h"
#include "targets/cpu/check_hooks.h"
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace upsweep {
namespace {

/// cl_mem_fence_flags of OpenCL C.
constexpr uint32_t kLocalFence = 1, kGlobalFence = 2, kImageFence = 4;
constexpr uint32_t kMostSites = (1U << 20) - 1;
/// Milliseconds until another thread has carried out a write of which its event came.
constexpr int kMostWaits = 50;

/// The checked places by number, and the findings by pairs of them. Numbers are never given again; a site may be gone when its
/// program was released, but then no launch of it is running.
struct RacePlaces {
  std::mutex mutex;
  const AcrossFork across_fork{&mutex};
  std::vector<UpsweepCheckSite *> sites{nullptr};
  std::map<std::tuple<uint32_t, uint32_t, UpsweepFindingKind>, FindingRecord *> findings;
};

RacePlaces &race_places() {
  static NeverDestroyed<RacePlaces> places;
  return *places;
}
const MadeWithPlatform race_places_made([] { static_cast<void>(race_places()); });

/// 0 if there are too many sites.
uint32_t number_of(UpsweepCheckSite &site) {
  const std::atomic_ref<void *> slot(site.findings[UPSWEEP_RACE]);
  if (void *known = slot.load(std::memory_order_relaxed)) return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(known));
  RacePlaces &places = race_places();
  std::lock_guard lock(places.mutex);
  if (void *known = slot.load(std::memory_order_relaxed)) return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(known));
  if (places.sites.size() > kMostSites) return 0;
  places.sites.push_back(&site);
  const auto number = static_cast<uint32_t>(places.sites.size() - 1);
  slot.store(reinterpret_cast<void *>(uintptr_t{number}), std::memory_order_relaxed);
  return number;
}

/// The ids of a work-item.
struct Ids {
  std::array<uint64_t, 3> global{}, local{}, group{};
};
Ids ids_of(const UpsweepGroup &group, const std::array<uint64_t, 3> &group_id, uint64_t item) {
  Ids ids;
  ids.group = group_id;
  for (size_t i = 0; i < 3; ++i) {
    const uint64_t first = group_id[i] * group.enqueued_local_size[i];
    const uint64_t size = std::max<uint64_t>(std::min(group.enqueued_local_size[i], group.global_size[i] - first), 1);
    ids.local[i] = i == 2 ? item : item % size;
    item /= size;
    ids.global[i] = group.global_offset[i] + first + ids.local[i];
  }
  return ids;
}
std::array<uint64_t, 3> group_id_of(const UpsweepGroup &group, uint64_t number) {
  return {number % group.num_groups[0], number / group.num_groups[0] % group.num_groups[1],
          number / group.num_groups[0] / group.num_groups[1]};
}

/// A row of a unit: its work-items, pointers and values.
class RaceRow {
public:
  RaceRow(const UpsweepGroup &group, const UpsweepRaceRow &row) : row_(row) {
    std::array<uint64_t, 3> id{row.x, row.y, row.z}, stride{1, group.local_size[0], group.local_size[0] * group.local_size[1]};
    if (row.axis) std::swap(id[0], id[row.axis]);
    first_ = id[0] + id[1] * stride[1] + id[2] * stride[2];
    step_ = stride[row.axis];
  }
  [[nodiscard]] uint32_t item(unsigned lane) const { return static_cast<uint32_t>(first_ + lane * step_); }
  [[nodiscard]] uint64_t pointer(unsigned lane) const {
    return row_.pointers ? row_.pointers[lane] : row_.pointer + lane * static_cast<uint64_t>(row_.step);
  }
  [[nodiscard]] uint32_t item_step() const { return static_cast<uint32_t>(step_); }
  [[nodiscard]] uint64_t value(unsigned lane) const { return row_.values ? row_.values[lane] : row_.value; }
  /// The lane of a work-item that takes part; -1 if there is none.
  [[nodiscard]] int lane_of(uint64_t item) const {
    for (uint64_t lanes = row_.mask; lanes; lanes &= lanes - 1)
      if (this->item(static_cast<unsigned>(std::countr_zero(lanes))) == item) return std::countr_zero(lanes);
    return -1;
  }

private:
  const UpsweepRaceRow &row_;
  uint64_t first_, step_;
};

bool is_between(uint64_t address, const void *begin, const void *end) {
  return address >= reinterpret_cast<uintptr_t>(begin) && address < reinterpret_cast<uintptr_t>(end);
}

/// The work-item's own memory, and the driver's.
bool is_of_driver(const UpsweepGroup &group, uint64_t address) {
  return is_between(address, group.stack_low, group.stack_high) || is_between(address, group.frames, group.frames_end) ||
         is_between(address, group.scratch, static_cast<const char *>(group.scratch) + UPSWEEP_SCRATCH_BYTES);
}

/// Whether memory has these bytes; false if it cannot be read.
bool has_value(uint64_t address, uint64_t value, uint64_t width) {
  uint64_t found = 0;
  iovec to{&found, width}, from{reinterpret_cast<void *>(address), width};
  if (::process_vm_readv(::getpid(), &to, 1, &from, 1, 0) != static_cast<ssize_t>(width)) return false;
  return std::memcmp(&found, &value, width) == 0;
}

class RaceReporter {
public:
  RaceReporter(const UpsweepGroup &group, UpsweepCheckSite &site, const UpsweepRaceRow &row, const RaceRow &lanes)
      : group_(group), site_(site), row_(row), lanes_(lanes) {}
  void report(unsigned lane, const RaceAccess &access, const RaceConflict &conflict);

private:
  [[nodiscard]] bool is_of_equal_values(unsigned lane, const RaceAccess &access, const RaceConflict &conflict,
                                        const UpsweepCheckSite *other, bool has_race) const;
  [[nodiscard]] Finding finding(UpsweepFindingKind kind, unsigned lane, const RaceAccess &access, const RaceConflict &conflict,
                                const UpsweepCheckSite *other) const;

  const UpsweepGroup &group_;
  UpsweepCheckSite &site_;
  const UpsweepRaceRow &row_;
  const RaceRow &lanes_;
};

/// The other write is in memory already, unless it belongs to this row or to another thread's. `has_race`: the pair of places
/// has written different values before, so another race need not be told apart with patience.
bool RaceReporter::is_of_equal_values(unsigned lane, const RaceAccess &access, const RaceConflict &conflict,
                                      const UpsweepCheckSite *other, bool has_race) const {
  if (!other || site_.access != UPSWEEP_WRITES || other->access != UPSWEEP_WRITES || site_.value == UPSWEEP_VALUE_NONE)
    return false;
  if (row_.width == 0 || row_.width > sizeof(uint64_t) || other->width != row_.width) return false;
  const uint64_t group =
      (group_.group_id[2] * group_.num_groups[1] + group_.group_id[1]) * group_.num_groups[0] + group_.group_id[0];
  if (other == &site_ && conflict.other.group == (group & UINT32_MAX)) {
    const int others = lanes_.lane_of(conflict.other.item);
    if (others >= 0 && lanes_.pointer(static_cast<unsigned>(others)) == access.address)
      return lanes_.value(static_cast<unsigned>(others)) == lanes_.value(lane);
  }
  const bool is_known = conflict.other.value != RaceRecord::kUnknownValue;
  if (is_known && conflict.other.value != access.value) return false;
  // Another thread may be about to write.
  const bool is_of_group = conflict.other.group == (group & UINT32_MAX);
  if (is_known && !is_of_group) return true;
  const uint64_t value = lanes_.value(lane);
  for (int i = 0; i < kMostWaits && !is_of_group && !has_race && !has_value(access.address, value, row_.width); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return has_value(access.address, value, row_.width);
}

Finding RaceReporter::finding(UpsweepFindingKind kind, unsigned lane, const RaceAccess &access, const RaceConflict &conflict,
                              const UpsweepCheckSite *other) const {
  const UpsweepBounds *bounds = bounds_of(group_, site_);
  const bool has_base = bounds && bounds->base;
  const UpsweepFailure place{.address = conflict.address,
                             .start = has_base ? conflict.address - bounds->base : ~uint64_t{0},
                             .bytes = 0,
                             .width = row_.width,
                             .value = lanes_.value(lane)};
  Finding made = make_finding(group_, site_, place, kind);
  if (has_base && made.bytes >= UPSWEEP_UNKNOWN_BYTES) made.bytes = 0;
  const Ids ids = ids_of(group_, {group_.group_id[0], group_.group_id[1], group_.group_id[2]}, access.item);
  made.global = ids.global;
  made.local = ids.local;
  made.group = ids.group;
  made.is_atomic = access.is_atomic;
  made.is_copy = access.is_copy;
  OtherAccess &others = made.other.emplace();
  if (other) {
    others.file = other->file;
    others.calls = other->calls;
    others.line = other->line;
    others.column = other->column;
    others.access = other->access;
    others.width = other->width;
    made.off |= other->off;
  } else {
    others.access = conflict.other.writes ? UPSWEEP_WRITES : UPSWEEP_READS;
  }
  others.is_atomic = conflict.other.is_atomic;
  others.is_copy = conflict.other.is_copy;
  const Ids their = ids_of(group_, group_id_of(group_, conflict.other.group), conflict.other.item);
  others.global = their.global;
  others.local = their.local;
  others.group = their.group;
  return made;
}

/// A pair of places is one finding, whichever of them comes first.
void RaceReporter::report(unsigned lane, const RaceAccess &access, const RaceConflict &conflict) {
  RacePlaces &places = race_places();
  std::lock_guard lock(places.mutex);
  const UpsweepCheckSite *other = places.sites[conflict.other.site];
  const auto [low, high] = std::minmax({access.site, static_cast<uint32_t>(conflict.other.site)});
  const bool has_race = places.findings.contains({low, high, UPSWEEP_RACE});
  const auto kind = is_of_equal_values(lane, access, conflict, other, has_race) ? UPSWEEP_RACE_OF_EQUAL_VALUES : UPSWEEP_RACE;
  FindingRecord *&record = places.findings[{low, high, kind}];
  if (record && record->count.load(std::memory_order_relaxed) != 0) {
    record->count.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  record = &findings().add(finding(kind, lane, access, conflict, other));
}

/// A hash of 6 bits that is not RaceRecord::kUnknownValue.
uint32_t hash_of(uint64_t value) {
  return std::min(static_cast<uint32_t>(value * 0x9e3779b97f4a7c15U >> 58), RaceRecord::kUnknownValue - 1);
}

/// The lanes' addresses as a row with a step: for any number of lanes, or for one lane.
struct Addresses {
  uint64_t first;  ///< of lane 0
  int64_t step;
};
std::optional<Addresses> addresses_of(const UpsweepRaceRow &row) {
  if (!row.pointers) return Addresses{row.pointer, row.step};
  const auto one = static_cast<unsigned>(std::countr_zero(row.mask));
  const uint64_t others = row.mask & (row.mask - 1);
  if (!others) return Addresses{row.pointers[one], 0};
  const auto two = static_cast<unsigned>(std::countr_zero(others));
  const int64_t step = static_cast<int64_t>(row.pointers[two] - row.pointers[one]) / static_cast<int64_t>(two - one);
  const uint64_t first = row.pointers[one] - one * static_cast<uint64_t>(step);
  for (uint64_t left = others; left; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (row.pointers[lane] != first + lane * static_cast<uint64_t>(step)) return std::nullopt;
  }
  return Addresses{first, step};
}

/// Whether [low, high) is in [begin, end), or apart from it.
enum class Overlap : uint8_t { kApart, kInside, kPart };
Overlap overlap_of(uint64_t low, uint64_t high, const void *begin, const void *end) {
  const auto first = reinterpret_cast<uintptr_t>(begin), last = reinterpret_cast<uintptr_t>(end);
  if (high <= first || low >= last) return Overlap::kApart;
  return low >= first && high <= last ? Overlap::kInside : Overlap::kPart;
}

/// Follows plain accesses as a row, as far as they cannot conflict. The result: the other lanes.
uint64_t follow_row(RaceGroup &races, const UpsweepGroup &group, const UpsweepRaceRow &row, const RaceRow &lanes,
                    const RaceAccess &access) {
  RaceSpan span;
  span.width = row.width;
  span.site = access.site;
  span.writes = access.writes;
  span.value = !access.writes ? 0 : row.values ? RaceRecord::kUnknownValue : hash_of(row.value);
  span.item = lanes.item(0);
  span.item_step = lanes.item_step();
  const auto follow = [&](const Addresses &addresses, uint64_t mask) {
    const auto first = static_cast<uint64_t>(std::countr_zero(mask)), last = static_cast<uint64_t>(std::bit_width(mask)) - 1;
    const uint64_t one = addresses.first + first * static_cast<uint64_t>(addresses.step);
    const uint64_t other = addresses.first + last * static_cast<uint64_t>(addresses.step);
    const uint64_t low = std::min(one, other), high = std::max(one, other) + row.width;
    const Overlap in_local = overlap_of(low, high, group.local, group.local_end);
    const bool is_of_driver = in_local != Overlap::kInside &&
                              (overlap_of(low, high, group.stack_low, group.stack_high) != Overlap::kApart ||
                               overlap_of(low, high, group.frames, group.frames_end) != Overlap::kApart ||
                               overlap_of(low, high, group.scratch,
                                          static_cast<const char *>(group.scratch) + UPSWEEP_SCRATCH_BYTES) != Overlap::kApart);
    if (is_of_driver || in_local == Overlap::kPart || high < low) return mask;
    span.space = in_local == Overlap::kInside ? kRaceLocal : kRaceGlobal;
    span.address = addresses.first;
    span.step = addresses.step;
    span.lanes = mask;
    return races.access_row(span);
  };
  if (const std::optional<Addresses> addresses = addresses_of(row)) return follow(*addresses, row.mask);
  uint64_t others = 0;
  for (uint64_t left = row.mask; left; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    others |= follow({row.pointers[lane], 0}, uint64_t{1} << lane);
  }
  return others;
}

/// All units reach an async copy; the first work-item's event counts.
void follow_copy(RaceGroup &races, const UpsweepGroup &group, UpsweepCheckSite &site, const UpsweepRaceRow &row) {
  const RaceRow lanes(group, row);
  if (lanes.item(0) != 0 || !(row.mask & 1) || is_of_driver(group, lanes.pointer(0))) return;
  RaceAccess access;
  access.address = lanes.pointer(0);
  access.width = row.width;
  access.site = number_of(site);
  access.is_copy = true;
  access.writes = site.access & UPSWEEP_WRITES;
  access.reads = !access.writes;
  access.space = is_between(access.address, group.local, group.local_end) ? kRaceLocal : kRaceGlobal;
  std::vector<RaceConflict> conflicts;
  races.access_copy(access, conflicts);
  for (const RaceConflict &conflict : conflicts) RaceReporter(group, site, row, lanes).report(0, access, conflict);
}

void follow_access(RaceGroup &races, const UpsweepGroup &group, UpsweepCheckSite *site, const UpsweepRaceRow &row) {
  if (!site && !races.can_acquire()) return;
  const RaceRow lanes(group, row);
  RaceAccess access;
  access.width = row.width;
  access.scope = row.scope;
  access.is_copy = row.kind == UPSWEEP_RACE_COPY;
  access.is_atomic = row.kind != UPSWEEP_RACE_PLAIN && !access.is_copy;
  access.may_write = row.kind == UPSWEEP_RACE_EXCHANGE;
  access.reads = !site || site->access & UPSWEEP_READS;
  const bool writes = site && site->access & UPSWEEP_WRITES && !access.may_write;
  access.site = site ? number_of(*site) : 0;
  static thread_local std::vector<RaceConflict> conflicts;
  access.writes = writes;
  uint64_t left = row.mask;
  if (site && row.kind == UPSWEEP_RACE_PLAIN && left && row.width) left = follow_row(races, group, row, lanes, access);
  for (; left; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    access.address = lanes.pointer(lane);
    if (is_of_driver(group, access.address)) continue;
    access.item = lanes.item(lane);
    access.value = hash_of(lanes.value(lane));
    access.space = is_between(access.address, group.local, group.local_end) ? kRaceLocal : kRaceGlobal;
    access.writes = writes;
    access.order = row.order;
    if (!site) {
      races.acquire(access);
      continue;
    }
    if (row.kind == UPSWEEP_RACE_EXCHANGE_DONE) {
      races.acquire(access);
      if (lanes.value(lane) == 0) continue;
      access.order = kRaceRelaxed;  // has released before
    }
    conflicts.clear();
    races.access(access, conflicts);
    for (const RaceConflict &conflict : conflicts) RaceReporter(group, *site, row, lanes).report(lane, access, conflict);
  }
}

void follow(RaceGroup &races, const UpsweepGroup &group, UpsweepCheckSite *site, const UpsweepRaceRow &row) {
  const bool is_global = row.spaces & (kGlobalFence | kImageFence), is_local = row.spaces & kLocalFence;
  races.set_sub_group_size(row.sub_group_size);
  const RaceRow lanes(group, row);
  switch (row.kind) {
  case UPSWEEP_RACE_FENCE:
    for (uint64_t left = row.mask; left; left &= left - 1)
      races.fence(lanes.item(static_cast<unsigned>(std::countr_zero(left))), row.order, row.scope);
    return;
  case UPSWEEP_RACE_BARRIER: return races.pass_barrier(lanes.item(0), is_global, is_local, false);
  case UPSWEEP_RACE_COPY_WAIT: return races.pass_barrier(lanes.item(0), true, true, true);
  case UPSWEEP_RACE_SUB_GROUP: return races.pass_sub_group(lanes.item(0), is_global, is_local);
  case UPSWEEP_RACE_WHOLE_COPY: return follow_copy(races, group, *site, row);
  default: return follow_access(races, group, site, row);
  }
}

}  // namespace

void follow_race(UpsweepGroup *group, UpsweepCheckSite *site, const UpsweepRaceRow *row) noexcept {
  RaceGroup &races = race_group();
  if (!races.is_running()) return;
  try {
    follow(races, *group, site, *row);
  } catch (const std::exception &) {  // out of memory; generated code cannot handle exceptions
    races.end();
  }
}

void begin_race_group(RaceLaunch &launch, const UpsweepGroup &group) noexcept {
  const auto &[x, y, z] = group.group_id;
  const uint64_t number = (z * group.num_groups[1] + y) * group.num_groups[0] + x;
  try {
    RaceGroup &races = race_group();
    races.begin(launch, number, static_cast<uint32_t>(group.local_size[0] * group.local_size[1] * group.local_size[2]));
    races.set_local(reinterpret_cast<uintptr_t>(group.local), static_cast<uint64_t>(group.local_end - group.local));
    group.checks->local = &races.local_shadow();
  } catch (const std::exception &) {  // out of memory: the group is not checked
    race_group().end();
  }
}

void end_race_group() noexcept { race_group().end(); }

}  // namespace upsweep
