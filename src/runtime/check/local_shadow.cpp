// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules equal the rules for cells in RaceGroup::visit().
#include "runtime/check/local_shadow.h"
#include <algorithm>
#include <atomic>
#include <bit>
#include <string_view>
#include <unistd.h>

namespace upsweep {
namespace {

/// The facts of an access that only its report needs.
struct Detail {
  uint32_t site : 20;
  uint32_t value : 6;
  uint32_t scope : 3;
  uint32_t writes : 1;
  uint32_t : 2;
};

uint32_t packed(uint32_t site, uint32_t value, uint32_t scope, bool writes) {
  return std::bit_cast<uint32_t>(Detail{site, value, scope, writes});
}
bool writes(uint32_t detail) { return std::bit_cast<Detail>(detail).writes; }

constexpr uint64_t kLargestRow = 64;  ///< words, in generated code

/// Once for the process.
void say_forgotten() {
  static std::atomic<bool> is_said{false};
  if (is_said.exchange(true)) return;
  constexpr std::string_view kText = "upsweep check: a work-group releases too often without a barrier; races with its earlier "
                                     "accesses of local memory are not found\n";
  static_cast<void>(::write(STDERR_FILENO, kText.data(), kText.size()));
}

}  // namespace

void LocalShadow::clear() {
  for (std::vector<int32_t> *entries : {&writers_, &readers_, &others_}) std::ranges::fill(*entries, 0);
  for (const uint64_t line : left_)
    std::fill_n(writers_.begin() + static_cast<ptrdiff_t>(line * kLineWords), kLineWords, kBusy);
}

void LocalShadow::begin(uint32_t items, const LocalTime &first) {
  base_ += static_cast<int32_t>(now_.tick) + 1;
  for (const uint64_t line : left_) {
    std::fill_n(writers_.begin() + static_cast<ptrdiff_t>(line * kLineWords), kLineWords, 0);
    has_left_[line] = 0;
  }
  left_.clear();
  end_copies();
  items_ = items;
  num_words_ = items <= kAtomic ? words_ : 0;
  if (base_ > kMostTicks) {
    clear();
    base_ = 1;
  }
  set_time(first);
}

void LocalShadow::set_bytes(uint64_t bytes) {
  constexpr uint64_t kRowPadding = kLargestRow;  // generated code compares whole rows
  const uint64_t lines = (bytes + RaceLine::kBytes - 1) / RaceLine::kBytes, words = lines * kLineWords;
  if (words > words_ || writers_.empty()) {
    for (std::vector<int32_t> *entries : {&writers_, &readers_, &others_}) entries->resize(words + kRowPadding);
    for (std::vector<uint32_t> *details : {&write_details_, &read_details_, &other_details_}) details->resize(words);
    has_left_.resize(lines);
    words_ = words;
    view_.writers = writers_.data();
    view_.others = others_.data();
  }
  num_words_ = items_ <= kAtomic ? words_ : 0;
  set_time(now_);
}

/// A barrier of the whole group is the moment at which no entry is needed any more.
void LocalShadow::set_time(const LocalTime &now) {
  if (now.start == now.tick && base_ + static_cast<int64_t>(now.tick) > kMostTicks && copies_.empty()) {
    clear();
    base_ = 1 - static_cast<int32_t>(now.tick);
  }
  now_ = now;
  view_.old = (base_ + static_cast<int32_t>(now.start)) << kItemBits;
  // After a release, a work-item's newer read replaces its older read.
  view_.read = now.tick == std::max(now.start, 1U) ? view_.old : INT32_MAX;
  // A group without barriers, but with releases: the rest of it is kept in cells.
  if (base_ + static_cast<int64_t>(now.tick) >= 2 * kMostTicks - 1 && num_words_) {
    num_words_ = 0;
    say_forgotten();
  }
  view_.num_words = now.sub_start ? 0 : num_words_;
}

void LocalShadow::end_copies() {
  for (const Copy &copy : copies_)
    for (uint64_t word = copy.word; word < copy.word + copy.words; ++word)
      if (!has_left_[word / kLineWords]) writers_[word] = readers_[word] = others_[word] = 0;
  copies_.clear();
}

/// Whether an entry happened before an access of the work-item.
bool LocalShadow::is_ordered(int32_t entry, uint32_t item) const {
  if (entry < view_.old) return true;
  const auto its = static_cast<uint32_t>(entry & kItemMask);
  if (its == item) return true;
  if (!now_.sub_start || its == kAtomic) return false;
  const uint32_t sub_group = its / now_.sub_group_size;
  const auto tick = static_cast<uint32_t>((entry >> kItemBits) - base_);
  return sub_group == item / now_.sub_group_size && tick < now_.sub_start[sub_group][1];
}

bool LocalShadow::read(uint64_t word, uint32_t item, uint32_t detail) {
  if (!is_ordered(writers_[word], item)) return false;
  if (is_ordered(readers_[word], item)) {
    readers_[word] = entry(item);
    read_details_[word] = detail;
    if (static_cast<uint32_t>(others_[word] & kItemMask) == item) others_[word] = 0;
  } else if (is_ordered(others_[word], item)) {
    others_[word] = entry(item);
    other_details_[word] = detail;
  }
  return true;
}

bool LocalShadow::write(uint64_t word, uint32_t item, uint32_t detail) {
  if (!is_ordered(writers_[word], item) || !is_ordered(readers_[word], item) || !is_ordered(others_[word], item)) return false;
  writers_[word] = entry(item);
  write_details_[word] = detail;
  readers_[word] = others_[word] = 0;
  return true;
}

namespace {

/// Adjacent words; lane i of `item_step` apart work-items has 2^shift of them.
struct WordRun {
  int32_t *writers, *readers, *others;
  uint32_t *write_details, *read_details, *other_details;
  uint32_t size, shift;
  int32_t mine, item_step;  ///< the first lane's entry
  int32_t old;
  uint32_t detail;
  [[nodiscard]] int32_t entry(uint32_t i) const { return mine + static_cast<int32_t>(i >> shift) * item_step; }
  [[nodiscard]] int32_t conflicts(int32_t entry, int32_t its) const {
    return static_cast<int32_t>(entry >= old) & static_cast<int32_t>(((entry ^ its) & 0xfff) != 0);
  }
};

// Loops that the compiler makes vector code of, for rows of eight words or more. Copies of the run tell it that no store
// changes it.
[[gnu::always_inline]] inline bool write_run(WordRun run) {
  int32_t fails = 0;
#pragma clang loop vectorize(assume_safety) interleave_count(1)
  for (uint32_t i = 0; i < run.size; ++i) {
    const int32_t its = run.entry(i);
    fails |= run.conflicts(run.writers[i], its) | run.conflicts(run.readers[i], its) | run.conflicts(run.others[i], its);
  }
  if (fails) return false;
#pragma clang loop vectorize(assume_safety) interleave_count(1)
  for (uint32_t i = 0; i < run.size; ++i) run.writers[i] = run.entry(i);
#pragma clang loop vectorize(assume_safety) interleave_count(1)
  for (uint32_t i = 0; i < run.size; ++i) run.readers[i] = run.others[i] = 0;
#pragma clang loop vectorize(assume_safety) interleave_count(1)
  for (uint32_t i = 0; i < run.size; ++i) run.write_details[i] = run.detail;
  return true;
}

[[gnu::always_inline]] inline bool read_run(WordRun run) {
  int32_t fails = 0;
#pragma clang loop vectorize(assume_safety) interleave_count(1)
  for (uint32_t i = 0; i < run.size; ++i) fails |= run.conflicts(run.writers[i], run.entry(i));
  if (fails) return false;
#pragma clang loop vectorize(assume_safety) interleave_count(1)
  for (uint32_t i = 0; i < run.size; ++i) {
    const int32_t its = run.entry(i), reader = run.readers[i], other = run.others[i];
    const bool is_first = (reader < run.old) | (((reader ^ its) & 0xfff) == 0);
    const bool is_other = !is_first & ((other < run.old) | (((other ^ its) & 0xfff) == 0));
    run.readers[i] = is_first ? its : reader;
    run.read_details[i] = is_first ? run.detail : run.read_details[i];
    run.others[i] = is_other ? its : other;
    run.other_details[i] = is_other ? run.detail : run.other_details[i];
  }
  return true;
}

[[gnu::target("avx2")]] bool follow_with_avx2(const WordRun &run, bool writes) {
  return writes ? write_run(run) : read_run(run);
}
bool follow_with_sse2(const WordRun &run, bool writes) { return writes ? write_run(run) : read_run(run); }

const auto follow_words = __builtin_cpu_supports("avx2") ? follow_with_avx2 : follow_with_sse2;

}  // namespace

/// A row of adjacent words. Whether it was followed; otherwise nothing has changed.
bool LocalShadow::follow_run(uint64_t word, uint32_t words, uint32_t lanes, uint32_t item, uint32_t item_step,
                             uint32_t detail) {
  if (now_.sub_start || !std::has_single_bit(words)) return false;
  const WordRun run{.writers = writers_.data() + word,
                    .readers = readers_.data() + word,
                    .others = others_.data() + word,
                    .write_details = write_details_.data() + word,
                    .read_details = read_details_.data() + word,
                    .other_details = other_details_.data() + word,
                    .size = words * lanes,
                    .shift = static_cast<uint32_t>(std::countr_zero(words)),
                    .mine = entry(item),
                    .item_step = static_cast<int32_t>(item_step),
                    .old = view_.old,
                    .detail = detail};
  return follow_words(run, writes(detail));
}

/// Several work-items from `item` on read the same words. Two readers say as much as all.
bool LocalShadow::read_alike(uint64_t word, uint32_t words, uint32_t item, uint32_t detail) {
  for (uint64_t at = word; at < word + words; ++at)
    if (writers_[at] >= view_.old) return false;
  for (uint64_t at = word; at < word + words; ++at) {
    (void)read(at, item, detail);
    (void)read(at, item + 1, detail);
  }
  return true;
}

uint32_t LocalShadow::follow_whole_row(const UpsweepLocalShadow *shadow, uint64_t word, uint32_t item, uint32_t site,
                                       uint32_t shape) {
  auto &own = *static_cast<LocalShadow *>(shadow->owner);
  const uint32_t words = shape >> UPSWEEP_LOCAL_WORDS & 0xff, lanes = shape >> UPSWEEP_LOCAL_LANES & 0xff;
  const bool is_same = shape & UPSWEEP_LOCAL_SAME, is_write = shape & UPSWEEP_LOCAL_WRITES;
  const uint32_t detail = packed(site, is_write ? RaceRecord::kUnknownValue : 0, 0, is_write);
  if (!own.has(word, uint64_t{words} * (is_same ? 1 : lanes))) return 0;
  return is_same ? own.read_alike(word, words, item, detail) : own.follow_run(word, words, lanes, item, 1, detail);
}

uint64_t LocalShadow::follow(const LocalRow &row, uint64_t &left) {
  const uint32_t detail = packed(row.site, row.value, 0, row.writes);
  const auto first = static_cast<uint32_t>(std::countr_zero(row.lanes)),
             count = static_cast<uint32_t>(std::popcount(row.lanes));
  const bool is_run = row.step == row.words && static_cast<uint32_t>(std::bit_width(row.lanes)) - first == count;
  const uint64_t from = row.word + uint64_t{first} * row.words;
  if (is_run && follow_run(from, row.words, count, row.item + first * row.item_step, row.item_step, detail)) return 0;
  for (uint64_t lanes = row.lanes; lanes; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const uint64_t word = row.word + lane * static_cast<uint64_t>(row.step);
    if (has_left_[word / kLineWords] || has_left_[(word + row.words - 1) / kLineWords]) {
      left |= uint64_t{1} << lane;
      continue;
    }
    const uint32_t item = row.item + lane * row.item_step;
    for (uint64_t at = word; at < word + row.words; ++at)
      if (row.writes ? !write(at, item, detail) : !read(at, item, detail)) return lanes & ~left;
  }
  return 0;
}

bool LocalShadow::follow(const LocalUpdate &update) {
  for (uint64_t word = update.word; word < update.word + update.words; ++word) {
    const int32_t writer = writers_[word];
    const bool is_updated = writer >= view_.old && static_cast<uint32_t>(writer & kItemMask) == kAtomic && writer != kBusy;
    if (writer >= view_.old && !is_updated) return false;
    if (!is_updated && (readers_[word] >= view_.old || others_[word] >= view_.old)) return false;
    const int32_t mine = entry(update.item);
    const uint32_t detail = packed(update.site, 0, update.scope, update.writes);
    writers_[word] = entry(kAtomic);
    const auto is_mine = [&](int32_t entry) { return entry && static_cast<uint32_t>(entry & kItemMask) == update.item; };
    const auto is_free = [&](int32_t entry, uint32_t its) {
      if (entry < view_.old) return true;
      return is_mine(entry) ? update.writes || !writes(its) : update.writes && !writes(its);
    };
    const bool is_known = (is_mine(readers_[word]) && !is_free(readers_[word], read_details_[word])) ||
                          (is_mine(others_[word]) && !is_free(others_[word], other_details_[word]));
    if (is_known) continue;
    if (is_free(readers_[word], read_details_[word])) {
      readers_[word] = mine;
      read_details_[word] = detail;
      if (is_mine(others_[word])) others_[word] = 0;
    } else if (is_free(others_[word], other_details_[word])) {
      others_[word] = mine;
      other_details_[word] = detail;
    }
  }
  return true;
}

bool LocalShadow::follow_copy(uint64_t word, uint64_t words, uint32_t site, bool writes) {
  for (uint64_t line = word / kLineWords; line <= (word + words - 1) / kLineWords; ++line)
    if (has_left_[line]) return false;
  const int32_t *writers = writers_.data() + word, *readers = readers_.data() + word, *others = others_.data() + word;
  const int32_t old = view_.old;
  uint32_t has_recent = 0;  // without a branch, so that the loop is vector code
  for (uint64_t i = 0; i < words; ++i)
    has_recent |= (writers[i] >= old && writers[i] != kBusy) | (readers[i] >= old) | (others[i] >= old);
  if (has_recent) return false;
  std::fill_n(writers_.data() + word, words, kBusy);
  if (!copies_.empty()) {
    Copy &last = copies_.back();
    if (last.word + last.words == word && last.site == site && last.tick == now_.tick && last.writes == writes) {
      last.words += words;
      return true;
    }
  }
  copies_.push_back({word, words, site, now_.tick, writes});
  return true;
}

bool LocalShadow::has_entries(uint64_t line) const {
  for (uint64_t word = line * kLineWords; word < (line + 1) * kLineWords; ++word)
    if (writers_[word] >= view_.old || readers_[word] >= view_.old || others_[word] >= view_.old) return true;
  return false;
}

void LocalShadow::leave(uint64_t line) {
  std::fill_n(writers_.begin() + static_cast<ptrdiff_t>(line * kLineWords), kLineWords, kBusy);
  has_left_[line] = 1;
  left_.push_back(line);
}

void LocalShadow::fill_cells(uint64_t line, std::span<RaceCell> cells, uint32_t launch, uint32_t group) const {
  const uint64_t cells_per_word = cells.size() / kLineWords;
  const auto entry_of = [&](int32_t entry, uint32_t detail) {
    const auto facts = std::bit_cast<Detail>(detail);
    RaceEntry made;
    made.launch = launch;
    made.group = group;
    made.item = static_cast<uint32_t>(entry & kItemMask);
    made.tick = static_cast<uint32_t>((entry >> kItemBits) - base_);
    made.site = facts.site;
    made.value = facts.value;
    made.scope = facts.scope;
    made.writes = facts.writes;
    return made;
  };
  for (uint64_t i = 0; i < cells.size(); ++i) {
    const uint64_t word = line * kLineWords + i / cells_per_word;
    RaceCell &cell = cells[i];
    cell = RaceCell();
    const int32_t writer = writers_[word];
    const bool is_atomic = writer != kBusy && writer >= view_.old && static_cast<uint32_t>(writer & kItemMask) == kAtomic;
    // Words of a copy have no other accesses.
    for (const Copy &copy : copies_) {
      if (word < copy.word || word >= copy.word + copy.words) continue;
      RaceEntry made = entry_of(0, packed(copy.site, 0, 0, copy.writes));
      made.tick = copy.tick;
      made.is_copy = true;
      (copy.writes ? cell.write : cell.readers[0]) = made;
    }
    if (writer >= view_.old && writer != kBusy && !is_atomic) cell.write = entry_of(writer, write_details_[word]);
    const std::array<std::pair<int32_t, uint32_t>, 2> readers{std::pair{readers_[word], read_details_[word]},
                                                              std::pair{others_[word], other_details_[word]}};
    for (const auto &[entry, detail] : readers) {
      if (entry < view_.old || entry == 0) continue;
      std::array<RaceEntry, 2> &slots = is_atomic ? cell.atomics : cell.readers;
      RaceEntry &slot = slots[slots[0].launch ? 1 : 0];
      slot = entry_of(entry, detail);
      slot.is_atomic = is_atomic;
    }
  }
}

}  // namespace upsweep
