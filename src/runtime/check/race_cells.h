// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race check's shadow of memory: for each word the last accesses (docs/decisions/race-checker.md).
#ifndef UPSWEEP_RUNTIME_CHECK_RACE_CELLS_H
#define UPSWEEP_RUNTIME_CHECK_RACE_CELLS_H

#include "runtime/check/race_lines.h"
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>

namespace upsweep {

/// An access: its work-item, its time and its place.
struct RaceEntry {
  uint64_t launch : 20 = 0;  ///< 0: no access
  uint64_t group : 32 = 0;   ///< linear
  uint64_t item : 12 = 0;    ///< linear local id
  uint64_t tick : 32 = 0;    ///< the group's time
  uint64_t site : 20 = 0;    ///< number of the UpsweepCheckSite
  uint64_t scope : 3 = 0;    ///< of an atomic access
  uint64_t is_atomic : 1 = 0;
  uint64_t is_copy : 1 = 0;  ///< by an async copy, which has no work-item
  uint64_t writes : 1 = 0;
  uint64_t value : 6 = 0;  ///< a hash of the written value, or RaceRecord::kUnknownValue

  bool operator==(const RaceEntry &other) const = default;
};
static_assert(sizeof(RaceEntry) == 16);

/// The last accesses of a word, or of a byte.
struct RaceCell {
  RaceEntry write;                   ///< not atomic
  std::array<RaceEntry, 2> atomics;  ///< preferably writes; of two work-items or groups where there are several
  std::array<RaceEntry, 2> readers;  ///< not atomic, since the write; likewise

  bool operator==(const RaceCell &other) const = default;
};

/// A lock that is held for a short time.
class RaceLock {
public:
  void lock() {
    while (is_locked_.exchange(true, std::memory_order_acquire)) wait();
  }
  void unlock() { is_locked_.store(false, std::memory_order_release); }

private:
  void wait() const;
  std::atomic<bool> is_locked_{false};
};

/// The lines of 4 KiB of memory, and the cells of those lines that do not hold their accesses. The lock protects both.
class RacePage : public RaceLock {
public:
  static constexpr uint64_t kBytes = 4096, kWordBytes = 4, kLines = kBytes / RaceLine::kBytes;

  [[nodiscard]] RaceLine &line(uint64_t address) { return lines_[address % kBytes / RaceLine::kBytes]; }

private:
  friend class RaceShadow;
  bool has_bytes_ = false;  ///< a cell per byte, not per word
  RaceLine *lines_ = nullptr;
  RaceCell *cells_ = nullptr;  ///< null until a line needs cells
};

class RaceShadow {
public:
  /// `most_bytes`: limit of the memory of lines and cells.
  explicit RaceShadow(uint64_t most_bytes);
  ~RaceShadow();
  RaceShadow(const RaceShadow &) = delete;
  RaceShadow &operator=(const RaceShadow &) = delete;

  /// The page of an address; null beyond the limit.
  RacePage *page(uint64_t address);
  /// The cells of `bytes` bytes at `offset` in a page, which is locked; empty beyond the limit. An access that is not of whole
  /// words gives the page a cell per byte.
  std::span<RaceCell> cells(RacePage &page, uint64_t offset, uint64_t bytes);
  /// Moves the accesses of a line, made by a launch, to the page's cells. The page is locked.
  void fill_cells(RacePage &page, uint64_t offset, const RaceLine &line, uint32_t launch);

  /// A launch begins and ends. Without launches, a shadow that is half full is emptied. The result numbers the launch, from 1.
  uint32_t begin_launch();
  void end_launch();
  /// In a child of fork(), where other threads may have held locks.
  void forget();

  [[nodiscard]] uint64_t used_bytes() const { return used_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool is_full() const { return is_full_.load(std::memory_order_relaxed); }

private:
  static constexpr unsigned kAddressBits = 47, kPageBits = 12, kFolderBits = 18;
  static constexpr uint64_t kFolders = uint64_t{1} << (kAddressBits - kPageBits - kFolderBits);
  static constexpr uint64_t kPagesOfFolder = uint64_t{1} << kFolderBits;
  static constexpr uint32_t kMostLaunches = (1U << 20) - 1;
  using Folder = std::atomic<RacePage *>;

  void *take(uint64_t bytes);
  void give_back(void *memory, uint64_t bytes);
  Folder *folder(uint64_t address);
  bool split(RacePage &page);
  void give_back(RacePage &page);
  void clear();

  const uint64_t most_bytes_;
  std::atomic<uint64_t> used_{0};
  std::atomic<bool> is_full_{false};
  std::atomic<Folder *> *folders_;
  std::mutex mutex_;  ///< of the launches
  uint32_t launches_ = 0, last_launch_ = 0;
};

/// The shadow of all launches. Its limit is a quarter of the computer's memory.
RaceShadow &race_shadow();

}  // namespace upsweep
#endif
