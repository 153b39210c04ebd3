// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How blocks with tiles of whole rows get what is before their tiles. All tell the totals of a wave of tiles; each of several
// blocks reads those of a slice of the columns, adds them up, and tells every block what is before its tile in that slice.
// Thus a total is written and read once, and what is before a tile, too.
#pragma once

#include <upsweep/cuda/device/axis_rows_work.cuh>
#include <upsweep/cuda/device/calls.cuh>

namespace upsweep::cuda::detail {

// Of some warps of a block.
__device__ __forceinline__ void synchronise_warps(int barrier, int threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
inline constexpr int kReducersBarrier = 1;
inline constexpr int kExchangersBarrier = 2;

template <class Problem, class Geometry>
class RowsExchange {
  using Totals = typename Geometry::Totals;
  using Word = TileWord<Totals>;
  static constexpr int kMost = Geometry::kMostTiles;

public:
  __device__ __forceinline__ RowsExchange(const Problem &problem, const RowsCut &cut, RowsStorage<Geometry> storage, int thread)
      : problem_(problem), cut_(cut), storage_(storage), words_(problem.words, cut), warp_(thread / 32),
        slice_(static_cast<int>(blockIdx.x)), pack_(thread % kSlicePacks) {
    constexpr int kGroups = Geometry::kExchangeThreads / kSlicePacks;
    const int blocks = static_cast<int>(gridDim.x);
    const int each = (blocks + kGroups - 1) / kGroups;
    begin_ = min(thread / kSlicePacks * each, blocks);
    end_ = min(begin_ + each, blocks);
    if (slice_ * kSlicePacks + pack_ >= cut.across) {
      end_ = begin_;
    }
    chunk_ = begin_ % cut.chunks;
    chunks_of_wave_ = blocks % cut.chunks;
  }

  __device__ __forceinline__ void run() {
    if (slice_ >= Geometry::slices(cut_)) {
      return;
    }
    // The words will be there at about the time when the block's own are: asking earlier only takes from the loads.
    RingPlace place;
    std::uint32_t next = 0;
    for_stages<Geometry>(problem_, cut_, [&](const StageRows &stage) {
      if (stage.is_last && stage.wave == next) {
        storage_.barriers(place.stage).reduced.wait(place.parity);
        exchange(next);
        ++next;
      }
      place.advance(cut_.stages);
    });
    // The block may have no tile in the last wave.
    if (static_cast<std::uint64_t>(next) * gridDim.x < cut_.tiles) {
      exchange(next);
    }
  }

private:
  __device__ __forceinline__ void exchange(std::uint32_t wave) {
    const std::uint32_t tag = tag_of_wave(storage_.exchange().call, wave);
    const std::uint64_t first = static_cast<std::uint64_t>(wave) * gridDim.x;
    const std::uint64_t left = cut_.tiles - first;
    const int end = left < static_cast<std::uint64_t>(end_) ? static_cast<int>(left) : end_;
    Word read[kMost];
    wait_for(read, wave, end, tag);
    // By the thread, then by the warp, and by all.
    Totals total;
    bool has_any = false, has_head = false;
#pragma unroll
    for (int i = 0; i < kMost; ++i) {
      if (begin_ + i < end) {
        const bool is_head = begins_batch(i);
        total = combined_packs(has_any && !is_head, total, read[i].value(), problem_.op);
        has_any = true;
        has_head |= is_head;
      }
    }
    for (int distance = kSlicePacks; distance < 32; distance *= 2) {
      const Totals lower = shuffle_up(total, distance);
      const unsigned flags = shuffle_up(has_any | has_head << 1, distance);
      if (lane_id() >= distance && (flags & 1) != 0) {
        if (!has_any) {
          total = lower;
        } else if (!has_head) {
          total = combined_packs(true, lower, total, problem_.op);
        }
        has_any = true;
        has_head |= (flags & 2) != 0;
      }
    }
    const Totals lower = shuffle_up(total, kSlicePacks);
    const unsigned lower_flags = shuffle_up(has_any | has_head << 1, kSlicePacks);
    auto &warps = storage_.exchange().warps[wave % 2];
    if (lane_id() >= 32 - kSlicePacks) {
      warps[warp_][pack_] = {total, has_any, has_head};
    }
    synchronise_warps(kExchangersBarrier, Geometry::kExchangeThreads);
    // All threads of a pack add up the same.
    Totals before = known_;
    bool has_before = has_known_;
#pragma unroll
    for (int warp = 0; warp < Geometry::kExchangeWarps; ++warp) {
      if (warp == warp_) {
        before = known_;
        has_before = has_known_;
      }
      const auto &more = warps[warp][pack_];
      if (more.has_any) {
        known_ = combined_packs(has_known_ && !more.has_head, known_, more.total, problem_.op);
        has_known_ = true;
      }
    }
    if (lane_id() >= kSlicePacks && (lower_flags & 1) != 0) {
      before = combined_packs(has_before && (lower_flags & 2) == 0, before, lower, problem_.op);
      has_before = true;
    }
#pragma unroll
    for (int i = 0; i < kMost; ++i) {
      if (begin_ + i < end) {
        const Totals value = read[i].value();
        const bool goes_on = has_before && !begins_batch(i);
        // Before a head is nothing, but its block waits for a word.
        words_.before(wave, begin_ + i, slice_ * kSlicePacks + pack_).publish(goes_on ? before : value, tag);
        before = combined_packs(goes_on, before, value, problem_.op);
        has_before = true;
      }
    }
    chunk_ += chunks_of_wave_;
    if (chunk_ >= cut_.chunks) {
      chunk_ -= cut_.chunks;
    }
  }

  __device__ __forceinline__ void wait_for(Word (&read)[kMost], std::uint32_t wave, int end, std::uint32_t tag) const {
#pragma unroll
    for (int i = 0; i < kMost; ++i) {
      if (begin_ + i < end) {
        read[i] = words_.total(wave, begin_ + i, slice_, pack_).load();
      }
    }
    for (bool is_whole = false; !is_whole;) {
      is_whole = true;
#pragma unroll
      for (int i = 0; i < kMost; ++i) {
        if (begin_ + i < end && !read[i].is_of(tag)) {
          is_whole = false;
          read[i] = words_.total(wave, begin_ + i, slice_, pack_).load();
        }
      }
    }
    __syncwarp();
  }
  // Whether a batch begins with the thread's tile; all of its tiles together are shorter than a batch.
  __device__ __forceinline__ bool begins_batch(int tile) const {
    const std::uint64_t at = chunk_ + tile;
    return at == 0 || at == cut_.chunks;
  }

  const Problem &problem_;
  const RowsCut &cut_;
  RowsStorage<Geometry> storage_;
  RowsWords<Geometry> words_;
  int warp_, slice_, pack_;
  int begin_, end_;                       // blocks whose tiles the thread adds up
  std::uint64_t chunk_, chunks_of_wave_;  // the place of the first of those in its batch, and how far that moves in a wave
  Totals known_;                          // of all waves so far, in the thread's pack
  bool has_known_ = false;
};

// What is before the block's tiles in the columns of a thread, from the exchangers; for a tile that begins a batch, words of no
// meaning.
template <class Geometry>
class RowsSeeds {
  using Totals = typename Geometry::Totals;
  using Word = typename RowsWords<Geometry>::Word;
  static constexpr int kAcross = Geometry::kAcross;

public:
  __device__ __forceinline__ RowsSeeds(RowsStorage<Geometry> storage, const RowsWords<Geometry> &words,
                                       const RowsLane<Geometry> &lane)
      : storage_(storage), words_(words), lane_(lane) {}

  // Asks for what is before the tile of a wave, ahead of get().
  __device__ __forceinline__ void ask(std::uint32_t wave) {
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
      if (lane_.is_in(j)) {
        read_[j] = word(wave, lane_.packs[j]).load();
      }
    }
  }

  __device__ __forceinline__ void get(std::uint32_t wave, Totals (&before)[kAcross]) {
    auto &exchange = storage_.exchange();
    const std::uint32_t tag = tag_of_wave(exchange.call, wave);
    while (!__all_sync(0xffffffff, are_of(tag))) {
      ask(wave);
    }
    // A warp without packs waits, too: its arrivals must not be of a wave before.
    if (!__any_sync(0xffffffff, lane_.is_in(0))) {
      while (!word(wave, lane_.across - 1).load().is_of(tag)) {
      }
    }
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
      before[j] = read_[j].value();
    }
    arrive_as_warp(exchange.seeded[wave % Geometry::kWaves]);
  }

private:
  __device__ __forceinline__ Word &word(std::uint32_t wave, int pack) const {
    return words_.before(wave, static_cast<int>(blockIdx.x), pack);
  }
  __device__ __forceinline__ bool are_of(std::uint32_t tag) const {
    bool are = true;
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
      are = are && (!lane_.is_in(j) || read_[j].is_of(tag));
    }
    return are;
  }

  RowsStorage<Geometry> storage_;
  const RowsWords<Geometry> &words_;
  const RowsLane<Geometry> &lane_;
  Word read_[kAcross];
};

// By all threads: the number of the call. A call has as many tags as its words are used; where too few are left, the last block
// to say so clears all words, and calls begin anew.
template <class Problem, class Geometry>
__device__ __forceinline__ void begin_rows_call(const Problem &problem, const RowsCut &cut,
                                                typename Geometry::Exchange &shared) {
  const std::uint64_t waves = (cut.tiles + gridDim.x - 1) / gridDim.x;
  const auto tags = static_cast<std::uint32_t>(waves);
  if (threadIdx.x == 0) {
    const unsigned long long drawn = atomicAdd(&problem.state->call_and_ticket, 1ull);
    shared.call = static_cast<std::uint32_t>(drawn >> 32);
    if (static_cast<std::uint32_t>(drawn) == gridDim.x - 1 && shared.call <= kLastCall - tags) {
      // All blocks have drawn.
      problem.state->call_and_ticket = static_cast<unsigned long long>(shared.call + tags) << 32;
    }
  }
  __syncthreads();
  if (shared.call <= kLastCall - tags) {
    return;
  }
  if (threadIdx.x == 0) {
    __threadfence();
    shared.is_last_block = atomicAdd(&problem.state->blocks_finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  volatile unsigned long long &number = problem.state->call_and_ticket;
  const unsigned long long next = static_cast<unsigned long long>(tags) << 32;
  if (shared.is_last_block) {
    __threadfence();
    auto *words = static_cast<std::uint64_t *>(problem.words);
    for (std::uint64_t i = threadIdx.x; i < problem.words_bytes / 8; i += blockDim.x) {
      words[i] = 0;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
      problem.state->blocks_finished = 0;
      __threadfence();
      number = next;
    }
  }
  if (threadIdx.x == 0) {
    while (number != next) {
    }
    __threadfence();
    shared.call = 0;
  }
  __syncthreads();
}

}  // namespace upsweep::cuda::detail
