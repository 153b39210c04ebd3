// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order that releases and acquires make between work-items of a launch (docs/decisions/race-checker.md).
#ifndef UPSWEEP_RUNTIME_CHECK_RACE_ORDER_H
#define UPSWEEP_RUNTIME_CHECK_RACE_ORDER_H

#include "runtime/check/race_cells.h"
#include "runtime/check/race_heads.h"
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace upsweep {

/// The address spaces of accesses, as indices.
enum RaceSpace : uint8_t { kRaceGlobal = 0, kRaceLocal = 1 };
using RaceTicks = std::array<uint32_t, 2>;  ///< by space

/// A release of a work-item: everything that happens before it. A node without a group joins others.
struct RaceNode {
  static constexpr uint64_t kNoGroup = ~uint64_t{0};

  uint64_t group = kNoGroup;
  uint32_t item = 0, tick = 0, sub_group = 0, sub_group_size = 1;
  RaceTicks start{};      ///< accesses of the group before these ticks happen before the release
  RaceTicks sub_start{};  ///< likewise for the sub-group
  std::array<const RaceNode *, 3> before{};

  [[nodiscard]] bool covers(const RaceEntry &access, RaceSpace space) const;
};

/// Whether `node` is `before`, or a node close before it is.
[[nodiscard]] bool is_before_nearby(const RaceNode *before, const RaceNode *node);

/// Whether `node` or a node close before it covers an access. The newest release of a lock is among them.
[[nodiscard]] bool is_covered_nearby(const RaceNode *node, const RaceEntry &access, RaceSpace space);

/// The nodes that happen before a node, found as far as they are asked for.
class RacePast {
public:
  void add(const RaceNode *node);
  void clear();
  bool covers(const RaceEntry &access, RaceSpace space);

private:
  std::unordered_set<const RaceNode *> seen_;
  std::vector<const RaceNode *> open_;  ///< a queue: the newest releases first
  size_t next_ = 0;
  std::unordered_map<uint64_t, std::vector<const RaceNode *>> by_group_;
};

class RaceLaunch;

/// Makes a thread's nodes of a launch, without a lock. Nodes live as long as the launch.
class RaceNodes {
public:
  static constexpr size_t kChunk = 64;

  void use(RaceLaunch &launch);
  /// Null if the launch has too many nodes.
  RaceNode *make(const RaceNode &node);
  /// A node behind both.
  const RaceNode *join(const RaceNode *one, const RaceNode *other);

private:
  RaceLaunch *launch_ = nullptr;
  uint64_t id_ = 0;
  RaceNode *next_ = nullptr, *end_ = nullptr;
};

/// The state that the groups of a launch share.
class RaceLaunch {
public:
  explicit RaceLaunch(RaceShadow &shadow);
  ~RaceLaunch() { shadow_.end_launch(); }
  RaceLaunch(const RaceLaunch &) = delete;
  RaceLaunch &operator=(const RaceLaunch &) = delete;

  [[nodiscard]] RaceShadow &shadow() const { return shadow_; }
  [[nodiscard]] uint32_t number() const { return number_; }
  /// Differs from that of each other launch of the process.
  [[nodiscard]] uint64_t id() const { return id_; }
  [[nodiscard]] bool has_nodes() const { return num_nodes_.load(std::memory_order_relaxed) != 0; }
  /// Too many releases: their order is not known any more, so nothing can be reported.
  [[nodiscard]] bool has_lost_order() const { return num_nodes_.load(std::memory_order_relaxed) >= kMostNodes; }

  /// Adds a release at an address, whose scope is wider than a group. head() returns all releases of the address. Later stores
  /// do not remove releases, since the order of two threads' stores is unknown.
  void attach(uint64_t address, const RaceNode *node, RaceNodes &nodes);
  /// The same for a node that nothing refers to.
  void attach_new(uint64_t address, RaceNode *node);
  const RaceNode *head(uint64_t address);

  static constexpr uint64_t kMostNodes = uint64_t{1} << 22;

private:
  friend class RaceNodes;
  struct alignas(64) Shard {
    RaceLock lock;
    RaceHeads heads;
  };
  Shard &shard(uint64_t address) { return shards_[address / RacePage::kWordBytes % shards_.size()]; }
  /// `RaceNodes::kChunk` nodes; null beyond the limit.
  RaceNode *take_chunk();

  RaceShadow &shadow_;
  const uint32_t number_;
  const uint64_t id_;
  std::atomic<uint64_t> num_nodes_{0};  ///< in chunks
  std::mutex mutex_;                    ///< of the chunks
  std::vector<std::unique_ptr<RaceNode[]>> chunks_;
  std::array<Shard, 64> shards_;
};

}  // namespace upsweep
#endif
