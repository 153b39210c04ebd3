// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two levels of tables from an address to its page. Memory comes from the system, zeroed when it is touched.
#include "runtime/check/race_cells.h"
#include "base/across_fork.h"
#include "base/never_destroyed.h"
#include <algorithm>
#include <new>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace upsweep {
namespace {

constexpr uint64_t kWordCells = RacePage::kBytes / RacePage::kWordBytes * sizeof(RaceCell);
constexpr uint64_t kByteCells = RacePage::kBytes * sizeof(RaceCell);
constexpr uint64_t kBytesOfLines = RacePage::kLines * sizeof(RaceLine);

void *map_memory(uint64_t bytes) {
  void *memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

uint64_t quarter_of_memory() {
  const auto pages = static_cast<uint64_t>(std::max<long>(::sysconf(_SC_PHYS_PAGES), 1));
  const auto bytes = static_cast<uint64_t>(std::max<long>(::sysconf(_SC_PAGESIZE), 1));
  return pages * bytes / 4;
}

void say_full(uint64_t bytes) {
  const std::string text = "upsweep check: the race check has used its " + std::to_string(bytes >> 20) +
                           " MiB; accesses of further memory are not checked for races\n";
  static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()));
}

const MadeWithPlatform shadow_made([] { static_cast<void>(race_shadow()); });

}  // namespace

void RaceLock::wait() const {
  for (int i = 0; i < 64 && is_locked_.load(std::memory_order_relaxed); ++i) __builtin_ia32_pause();
  if (is_locked_.load(std::memory_order_relaxed)) std::this_thread::yield();
}

RaceShadow::RaceShadow(uint64_t most_bytes)
    : most_bytes_(most_bytes), folders_(static_cast<std::atomic<Folder *> *>(map_memory(kFolders * sizeof(Folder *)))) {}

RaceShadow::~RaceShadow() {
  if (!folders_) return;
  clear();
  for (uint64_t i = 0; i < kFolders; ++i)
    if (Folder *folder = folders_[i].load()) ::munmap(folder, kPagesOfFolder * sizeof(Folder));
  ::munmap(folders_, kFolders * sizeof(Folder *));
}

void *RaceShadow::take(uint64_t bytes) {
  void *memory = nullptr;
  if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= most_bytes_) memory = map_memory(bytes);
  if (memory) return memory;
  used_.fetch_sub(bytes, std::memory_order_relaxed);
  if (!is_full_.exchange(true)) say_full(most_bytes_);
  return nullptr;
}

void RaceShadow::give_back(void *memory, uint64_t bytes) {
  ::munmap(memory, bytes);
  used_.fetch_sub(bytes, std::memory_order_relaxed);
}

RaceShadow::Folder *RaceShadow::folder(uint64_t address) {
  std::atomic<Folder *> &place = folders_[address >> (kPageBits + kFolderBits)];
  Folder *folder = place.load(std::memory_order_acquire);
  if (folder) return folder;
  auto *made = static_cast<Folder *>(map_memory(kPagesOfFolder * sizeof(Folder)));
  if (!made || place.compare_exchange_strong(folder, made)) return made;
  ::munmap(made, kPagesOfFolder * sizeof(Folder));
  return folder;
}

RacePage *RaceShadow::page(uint64_t address) {
  if (address >> kAddressBits || !folders_) return nullptr;
  Folder *pages = folder(address);
  if (!pages) return nullptr;
  Folder &place = pages[address >> kPageBits & (kPagesOfFolder - 1)];
  RacePage *page = place.load(std::memory_order_acquire);
  if (page) return page;
  if (is_full()) return nullptr;
  auto *lines = static_cast<RaceLine *>(take(kBytesOfLines));
  if (!lines) return nullptr;
  auto *made = new (std::nothrow) RacePage;
  if (made) made->lines_ = lines;
  if (made && place.compare_exchange_strong(page, made)) return made;
  give_back(lines, kBytesOfLines);
  delete made;
  return page;
}

bool RaceShadow::split(RacePage &page) {
  auto *cells = static_cast<RaceCell *>(take(kByteCells));
  if (!cells) return false;
  for (uint64_t i = 0; page.cells_ && i < RacePage::kBytes; ++i) {
    const RaceCell &word = page.cells_[i / RacePage::kWordBytes];
    if (!(word == RaceCell())) cells[i] = word;
  }
  if (page.cells_) give_back(page.cells_, kWordCells);
  page.cells_ = cells;
  page.has_bytes_ = true;
  return true;
}

std::span<RaceCell> RaceShadow::cells(RacePage &page, uint64_t offset, uint64_t bytes) {
  const bool is_whole = (offset | bytes) % RacePage::kWordBytes == 0;
  if (!is_whole && !page.has_bytes_ && !split(page)) return {};
  if (!page.cells_) page.cells_ = static_cast<RaceCell *>(take(kWordCells));
  if (!page.cells_) return {};
  if (page.has_bytes_) return {page.cells_ + offset, bytes};
  return {page.cells_ + offset / RacePage::kWordBytes, bytes / RacePage::kWordBytes};
}

void RaceShadow::fill_cells(RacePage &page, uint64_t offset, const RaceLine &line, uint32_t launch) {
  // Work-items that share a word, or parts of words, need cells of bytes.
  constexpr uint64_t kFirstBytes = 0x1111'1111'1111'1111;
  const bool has_parts = std::any_of(line.begin(), line.end(), [](const RaceRecord &record) {
    const uint64_t bytes = record.bytes;
    return (bytes & kFirstBytes) * 15 != bytes || (record.step != 0 && record.shift < 2);
  });
  if (has_parts && cells(page, offset, 1).empty()) return;
  const std::span<RaceCell> all = cells(page, offset, RaceLine::kBytes);
  if (all.empty()) return;
  std::ranges::fill(all, RaceCell());
  const uint64_t bytes_of_cell = RaceLine::kBytes / all.size();
  for (const RaceRecord &record : line)
    for (unsigned byte = 0; byte < RaceLine::kBytes; byte += static_cast<unsigned>(bytes_of_cell)) {
      if (!(record.bytes >> byte & 1)) continue;
      RaceEntry entry;
      entry.launch = launch;
      entry.group = record.group;
      entry.item = record.item(byte);
      entry.tick = record.tick;
      entry.site = record.site;
      entry.writes = record.writes;
      entry.is_copy = record.is_copy;
      entry.value = record.value;
      RaceCell &cell = all[byte / bytes_of_cell];
      (record.writes ? cell.write : cell.readers[cell.readers[0].launch ? 1 : 0]) = entry;
    }
}

void RaceShadow::give_back(RacePage &page) {
  if (page.cells_) give_back(page.cells_, page.has_bytes_ ? kByteCells : kWordCells);
  give_back(page.lines_, kBytesOfLines);
  delete &page;
}

void RaceShadow::clear() {
  for (uint64_t i = 0; i < kFolders && folders_; ++i) {
    Folder *pages = folders_[i].load();
    for (uint64_t k = 0; pages && k < kPagesOfFolder; ++k) {
      RacePage *page = pages[k].load(std::memory_order_relaxed);
      if (!page) continue;
      pages[k].store(nullptr, std::memory_order_relaxed);
      give_back(*page);
    }
  }
  is_full_ = false;
}

uint32_t RaceShadow::begin_launch() {
  std::lock_guard lock(mutex_);
  const bool is_last_number = last_launch_ == kMostLaunches;
  if (launches_++ == 0 && (is_last_number || used_bytes() > most_bytes_ / 2)) clear();
  return last_launch_ = is_last_number ? 1 : last_launch_ + 1;
}

void RaceShadow::end_launch() {
  std::lock_guard lock(mutex_);
  --launches_;
}

void RaceShadow::forget() {
  for (uint64_t i = 0; i < kFolders && folders_; ++i) folders_[i].store(nullptr);
  used_ = 0;
  is_full_ = false;
}

RaceShadow &race_shadow() {
  static NeverDestroyed<RaceShadow> shadow(quarter_of_memory());
  static NeverDestroyed<AcrossFork> across_fork(nullptr, [] { shadow->forget(); });
  return *shadow;
}

}  // namespace upsweep
