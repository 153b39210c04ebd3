// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the sequences of calls of a group's work-items. The log only has the unit that is next to reach the newest call, as
// long as whole units reach the same calls in the order of their ids. It has a list of calls where a unit reaches several calls
// before the next unit runs, such as async copies. Otherwise a sequence keeps the calls that some work-items have not reached.
#include "targets/cpu/meeting_hooks.h"
#include "base/options.h"
#include "runtime/check/findings.h"
#include "targets/cpu/check_hooks.h"
#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <deque>
#include <exception>
#include <string_view>
#include <vector>

namespace upsweep {
namespace {

using Clock = std::chrono::steady_clock;
using Values = std::array<uint64_t, UPSWEEP_MOST_MEETING_ARGUMENTS>;

/// A call that some work-items of a group have reached.
struct Meeting {
  UpsweepMeetingSite *site;
  uint32_t first_item;  ///< linear local id
  uint32_t arrived;
  Values values;  ///< of the first work-item
};

struct MeetingSequence {
  std::deque<Meeting> open;
  uint64_t num_closed = 0;  ///< calls that all members have reached
  uint32_t members = 0;
  bool has_diverged = false;  ///< reported; later calls are not compared
};

/// The calls of a work-item.
struct ItemState {
  uint64_t calls[2] = {};              ///< of its work-group, of its sub-group
  UpsweepMeetingSite *last = nullptr;  ///< call or poll
  uint64_t last_poll = 0;              ///< number of the poll in the group
  uint64_t iterations = 0;             ///< of the loop that polls
};

/// The work-group that a thread runs.
class MeetingLog {
public:
  void meet(UpsweepGroup &group, UpsweepMeetingSite &site, const UpsweepItemPlace &place, const UpsweepMeetingRow &row);
  void end();

private:
  /// A call that the first unit has reached.
  struct Call {
    UpsweepMeetingSite *site;
    Values values;
  };
  void begin(UpsweepGroup &group);
  void begin_list();
  bool follow_in_list(UpsweepMeetingSite &site, uint32_t first, uint32_t members, const Values &values);
  [[nodiscard]] bool is_list_complete() const { return unit_end_ == num_items_ && num_reached_ == calls_.size(); }
  bool follow_in_turn(UpsweepMeetingSite &site, const UpsweepItemPlace &place, const UpsweepMeetingRow &row);
  void begin_call(UpsweepMeetingSite &site, uint32_t item);
  void follow_items();
  [[nodiscard]] uint32_t item_of(UpsweepItemPlace place, uint32_t lane) const;
  MeetingSequence &sequence_of(uint32_t item, const UpsweepMeetingSite &site, uint32_t sub_group_size);
  void arrive(MeetingSequence &sequence, uint32_t item, UpsweepMeetingSite &site, const Values &values);
  void compare(const Meeting &meeting, uint32_t item, UpsweepMeetingSite &site, const Values &values);
  void poll(uint32_t item, UpsweepMeetingSite &site, uint64_t iterations);
  void report_divergence(UpsweepMeetingSite &reached, uint32_t item, uint32_t other, const UpsweepMeetingSite *instead);
  void report_wait(uint32_t item, UpsweepMeetingSite &site);
  void end_sequence(const MeetingSequence &sequence, uint32_t first_member, size_t which);
  [[nodiscard]] bool waits(uint32_t item) const;
  Finding finding(UpsweepFindingKind kind, const UpsweepMeetingSite &site, uint32_t item) const;
  void set_item(uint32_t item, Finding &finding) const;
  [[nodiscard]] std::string ids(uint32_t item) const;

  UpsweepGroup *group_ = nullptr;  ///< null between work-groups
  uint32_t num_items_ = 0;
  bool is_in_turn_ = true;  ///< each unit has reached the same calls; UpsweepCheckState::meeting has the newest one
  std::vector<Call>
      calls_;  ///< of the first unit since all units had reached the same calls; empty: UpsweepCheckState::meeting
  uint32_t unit_first_ = 0,
           unit_end_ = 0;   ///< work-items of the unit that follows the list; earlier ones have reached all calls
  size_t num_reached_ = 0;  ///< the unit's calls
  std::vector<ItemState> items_;
  MeetingSequence work_group_;
  std::vector<MeetingSequence> sub_groups_;
  uint32_t sub_group_size_ = 0;
  UpsweepMeetingSite *copy_ = nullptr;  ///< the newest async copy for which the work-group has not waited
  uint32_t copy_item_ = 0;
  uint64_t polls_ = 0;
  uint64_t idle_polls_ = 0;  ///< since a work-item went on
  Clock::time_point idle_since_;
  bool goes_on_ = true;  ///< since the last poll
  bool is_wait_reported_ = false;
};

/// Counts a finding whose record is known without making its texts.
bool is_counted(const UpsweepMeetingSite &site, UpsweepFindingKind kind) {
  const std::atomic_ref<void *> known(site.place->findings[kind]);
  auto *record = static_cast<FindingRecord *>(known.load(std::memory_order_acquire));
  if (!record || record->count.load(std::memory_order_relaxed) == 0) return false;
  record->count.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void add_finding(const UpsweepMeetingSite &site, Finding finding) {
  const std::atomic_ref<void *> known(site.place->findings[finding.kind]);
  known.store(&findings().add(std::move(finding)), std::memory_order_release);
}

std::string site_text(const UpsweepMeetingSite &site) {
  const UpsweepCheckSite &place = *site.place;
  return std::string(place.object) + "() at " + place.file + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}

std::string argument_name(const UpsweepMeetingSite &site, uint32_t index) {
  std::string_view names = site.arguments;
  for (; index > 0; --index) names.remove_prefix(names.find(',') + 1);
  return std::string(names.substr(0, names.find(',')));
}

void MeetingLog::begin(UpsweepGroup &group) {
  num_items_ = static_cast<uint32_t>(group.local_size[0] * group.local_size[1] * group.local_size[2]);
  is_in_turn_ = true;
  group.checks->meeting = {};
  calls_.clear();
  copy_ = nullptr;
  group_ = &group;
}

void MeetingLog::begin_call(UpsweepMeetingSite &site, uint32_t item) {
  if (site.flags & UPSWEEP_STARTS_COPY) copy_ = &site, copy_item_ = item;
  if (site.flags & UPSWEEP_AWAITS_COPIES) copy_ = nullptr;
}

/// The first unit reaches a second call before the next unit has reached the first call. Generated code finds no site to
/// compare.
void MeetingLog::begin_list() {
  UpsweepMeetingState &state = group_->checks->meeting;
  calls_.push_back({state.site, std::to_array(state.values)});
  unit_first_ = 0;
  unit_end_ = state.next;
  num_reached_ = 1;
  state = {};
}

/// The first unit adds its calls, and each other unit must reach all of them.
bool MeetingLog::follow_in_list(UpsweepMeetingSite &site, uint32_t first, uint32_t members, const Values &values) {
  if (first == unit_end_ && num_reached_ == calls_.size()) {
    unit_first_ = first;
    unit_end_ = first + members;
    num_reached_ = 0;
  }
  if (first != unit_first_) return false;
  if (first == 0) {
    calls_.push_back({&site, values});
    begin_call(site, 0);
  } else if (num_reached_ == calls_.size() || calls_[num_reached_].site != &site || calls_[num_reached_].values != values) {
    return false;
  }
  ++num_reached_;
  return true;
}

/// False if the unit is not the next one, or not whole, or its call or arguments differ.
bool MeetingLog::follow_in_turn(UpsweepMeetingSite &site, const UpsweepItemPlace &place, const UpsweepMeetingRow &row) {
  const uint32_t lanes = row.unit_lanes;
  if (site.flags & UPSWEEP_POLLS || place.axis != 0 || place.first >= num_items_) return false;
  const uint32_t members = std::min(lanes, num_items_ - place.first);
  if (static_cast<uint32_t>(std::popcount(row.lanes)) != members || row.lanes >> (members - 1) != 1) return false;
  Values values{};
  for (uint32_t i = 0; i < site.num_arguments; ++i) {
    values[i] = row.values[row.stride ? i * row.stride : i];
    for (uint32_t lane = 1; lane < members && row.stride; ++lane)
      if (row.values[i * row.stride + lane] != values[i]) return false;
  }
  if (site.flags & UPSWEEP_MEETS_SUB_GROUP) return lanes == row.sub_group_size;
  UpsweepMeetingState &state = group_->checks->meeting;
  if (place.first == 0 && !calls_.empty() && is_list_complete() && unit_first_ != 0) calls_.clear();
  if (!calls_.empty()) return follow_in_list(site, place.first, members, values);
  if (place.first == 0 && state.next == members && members != num_items_) {
    begin_list();
    return follow_in_list(site, 0, members, values);
  }
  if (place.first == 0 && (state.next == 0 || state.next == num_items_)) {
    begin_call(site, 0);
    state.site = &site;
    std::ranges::copy(values, state.values);
  } else if (place.first != state.next || &site != state.site || !std::ranges::equal(values, state.values)) {
    return false;
  }
  state.next = place.first + members;
  return true;
}

/// Keeps the calls of each work-item from now on. The calls that all of them had reached before are left out of all counts.
void MeetingLog::follow_items() {
  UpsweepMeetingState &state = group_->checks->meeting;
  items_.assign(num_items_, ItemState());
  work_group_ = MeetingSequence();
  work_group_.members = num_items_;
  sub_groups_.clear();
  polls_ = 0;
  goes_on_ = true;
  is_wait_reported_ = false;
  is_in_turn_ = false;
  if (state.site) {
    calls_.push_back({state.site, std::to_array(state.values)});
    unit_first_ = unit_end_ = state.next;
    num_reached_ = 0;
  }
  state = {};
  const auto num_calls = static_cast<uint32_t>(calls_.size());
  for (uint32_t item = 0; num_calls && item < unit_end_; ++item) {
    const size_t reached = item < unit_first_ ? num_calls : num_reached_;
    items_[item].calls[0] = reached;
    items_[item].last = reached ? calls_[reached - 1].site : nullptr;
  }
  for (size_t i = 0; i < num_calls; ++i) {
    const uint32_t arrived = i < num_reached_ ? unit_end_ : unit_first_;
    if (arrived == num_items_)
      ++work_group_.num_closed;
    else
      work_group_.open.push_back({calls_[i].site, 0, arrived, calls_[i].values});
  }
  calls_.clear();
}

uint32_t MeetingLog::item_of(UpsweepItemPlace place, uint32_t lane) const {
  place.lane = lane;
  const std::array<uint64_t, 3> id = local_id(*group_, place);
  return static_cast<uint32_t>((id[2] * group_->local_size[1] + id[1]) * group_->local_size[0] + id[0]);
}

MeetingSequence &MeetingLog::sequence_of(uint32_t item, const UpsweepMeetingSite &site, uint32_t sub_group_size) {
  if (!(site.flags & UPSWEEP_MEETS_SUB_GROUP)) return work_group_;
  if (sub_groups_.empty()) {
    sub_group_size_ = sub_group_size;
    const auto items = static_cast<uint32_t>(items_.size());
    sub_groups_.resize((items + sub_group_size - 1) / sub_group_size);
    for (uint32_t i = 0; i < sub_groups_.size(); ++i)
      sub_groups_[i].members = std::min(sub_group_size, items - i * sub_group_size);
  }
  return sub_groups_[item / sub_group_size_];
}

void MeetingLog::meet(UpsweepGroup &group, UpsweepMeetingSite &site, const UpsweepItemPlace &place,
                      const UpsweepMeetingRow &row) {
  if (group_ != &group) begin(group);
  if (is_in_turn_) {
    if (follow_in_turn(site, place, row)) return;
    follow_items();
  }
  const bool polls = site.flags & UPSWEEP_POLLS;
  for (uint64_t lanes = row.lanes; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
    const uint32_t item = item_of(place, lane);
    const auto value = [&](uint32_t i) { return row.stride ? row.values[i * row.stride + lane] : row.values[i]; };
    if (polls) {
      poll(item, site, value(0));
      continue;
    }
    Values values{};
    for (uint32_t i = 0; i < site.num_arguments; ++i) values[i] = value(i);
    arrive(sequence_of(item, site, row.sub_group_size), item, site, values);
  }
}

void MeetingLog::arrive(MeetingSequence &sequence, uint32_t item, UpsweepMeetingSite &site, const Values &values) {
  goes_on_ = true;
  items_[item].last = &site;
  uint64_t &calls = items_[item].calls[site.flags & UPSWEEP_MEETS_SUB_GROUP ? 1 : 0];
  const uint64_t index = calls++ - sequence.num_closed;
  if (sequence.has_diverged) return;
  if (index == sequence.open.size()) {
    sequence.open.push_back({&site, item, 0, values});
    begin_call(site, item);
  }
  Meeting &meeting = sequence.open[index];
  compare(meeting, item, site, values);
  if (meeting.site != &site) {
    sequence.has_diverged = true;
    return;
  }
  ++meeting.arrived;
  while (!sequence.open.empty() && sequence.open.front().arrived == sequence.members) {
    sequence.open.pop_front();
    ++sequence.num_closed;
  }
}

void MeetingLog::compare(const Meeting &meeting, uint32_t item, UpsweepMeetingSite &site, const Values &values) {
  if (meeting.site != &site) {
    // All work-items should reach the call without a condition next.
    if (meeting.site->flags & UPSWEEP_IS_CONDITIONAL || !(site.flags & UPSWEEP_IS_CONDITIONAL))
      report_divergence(*meeting.site, meeting.first_item, item, &site);
    else
      report_divergence(site, item, meeting.first_item, meeting.site);
    return;
  }
  for (uint32_t i = 0; i < site.num_arguments; ++i) {
    if (values[i] == meeting.values[i] || is_counted(site, UPSWEEP_DIVERGENT_ARGUMENT)) continue;
    Finding found = finding(UPSWEEP_DIVERGENT_ARGUMENT, site, item);
    found.value = argument_name(site, i);
    found.notes = {"with the value " + std::to_string(values[i]),
                   "and " + std::to_string(meeting.values[i]) + " in the work-item with " + ids(meeting.first_item)};
    add_finding(site, std::move(found));
  }
}

Finding MeetingLog::finding(UpsweepFindingKind kind, const UpsweepMeetingSite &site, uint32_t item) const {
  Finding made = make_finding(*group_, *site.place, UpsweepFailure(), kind);
  made.of_sub_group = site.flags & UPSWEEP_MEETS_SUB_GROUP;
  set_item(item, made);
  return made;
}

void MeetingLog::set_item(uint32_t item, Finding &finding) const {
  const uint64_t x = group_->local_size[0], y = group_->local_size[1];
  set_ids(*group_, {item % x, item / x % y, item / x / y}, finding);
}

std::string MeetingLog::ids(uint32_t item) const {
  Finding found;
  set_item(item, found);
  return ids_text(found);
}

/// `other` does not reach the call that `item` reaches, and comes to `instead`, or to the end of the kernel.
void MeetingLog::report_divergence(UpsweepMeetingSite &reached, uint32_t item, uint32_t other,
                                   const UpsweepMeetingSite *instead) {
  if (is_counted(reached, UPSWEEP_DIVERGENT_BARRIER)) return;
  Finding found = finding(UPSWEEP_DIVERGENT_BARRIER, reached, item);
  found.notes = {"not by the work-item with " + ids(other) + ", which " +
                 (instead ? "comes to " + site_text(*instead) : "ends without it")};
  if (*reached.conditions) found.notes.push_back(std::string("the condition at ") + reached.conditions + " decides");
  add_finding(reached, std::move(found));
}

void MeetingLog::end_sequence(const MeetingSequence &sequence, uint32_t first_member, size_t which) {
  if (sequence.has_diverged || sequence.open.empty()) return;
  const Meeting &meeting = sequence.open.front();
  for (uint32_t item = first_member; item < first_member + sequence.members; ++item)
    if (items_[item].calls[which] == sequence.num_closed)
      return report_divergence(*meeting.site, meeting.first_item, item, nullptr);
}

void MeetingLog::end() {
  if (!group_) return;
  UpsweepMeetingState &state = group_->checks->meeting;
  const bool is_complete = calls_.empty() ? !state.site || state.next == num_items_ : is_list_complete();
  if (is_in_turn_ && !is_complete) follow_items();
  if (!is_in_turn_) {
    end_sequence(work_group_, 0, 0);
    for (uint32_t i = 0; i < sub_groups_.size(); ++i) end_sequence(sub_groups_[i], i * sub_group_size_, 1);
  }
  state = {};
  if (copy_ && (is_in_turn_ || !work_group_.has_diverged) && !is_counted(*copy_, UPSWEEP_UNWAITED_COPY))
    add_finding(*copy_, finding(UPSWEEP_UNWAITED_COPY, *copy_, copy_item_));
  group_ = nullptr;
}

/// Whether the work-item is in a call that other work-items have not reached.
bool MeetingLog::waits(uint32_t item) const {
  const ItemState &state = items_[item];
  if (!state.last || state.last->flags & UPSWEEP_POLLS) return false;
  const bool of_sub_group = state.last->flags & UPSWEEP_MEETS_SUB_GROUP;
  const MeetingSequence &sequence = of_sub_group ? sub_groups_[item / sub_group_size_] : work_group_;
  return state.calls[of_sub_group ? 1 : 0] > sequence.num_closed;
}

void MeetingLog::poll(uint32_t item, UpsweepMeetingSite &site, uint64_t iterations) {
  ItemState &state = items_[item];
  // Fewer iterations than before: the work-item has left the loop meanwhile.
  if (state.last != &site || iterations <= state.iterations) goes_on_ = true;
  state.last = &site;
  state.last_poll = ++polls_;
  state.iterations = iterations;
  const Clock::time_point now = Clock::now();
  if (goes_on_) {
    goes_on_ = false;
    idle_since_ = now;
    idle_polls_ = 0;
    return;
  }
  // All work-items that poll have polled twice.
  const bool is_idle = ++idle_polls_ > 2 * items_.size() && now - idle_since_ > std::chrono::seconds(options().check_wait_s);
  if (!is_idle || is_wait_reported_) return;
  is_wait_reported_ = true;
  report_wait(item, site);
}

void MeetingLog::report_wait(uint32_t item, UpsweepMeetingSite &site) {
  if (is_counted(site, UPSWEEP_ENDLESS_WAIT)) return;
  Finding found = finding(UPSWEEP_ENDLESS_WAIT, site, item);
  found.bytes = static_cast<uint64_t>(options().check_wait_s);
  struct Place {
    const UpsweepMeetingSite *site;
    uint32_t first_item;
    uint32_t count;
  };
  std::vector<Place> places;
  for (uint32_t i = 0; i < items_.size(); ++i) {
    const ItemState &state = items_[i];
    const bool polls = state.last && state.last->flags & UPSWEEP_POLLS && polls_ - state.last_poll <= 2 * items_.size();
    if (!polls && !waits(i)) continue;
    const auto known = std::ranges::find(places, state.last, &Place::site);
    if (known == places.end())
      places.push_back({state.last, i, 1});
    else
      ++known->count;
  }
  for (const auto &[place, first, count] : places) {
    const bool polls = place->flags & UPSWEEP_POLLS, is_one = count == 1;
    const UpsweepCheckSite &at = *place->place;
    found.notes.push_back(std::to_string(count) + (is_one ? " work-item " : " work-items ") +
                          (polls ? (is_one ? "polls" : "poll") : (is_one ? "waits" : "wait")) +
                          (polls ? std::string(" memory in the loop at ") + at.file + ":" + std::to_string(at.line) + ":" +
                                       std::to_string(at.column)
                                 : " in " + site_text(*place)) +
                          (is_one ? ": " : ", such as ") + ids(first));
  }
  add_finding(site, std::move(found));
}

thread_local MeetingLog meeting_log;

}  // namespace

void meet(UpsweepGroup *group, UpsweepMeetingSite *site, const UpsweepItemPlace *place, const UpsweepMeetingRow *row) noexcept {
  try {
    meeting_log.meet(*group, *site, *place, *row);
  } catch (const std::exception &) {  // out of memory; generated code cannot handle exceptions
  }
}

void end_meetings(UpsweepGroup *) noexcept {
  try {
    meeting_log.end();
  } catch (const std::exception &) {
    meeting_log = MeetingLog();
  }
}

}  // namespace upsweep
