// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes shadows, and keeps stores by address.
#include "runtime/check/initialisation.h"
#include "base/across_fork.h"
#include "base/checks.h"
#include "base/never_destroyed.h"
#include "base/shadow_memory.h"
#include "runtime/check/findings.h"
#include <algorithm>
#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <utility>

namespace upsweep {
namespace {

/// Separate ranges that are kept for a place. Further ranges are joined with their neighbour, and then contain bytes of other
/// stores; a report still needs unwritten bytes in the range.
constexpr size_t kMostRuns = 1024;

bool is_on() {
  static const bool on = enabled_checks().has(Check::kInit);
  return on;
}

struct Run {
  uintptr_t end = 0;
  std::array<uint64_t, 3> global{}, local{}, group{};
};

struct StoringPlace {
  Finding finding;
  std::map<uintptr_t, Run> runs;  ///< by first address
};

struct Stores {
  std::mutex mutex;
  const AcrossFork across_fork{&mutex};
  std::list<StoringPlace> places;
  std::map<const UpsweepCheckSite *, StoringPlace *> of_sites;
  std::map<uintptr_t, uint64_t> host_memory;  ///< bytes by first address
};

Stores &stores() {
  static NeverDestroyed<Stores> all;
  return *all;
}

const MadeWithPlatform stores_made([] { static_cast<void>(stores()); });

/// Calls `visit` with each run that shares bytes with the range, as an iterator, which it may erase.
template <typename Visit>
void for_each_run(StoringPlace &place, uintptr_t begin, uintptr_t end, Visit &&visit) {
  auto at = place.runs.upper_bound(begin);
  if (at != place.runs.begin() && std::prev(at)->second.end > begin) --at;
  while (at != place.runs.end() && at->first < end) visit(at++);
}

void forget_stores(const void *memory, uint64_t bytes) {
  const std::lock_guard lock(stores().mutex);
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  for (StoringPlace &place : stores().places) for_each_run(place, begin, begin + bytes, [&](auto at) { place.runs.erase(at); });
}

void add_run(StoringPlace &place, uintptr_t begin, Run run) {
  auto after = place.runs.upper_bound(begin);
  const bool is_full = place.runs.size() >= kMostRuns;
  if (after != place.runs.begin()) {
    Run &before = std::prev(after)->second;
    if (before.end >= begin || is_full) {
      before.end = std::max(before.end, run.end);
      return;
    }
  }
  if (is_full) return;  // in front of all runs
  place.runs.emplace_hint(after, begin, run);
}

}  // namespace

void begin_object(const void *memory, uint64_t bytes, bool has_data) {
  if (!is_on() || !reserve_shadow_of(memory, bytes)) return;
  forget_stores(memory, bytes);
  set_shadow(memory, bytes, has_data);
}

void end_object(const void *memory, uint64_t bytes) {
  if (is_on()) set_shadow(memory, bytes, true);
}

void add_host_memory(const void *memory, uint64_t bytes) {
  if (!is_on() || !reserve_shadow_of(memory, bytes)) return;
  begin_object(memory, bytes, true);
  const std::lock_guard lock(stores().mutex);
  stores().host_memory[reinterpret_cast<uintptr_t>(memory)] = bytes;
}

void remove_host_memory(const void *memory) {
  if (!is_on()) return;
  const std::lock_guard lock(stores().mutex);
  stores().host_memory.erase(reinterpret_cast<uintptr_t>(memory));
}

void forget_shadows_of_host_memory() {
  if (!is_on()) return;
  const std::lock_guard lock(stores().mutex);
  for (const auto &[address, bytes] : stores().host_memory) set_shadow(reinterpret_cast<const void *>(address), bytes, true);
}

void begin_local_memory(const void *memory, uint64_t bytes) {
  if (is_on()) set_shadow(memory, bytes, false);
}

bool has_unwritten(const void *memory, uint64_t bytes) {
  const char *shadow = shadow_of(memory);
  return is_on() && std::any_of(shadow, shadow + bytes, [](char byte) { return byte != 0; });
}

void mark_written(const void *memory, uint64_t bytes) {
  if (is_on()) set_shadow(memory, bytes, true);
}

void note_stored(UpsweepCheckSite &site, const Finding &store, const std::function<Finding()> &describe) {
  if (!is_on()) return;
  // The same for all sites: no finding has occurred there yet.
  static FindingRecord noted{{}, 0, false};
  const auto begin = static_cast<uintptr_t>(store.address);
  const std::lock_guard lock(stores().mutex);
  StoringPlace *&place = stores().of_sites[&site];
  // A program that is gone may have had a site at this address.
  const std::atomic_ref<void *> known(site.findings[UPSWEEP_UNINITIALISED]);
  if (known.exchange(&noted) == nullptr || !place) place = &stores().places.emplace_back(StoringPlace{describe(), {}});
  add_run(*place, begin, {begin + store.width, store.global, store.local, store.group});
}

void report_stored(const void *memory, uint64_t bytes) {
  if (!is_on() || !has_unwritten(memory, bytes)) return;
  std::vector<Finding> found;
  {
    const std::lock_guard lock(stores().mutex);
    const auto begin = reinterpret_cast<uintptr_t>(memory), end = begin + bytes;
    for (StoringPlace &place : stores().places)
      for_each_run(place, begin, end, [&](auto at) {
        const uintptr_t first = std::max(at->first, begin), last = std::min(at->second.end, end);
        if (!has_unwritten(reinterpret_cast<const void *>(first), last - first)) return;
        Finding &finding = found.emplace_back(place.finding);
        finding.address = at->first;
        finding.global = at->second.global;
        finding.local = at->second.local;
        finding.group = at->second.group;
      });
  }
  for (Finding &finding : found) findings().add(std::move(finding));
}

}  // namespace upsweep
