// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exchange by which blocks with tiles of whole rows get the totals before their tiles. In a wave the blocks of a cluster
// have tiles side by side. Each sends the totals of its tile, slice by slice of the columns, to the block that adds up that
// slice for the cluster. That block publishes the cluster's total, reads the totals of earlier clusters, and sends every block
// of the cluster the total before its tile in that slice. Within a cluster, totals go through shared memory. Only clusters wait
// for words in global memory.
#pragma once

#include <upsweep/cuda/device/axis_roll.cuh>
#include <upsweep/cuda/device/axis_rows_work.cuh>
#include <upsweep/cuda/device/cluster.cuh>

namespace upsweep::cuda::detail {

// Synchronises some warps of a block.
__device__ __forceinline__ void synchronise_warps(int barrier, int threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
inline constexpr int kReducersBarrier = 1;
inline constexpr int kExchangersBarrier = 2;

// A block's place in its cluster, and the bytes that it sends and expects there.
template <class Geometry>
class RowsCluster {
  using Totals = typename Geometry::Totals;

public:
  __device__ __forceinline__ RowsCluster(const RowsCut &cut, RowsStorage<Geometry> storage)
      : cut_(cut), storage_(storage), rank_(static_cast<int>(blockIdx.x) % kClusterBlocks),
        slices_((cut.across + cut.slice - 1) / cut.slice) {}

  __device__ __forceinline__ int rank() const { return rank_; }
  // The block's rank, if its own slice stays in place: memcheck reports a copy from a block to itself as an error.
  __device__ __forceinline__ int own() const { return kOwnTravels ? -1 : rank_; }
  // The block's place for the total of its tile in that pack.
  __device__ __forceinline__ Totals &tile_total(int slot, int pack) const {
    const int place = pack - rank_ * cut_.slice;
    const bool is_own = !kOwnTravels && static_cast<unsigned>(place) < static_cast<unsigned>(cut_.slice);
    return is_own ? storage_.slice_totals(cut_, slot, rank_)[place] : storage_.tile_totals(cut_, slot)[pack];
  }
  __device__ __forceinline__ bool has_slice() const { return rank_ < slices_; }
  __device__ __forceinline__ std::uint64_t first_tile(std::uint32_t wave) const {
    return static_cast<std::uint64_t>(wave) * storage_.tile_step() + storage_.first_tile() - rank_;
  }
  // The cluster's tiles in a wave.
  __device__ __forceinline__ int tiles(std::uint32_t wave) const {
    const std::uint64_t first = first_tile(wave);
    const std::uint64_t left = first < cut_.tiles ? cut_.tiles - first : 0;
    return left < kClusterBlocks ? static_cast<int>(left) : kClusterBlocks;
  }

  // Called by one thread, before that wave's totals can arrive: sets the number of bytes to expect, if any. Totals that stay in
  // the block count as one arrival.
  __device__ __forceinline__ void expect_arrivals(std::uint32_t wave) const {
    if (has_slice() && tiles(wave) > 0) {
      expect(storage_.exchange().arrived[wave % Geometry::kSlots], tiles(wave), wave);
    }
  }
  __device__ __forceinline__ void expect_answers(std::uint32_t wave) const {
    if (rank_ < tiles(wave)) {
      expect(storage_.exchange().told[wave % Geometry::kSlots], slices_, wave);
    }
  }

  // Each calling thread serves one block: sends it the totals of its slice of this block's tile.
  __device__ __forceinline__ void send_totals(std::uint32_t wave, int thread) const {
    const int slot = static_cast<int>(wave % Geometry::kSlots);
    if (thread == own()) {
      if (has_slice()) {
        storage_.exchange().arrived[slot].arrive();
      }
    } else if (thread < slices_) {
      bulk_copy_to_block(thread, storage_.slice_totals(cut_, slot, rank_),
                         storage_.tile_totals(cut_, slot) + thread * cut_.slice, slice_bytes(),
                         storage_.exchange().arrived[slot]);
    }
  }
  // Sends the totals before the cluster's tiles in the block's slice to the tiles' blocks.
  __device__ __forceinline__ void send_answers(std::uint32_t wave, int thread) const {
    const int slot = static_cast<int>(wave % Geometry::kSlots);
    if (thread == own()) {
      if (rank_ < tiles(wave)) {
        storage_.exchange().told[slot].arrive();
      }
    } else if (thread < tiles(wave)) {
      bulk_copy_to_block(thread, storage_.before_tile(cut_, slot) + rank_ * cut_.slice,
                         storage_.slice_totals(cut_, slot, thread), slice_bytes(), storage_.exchange().told[slot]);
    }
  }

private:
  // racecheck does not follow the arrival of one thread for the writes of others.
  static constexpr bool kOwnTravels = kWarpArrivals > 1;

  __device__ __forceinline__ void expect(Barrier &barrier, int slices, std::uint32_t wave) const {
    const bool stays = !kOwnTravels && has_slice() && rank_ < tiles(wave);
    if (!stays) {
      barrier.arrive();
    }
    barrier.arrive_and_expect((slices - stays) * slice_bytes());
  }
  __device__ __forceinline__ unsigned slice_bytes() const { return static_cast<unsigned>(cut_.slice * sizeof(Totals)); }

  const RowsCut &cut_;
  RowsStorage<Geometry> storage_;
  int rank_, slices_;
};

// Used by groups of warps that alternate between waves, with a thread for each pack of the block's slice.
template <class Problem, class Geometry>
class RowsExchange {
  using Totals = typename Geometry::Totals;
  using Word = TileWord<Totals>;
  // Words that a thread reads together, limited by registers. Further words would be requested before they are published.
  static constexpr int kAtOnce = sizeof(Word) <= (Geometry::kAcross == 2 ? 16 : 8) ? 8 : 4;

public:
  __device__ __forceinline__ RowsExchange(const Problem &problem, const RowsCut &cut, RowsStorage<Geometry> storage, int thread)
      : problem_(problem), cut_(cut), storage_(storage), cluster_(cut, storage),
        words_(problem.words, cut, storage.exchange().clusters), group_(thread / kGroupThreads),
        thread_(thread % kGroupThreads), pack_(cluster_.rank() * cut.slice + thread_),
        place_(static_cast<int>(storage.exchange().place)), chunks_(static_cast<int>(cut.chunks)),
        chunk_(static_cast<int>(cluster_.first_tile(group_) % cut.chunks)),
        chunks_of_turn_(static_cast<int>(static_cast<std::uint64_t>(Geometry::kGroups) * storage.tile_step() % cut.chunks)),
        is_in_(thread_ < cut.slice && pack_ < cut.across) {}

  __device__ __forceinline__ void run() {
    if (!cluster_.has_slice()) {
      return;
    }
    for (std::uint32_t wave = group_; cluster_.tiles(wave) > 0; wave += Geometry::kGroups) {
      exchange(wave);
      chunk_ += chunks_of_turn_;
      chunk_ -= chunk_ >= chunks_ ? chunks_ : 0;
    }
  }

private:
  static constexpr int kGroupThreads = 32 * Geometry::kGroupWarps;

  // Waits for the totals up to the cluster's tiles of a wave, and combines them with `before`, on its left, if they are wanted.
  __device__ __forceinline__ void add_known(std::uint32_t wave, bool are_wanted, Totals &before, bool &has_before) {
    const int group = static_cast<int>(wave % Geometry::kGroups);
    storage_.exchange().handed[group].wait(wave / Geometry::kGroups % 2);
    if (is_in_ && are_wanted) {
      const Totals known = storage_.known_totals(cut_, group)[thread_];
      before = has_before ? combined_packs(true, known, before, problem_.op) : known;
      has_before = true;
    }
  }

  // Replaces the totals of the cluster's tiles by the totals before them. The value sent to a head is unused.
  __device__ __forceinline__ void answer(int slot, int tiles, Totals before, bool has_before) {
    for (int tile = 0; tile < tiles; ++tile) {
      const Totals more = of_tile(slot, tile);
      const bool goes_on = has_before && !begins_batch(tile);
      Totals &place = tile == cluster_.own() ? storage_.before_tile(cut_, slot)[pack_] : of_tile(slot, tile);
      place = goes_on ? before : more;
      before = combined_packs(goes_on, before, more, problem_.op);
      has_before = true;
    }
  }

  __device__ __forceinline__ void exchange(std::uint32_t wave) {
    auto &shared = storage_.exchange();
    const int slot = static_cast<int>(wave % Geometry::kSlots);
    const int tiles = cluster_.tiles(wave);
    // The clusters since this one's last tiles. Their totals are requested ahead, and most are already published.
    const int count = !is_in_ ? 0 : wave == 0 ? place_ : words_.clusters - 1;
    WordsBefore words_before(words_, shared.call, wave, place_, pack_, count);
    Word read[kAtOnce];
    words_before.ask(read, 0);
    shared.arrived[slot].wait(wave / Geometry::kSlots % 2);
    if (thread_ == 0) {
      cluster_.expect_arrivals(wave + Geometry::kSlots);
    }

    Totals total;  // since the last head, if there is one
    if (is_in_) {
      for (int tile = 0; tile < tiles; ++tile) {
        total = combined_packs(tile > 0 && !begins_batch(tile), total, of_tile(slot, tile), problem_.op);
      }
      words_.total(wave, place_, pack_).publish(total, tag_of_wave(shared.call, wave));
    }
    // The total before the cluster: first since its last tiles, or since a head there, then all.
    Totals before;
    bool has_before = false, has_head = false;
    int chunk = chunk_ - kClusterBlocks * count % chunks_;
    chunk += chunk < 0 ? chunks_ : 0;
    for (int first = 0; first < count; first += kAtOnce) {
      if (first > 0) {
        words_before.ask(read, first);
      }
      words_before.wait_for(read, first);
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        if (first + i < count) {
          const bool is_head = has_head_from(chunk);
          before = combined_packs(has_before && !is_head, before, read[i].value(), problem_.op);
          has_before = true;
          has_head |= is_head;
          chunk += kClusterBlocks;
          chunk -= chunk >= chunks_ ? chunks_ : 0;
        }
      }
    }
    __syncwarp();
    if (wave > 0) {
      add_known(wave - 1, !has_head, before, has_before);
    }
    if (is_in_) {
      const bool goes_on = has_before && !has_head_from(chunk_);
      storage_.known_totals(cut_, group_)[thread_] = combined_packs(goes_on, before, total, problem_.op);
    }
    arrive_as_warp(shared.handed[group_]);

    if (is_in_) {
      answer(slot, tiles, before, has_before);
    }
    fence_before_bulk_store();
    synchronise_warps(kExchangersBarrier + group_, kGroupThreads);
    cluster_.send_answers(wave, thread_);
  }

  // The words of `count` clusters before this one in the order of their tiles: the words of older clusters belong to the
  // previous wave.
  class WordsBefore {
  public:
    __device__ __forceinline__ WordsBefore(const RowsWords<Geometry> &words, std::uint32_t call, std::uint32_t wave, int place,
                                           int pack, int count)
        : older_(&words.total(wave - 1, words.clusters + place - count, pack)), newer_(&words.total(wave, 0, pack)),
          across_(words.across), count_(count), older_count_(count - place), tag_(tag_of_wave(call, wave)) {}

    // Up to kAtOnce of them.
    __device__ __forceinline__ void ask(Word (&read)[kAtOnce], int first) const {
      const Word *word = at(first);
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        if (first + i < count_) {
          read[i] = word->load();
        }
        word = next(word, first + i);
      }
    }
    __device__ __forceinline__ void wait_for(Word (&read)[kAtOnce], int first) const {
      for (bool is_whole = false; !is_whole;) {
        is_whole = true;
        const Word *word = at(first);
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
          if (first + i < count_ && !read[i].is_of(tag_ - (first + i < older_count_))) {
            is_whole = false;
            read[i] = word->load();
          }
          word = next(word, first + i);
        }
      }
    }

  private:
    __device__ __forceinline__ const Word *at(int i) const {
      return i < older_count_ ? older_ + i * across_ : newer_ + (i - older_count_) * across_;
    }
    __device__ __forceinline__ const Word *next(const Word *word, int i) const {
      word = i + 1 == older_count_ ? newer_ : word + across_;
      // The compiler would keep the address of each word.
      asm volatile("" : "+l"(word));
      return word;
    }

    const Word *older_, *newer_;
    int across_, count_, older_count_;
    std::uint32_t tag_;
  };

  __device__ __forceinline__ Totals &of_tile(int slot, int tile) const {
    return storage_.slice_totals(cut_, slot, tile)[thread_];
  }
  // begins_batch(): whether a batch begins with this tile of the cluster. has_head_from(): whether a batch begins in a cluster
  // whose first tile is chunk `chunk` of a batch. A batch has more tiles than a cluster.
  __device__ __forceinline__ bool begins_batch(int tile) const { return chunk_ + tile == 0 || chunk_ + tile == chunks_; }
  __device__ __forceinline__ bool has_head_from(int chunk) const { return chunk == 0 || chunk + kClusterBlocks > chunks_; }

  const Problem &problem_;
  const RowsCut &cut_;
  RowsStorage<Geometry> storage_;
  RowsCluster<Geometry> cluster_;
  RowsWords<Geometry> words_;
  int group_, thread_, pack_;
  int place_;                            // of the cluster
  int chunks_, chunk_, chunks_of_turn_;  // of a batch; the cluster's first; the distance to its first in the next wave
  bool is_in_;
};

// The totals before the block's tiles in the columns of a thread; without meaning for a tile that begins a batch.
template <class Geometry>
class RowsSeeds {
  using Totals = typename Geometry::Totals;
  static constexpr int kAcross = Geometry::kAcross;

public:
  __device__ __forceinline__ RowsSeeds(const RowsCut &cut, RowsStorage<Geometry> storage, const RowsLane<Geometry> &lane,
                                       int thread)
      : cut_(cut), storage_(storage), lane_(lane), thread_(thread) {}

  __device__ __forceinline__ void get(std::uint32_t wave, Totals (&before)[kAcross]) const {
    auto &exchange = storage_.exchange();
    const int slot = static_cast<int>(wave % Geometry::kSlots);
    exchange.told[slot].wait(wave / Geometry::kSlots % 2);
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
      if (lane_.is_in(j)) {
        before[j] = storage_.before_tile(cut_, slot)[lane_.packs[j]];
      }
    }
    if (thread_ == 0) {
      RowsCluster<Geometry>(cut_, storage_).expect_answers(wave + Geometry::kSlots);
    }
    arrive_as_warp(exchange.seeded[slot]);
  }

private:
  const RowsCut &cut_;
  RowsStorage<Geometry> storage_;
  const RowsLane<Geometry> &lane_;
  int thread_;
};

// Called by one thread, before other blocks of the cluster send.
template <class Geometry>
__device__ __forceinline__ void initialise_exchange(const RowsCut &cut, RowsStorage<Geometry> storage) {
  auto &exchange = storage.exchange();
  const RowsCluster<Geometry> cluster(cut, storage);
  for (int slot = 0; slot < Geometry::kSlots; ++slot) {
    exchange.arrived[slot].initialise(2);
    exchange.told[slot].initialise(2);
    exchange.seeded[slot].initialise(Geometry::kWarps * kWarpArrivals);
    cluster.expect_arrivals(slot);
    cluster.expect_answers(slot);
  }
  for (Barrier &handed : exchange.handed) {
    handed.initialise(Geometry::kGroupWarps * kWarpArrivals);
  }
}

// Called by all threads: sets the number of the call, and the clusters that exchange totals. A call uses a tag for each use of
// its words. If too few tags may be left, the first cluster clears all words, and calls begin anew.
template <class Problem, class Geometry>
__device__ __forceinline__ void begin_rows_call(const Problem &problem, const RowsCut &cut, RowsStorage<Geometry> storage) {
  auto &exchange = storage.exchange();
  const bool is_leader = threadIdx.x == 0 && blockIdx.x % kClusterBlocks == 0;
  if (is_leader) {
    const auto most_tags = static_cast<std::uint32_t>((cut.tiles + kClusterBlocks - 1) / kClusterBlocks);
    const auto ends = [&](std::uint32_t call) { return call > kLastCall - most_tags; };
    const RollCall roll = call_roll(problem.state, gridDim.x / kClusterBlocks, ends, [&] {
      auto *words = static_cast<std::uint64_t *>(problem.words);
      for (std::uint64_t i = 0; i < problem.words_bytes / 8; ++i) {
        words[i] = 0;
      }
    });
    exchange.call = ends(roll.call) ? 0 : roll.call;
    exchange.place = roll.place;
    exchange.clusters = roll.present;
    if (roll.is_last) {
      const std::uint64_t blocks = static_cast<std::uint64_t>(roll.present) * kClusterBlocks;
      end_call(problem.state, exchange.call + static_cast<std::uint32_t>((cut.tiles + blocks - 1) / blocks));
    }
  }
  synchronise_cluster();
  if (threadIdx.x == 0) {
    if (!is_leader) {
      exchange.call = *of_block(&exchange.call, 0);
      exchange.place = *of_block(&exchange.place, 0);
      exchange.clusters = *of_block(&exchange.clusters, 0);
    }
    initialise_exchange(cut, storage);
    fence_barrier_initialisation();
  }
  // Blocks send to each other's shared memory, which must be initialised, and whose block must not have ended.
  synchronise_cluster();
}

}  // namespace upsweep::cuda::detail
