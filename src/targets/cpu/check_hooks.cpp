// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a failed check into a finding: its kind, and the work-item's ids.
#include "targets/cpu/check_hooks.h"
#include "runtime/check/addressed_buffers.h"
#include "runtime/check/arithmetic_finding.h"
#include "runtime/check/findings.h"
#include "runtime/check/freed_memory.h"
#include "runtime/check/initialisation.h"
#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>

namespace upsweep {
namespace {

bool ends_within(uint64_t start, uint64_t width, uint64_t bytes) { return width <= bytes && start <= bytes - width; }

constexpr uint32_t kValueUses = UPSWEEP_DECIDES_BRANCH | UPSWEEP_DECIDES_ADDRESS | UPSWEEP_IS_OUTPUT | UPSWEEP_IS_STORED;

UpsweepFindingKind kind_of(const UpsweepBounds *bounds, const UpsweepCheckSite &site, const UpsweepFailure &failure) {
  if (site.kind == UPSWEEP_OBJECT_ARITHMETIC) return arithmetic_kind(site, failure.bytes);
  if (site.access & kValueUses) return UPSWEEP_UNINITIALISED;
  const uint64_t start = failure.start, width = failure.width;
  if (ends_within(start, width, failure.bytes)) return UPSWEEP_MISALIGNED;
  const bool is_misaligned = failure.address && site.align && failure.address % site.align != 0;
  if (bounds && site.kind == UPSWEEP_OBJECT_ARGUMENT) {
    if (bounds->base == 0 && bounds->read_bytes == 0 && bounds->write_bytes == 0) return UPSWEEP_NULL_POINTER;
    const bool writes = site.access & UPSWEEP_WRITES, reads = site.access & UPSWEEP_READS;
    if (writes && bounds->write_bytes == 0 && ends_within(start, width, bounds->read_bytes)) return UPSWEEP_READ_ONLY;
    if (reads && bounds->read_bytes == 0 && ends_within(start, width, bounds->write_bytes)) return UPSWEEP_WRITE_ONLY;
    if (is_misaligned && ends_within(start, width, std::max(bounds->read_bytes, bounds->write_bytes)))
      return UPSWEEP_MISALIGNED;
  }
  if (failure.bytes == 0 && !bounds && site.kind == UPSWEEP_OBJECT_UNKNOWN) {
    const uint64_t object = failure.address - start;
    if (object < UPSWEEP_NULL_PAGE) return UPSWEEP_NULL_POINTER;
    if (is_freed(reinterpret_cast<const void *>(object))) return UPSWEEP_FREED_MEMORY;
    if (is_misaligned) return UPSWEEP_MISALIGNED;
    return site.access & UPSWEEP_WRITES ? UPSWEEP_READ_ONLY : UPSWEEP_WRITE_ONLY;
  }
  if (bounds && bounds->base && is_freed(reinterpret_cast<const void *>(bounds->base))) return UPSWEEP_FREED_MEMORY;
  return UPSWEEP_OUT_OF_BOUNDS;
}

}  // namespace

UpsweepCheckState &check_state() {
  static thread_local UpsweepCheckState state{};
  return state;
}

/// The unit's lanes lie along `axis`, whose id comes first. A sub-group may continue in the next row, and a call may run
/// several adjacent work-groups.
std::array<uint64_t, 3> local_id(const UpsweepGroup &group, const UpsweepItemPlace &place) {
  std::array<uint64_t, 3> id{place.x, place.y, place.z};
  id[0] += place.lane;
  if (place.axis) std::swap(id[0], id[place.axis]);
  for (size_t i = 0; i < 2 && place.axis == 0; ++i) {
    id[i + 1] += id[i] / group.local_size[i];
    id[i] %= group.local_size[i];
  }
  return id;
}

void set_ids(const UpsweepGroup &group, const std::array<uint64_t, 3> &id, Finding &finding) {
  for (size_t i = 0; i < 3; ++i) {
    const uint64_t size = group.enqueued_local_size[i];
    finding.group[i] = group.group_id[i] + id[i] / size;
    finding.local[i] = id[i] % size;
    finding.global[i] = group.global_offset[i] + group.group_id[i] * size + id[i];
  }
}

const UpsweepBounds *bounds_of(const UpsweepGroup &group, const UpsweepCheckSite &site) {
  const bool has_bounds = site.kind == UPSWEEP_OBJECT_ARGUMENT || site.kind == UPSWEEP_OBJECT_LOCAL_ARGUMENT;
  return has_bounds && site.argument >= 0 && group.bounds ? group.bounds + site.argument : nullptr;
}

Finding make_finding(const UpsweepGroup &group, const UpsweepCheckSite &site, const UpsweepFailure &failure,
                     UpsweepFindingKind kind) {
  Finding finding;
  finding.kind = kind;
  finding.kernel = site.kernel;
  finding.file = site.file;
  finding.calls = site.calls;
  finding.object = site.object;
  finding.line = site.line;
  finding.column = site.column;
  finding.access = site.access;
  finding.object_kind = static_cast<UpsweepObjectKind>(site.kind);
  finding.argument = site.argument;
  finding.width = failure.width;
  finding.align = site.align;
  finding.element = site.element;
  finding.off = site.off;
  finding.offset = static_cast<int64_t>(failure.start);
  finding.bytes = failure.bytes;
  if (const UpsweepBounds *bounds = bounds_of(group, site)) finding.bytes = std::max(bounds->read_bytes, bounds->write_bytes);
  finding.address = failure.address;
  finding.value = value_text(site, failure.value);
  if (site.kind == UPSWEEP_OBJECT_ARITHMETIC) {
    finding.value = arithmetic_text(site, failure.address, failure.bytes);
    finding.address = finding.bytes = 0;
    finding.offset = 0;
  }
  return finding;
}

namespace {

/// Sets the place in the object, whose size is 0 for an access without the right to it.
void set_object(UpsweepGroup &group, Finding &finding) {
  const UpsweepExtent extent = find_object(&group, reinterpret_cast<const void *>(finding.address), 0);
  if (extent.bytes == 0 || extent.bytes >= UPSWEEP_UNKNOWN_BYTES) return;
  finding.offset = static_cast<int64_t>(extent.start);
  finding.bytes = extent.bytes;
}

Finding make_value_finding(const UpsweepGroup &group, const UpsweepCheckSite &site, const UpsweepFailure &failure) {
  Finding finding = make_finding(group, site, failure, UPSWEEP_UNINITIALISED);
  finding.width = site.width;
  finding.offset = 0;
  finding.bytes = 0;
  return finding;
}

/// The store of an uninitialised value is a finding if the host reads it.
void report_store(const UpsweepGroup &group, UpsweepCheckSite &site, const UpsweepFailure &failure,
                  const UpsweepItemPlace &place) {
  Finding store;
  store.address = failure.address;
  store.width = site.width;
  set_ids(group, local_id(group, place), store);
  note_stored(site, store, [&] { return make_value_finding(group, site, failure); });
}

}  // namespace

void report_failure(UpsweepGroup *group, UpsweepCheckSite *site, const UpsweepFailure *failure,
                    const UpsweepItemPlace *place) noexcept {
  const UpsweepFindingKind kind = kind_of(bounds_of(*group, *site), *site, *failure);
  const std::atomic_ref<void *> known(site->findings[kind]);
  auto *record = static_cast<FindingRecord *>(known.load(std::memory_order_acquire));
  if (record && record->count.load(std::memory_order_relaxed) != 0) {
    record->count.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  try {
    if (site->access & UPSWEEP_IS_STORED) return report_store(*group, *site, *failure, *place);
    Finding finding = kind == UPSWEEP_UNINITIALISED ? make_value_finding(*group, *site, *failure)
                                                    : make_finding(*group, *site, *failure, kind);
    const bool is_inside = kind == UPSWEEP_READ_ONLY || kind == UPSWEEP_WRITE_ONLY || kind == UPSWEEP_MISALIGNED;
    if (is_inside && finding.bytes == 0) set_object(*group, finding);
    set_ids(*group, local_id(*group, *place), finding);
    known.store(&findings().add(std::move(finding)), std::memory_order_release);
  } catch (const std::exception &) {  // out of memory; generated code cannot handle exceptions
  }
}

/// Arguments may share bytes. The pointer may belong to each object that has its address, so it may reach all of their bytes.
UpsweepExtent find_object(UpsweepGroup *group, const void *pointer, uint32_t access) noexcept {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  uint64_t first = address, end = address;
  std::optional<uint64_t> start;  // in an object without the rights
  const auto consider = [&](const UpsweepBounds &bounds) {
    const uint64_t bytes = std::max(bounds.read_bytes, bounds.write_bytes);
    if (!bounds.base || bytes >= UPSWEEP_UNKNOWN_BYTES || address - bounds.base >= bytes) return;
    start = address - bounds.base;
    if ((access & UPSWEEP_READS && !bounds.read_bytes) || (access & UPSWEEP_WRITES && !bounds.write_bytes)) return;
    first = std::min(first, bounds.base);
    end = std::max(end, bounds.base + bytes);
  };
  for (const UpsweepBounds *bounds = group->bounds; bounds && bounds->base != UINT64_MAX; ++bounds) consider(*bounds);
  if (const std::optional<UpsweepBounds> bounds = addressed_at(pointer)) consider(*bounds);
  if (end != address) return {address - first, end - first};
  return start ? UpsweepExtent{*start, 0} : extent_of(pointer);
}

}  // namespace upsweep
