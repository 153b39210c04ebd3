// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader of a scan's pipeline: draws tiles and fills stages with them.
#pragma once

#include <upsweep/cuda/device/barrier.cuh>
#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/kernel_before.cuh>
#include <upsweep/cuda/device/pipeline_stages.cuh>
#include <upsweep/cuda/device/tuning_pipeline.cuh>

namespace upsweep::cuda::detail {

// Draws the tiles of a block, whose numbers are tickets: a block waits only for tiles of started blocks, so the blocks need not
// all be resident. A tile is drawn only when its stage is about to be free: until it is loaded, all later tiles of all blocks
// wait for it.
template <class Problem, class Geometry>
class TileDrawer {
public:
  __device__ __forceinline__ TileDrawer(const Problem &problem, ScanStorage<Geometry> storage, int stages)
      : problem_(problem), storage_(storage), stages_(stages) {}

  __device__ __forceinline__ unsigned first() {
    tell_call();
    return draw();
  }

  // The next ticket of the block, for the stage of `place`.
  __device__ __forceinline__ unsigned next(RingPlace place) {
    ++drawn_;
    // With fewer stages the barrier could be a phase ahead of the awaited phase.
    while (drawn_ - loaded_ >= TunedPipeline::kLoadsAhead || drawn_ - loaded_ >= stages_) {
      storage_.stage(loading_.stage).full.wait(loading_.parity);
      loading_.advance(stages_);
      ++loaded_;
    }
    if (drawn_ >= stages_) {
      storage_.stage(place.stage).seeded.wait(place.parity ^ 1);
    }
    return draw();
  }

  // Waits for the stage, and gives it to the tile of a ticket, or to none.
  __device__ __forceinline__ void assign(RingPlace place, unsigned ticket, std::int64_t tiles) {
    auto &stage = storage_.stage(place.stage);
    if (drawn_ >= stages_) {
      stage.empty.wait(place.parity ^ 1);
    }
    stage.tile = ticket < tiles ? static_cast<std::int64_t>(ticket) : kNoTile;
    if constexpr (Problem::Segments::kSegmented && !Problem::Segments::kMarked && !Problem::Segments::kListed) {
      stage.after_head = static_cast<std::uint64_t>(ticket) * Geometry::kTileItems % problem_.segments.length;
    }
  }

  // Called with the block's last ticket, which was for no tile. When all blocks have drawn such a ticket, the next call starts
  // anew.
  __device__ __forceinline__ void finish(unsigned ticket, std::int64_t tiles) {
    const std::uint32_t call = storage_.header().call;
    if (ticket == tiles + gridDim.x - 1 && call != kLastCall) {
      end_call(problem_.state, call + 1);
    }
  }

private:
  // The other roles need the number of the call before this role waits for their work. It stays unchanged until the last ticket
  // is drawn.
  __device__ __forceinline__ void tell_call() {
    const auto state = *static_cast<const volatile unsigned long long *>(&problem_.state->call_and_ticket);
    const auto call = static_cast<std::uint32_t>(state >> 32);
    check_workspace(problem_.state, call);
    storage_.header().call = call;
    storage_.header().knows_call.arrive();
  }
  __device__ __forceinline__ unsigned draw() {
    return static_cast<unsigned>(atomicAdd(&problem_.state->call_and_ticket, 1ull));
  }

  const Problem &problem_;
  ScanStorage<Geometry> storage_;
  int stages_;
  int drawn_ = 0, loaded_ = 0;
  RingPlace loading_;
};

// One warp copies elements [first, last) of an array to `to`.
template <class From, class To>
__device__ __forceinline__ void copy_elements(From from, To to, int first, int last) {
  for (int i = first + lane_id(); i < last; i += 32) {
    to[i] = from[i];
  }
}
// The same for the few elements that cannot be copied as whole vectors. The compiler would unroll the loop, which makes a third
// of a scan's code.
template <class From, class To>
__device__ __forceinline__ void copy_few_elements(From from, To to, int first, int last) {
#pragma unroll 1
  for (int i = first + lane_id(); i < last; i += 32) {
    to[i] = from[i];
  }
}

template <class Problem>
__device__ __forceinline__ auto problem_marks(const Problem &problem, std::int64_t first) {
  if constexpr (Problem::Segments::kMarked) {
    return problem.segments.marks + first / Problem::Segments::kItemsPerMark;
  } else {
    return static_cast<const typename Problem::Segments::Mark *>(nullptr);
  }
}

// Loads the heads of a tile, for a barrier that expects kHeadsBytes more. Incomplete tiles have all heads, too.
template <class Problem, class Geometry>
__device__ __forceinline__ void bulk_load_heads(const Problem &problem, ScanStorage<Geometry> storage, int stage,
                                                std::int64_t tile) {
  if constexpr (Geometry::kListed) {
    const auto *heads = static_cast<const unsigned char *>(problem.segments.heads);
    wait_for_kernel_before();
    bulk_load_last(storage.stage(stage).heads, heads + tile * Geometry::kHeadsBytes, Geometry::kHeadsBytes,
                   storage.stage(stage).full);
  }
}

// Copies the elements of an incomplete tile. Incomplete vectors at the begin and the end of a forward tile go element by
// element; backward tiles are whole vectors.
template <class Problem, class Geometry>
__device__ __forceinline__ void bulk_load_incomplete(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                     ScanStorage<Geometry> storage, int stage, std::int64_t tile) {
  using In = typename Problem::In;
  using Mark = typename Geometry::Mark;
  auto &barrier = storage.stage(stage).full;
  const int valid = tiling.valid(tile);
  const int end = Problem::kBackward ? Geometry::kTileItems : valid;
  const int from = Problem::kBackward ? Geometry::kTileItems - valid : tiling.vectors_of(tile);
  const In *source = problem.input + tiling.first(tile);
  In *places = reinterpret_cast<In *>(storage.tile(stage));
  const unsigned bytes = end > from ? static_cast<unsigned>((end - from) * sizeof(In)) / 16 * 16 : 0;
  const unsigned before_bytes = tile > 0 ? Geometry::kBytesBeforeTile : 0;  // then all vectors are whole from the first on
  const Mark *mark_source = problem_marks(problem, tiling.first(tile));
  Mark *marks = reinterpret_cast<Mark *>(storage.marks(stage) + 16);
  const int valid_marks = Geometry::marks_of(valid);
  const unsigned mark_bytes = Geometry::kMarked ? static_cast<unsigned>(valid_marks * sizeof(Mark)) / 16 * 16 : 0;
  if (lane_id() == 0) {
    // The barrier cannot be passed before its arrival below, even if the bytes arrive before they are expected.
    if (bytes + before_bytes > 0) {
      bulk_load(reinterpret_cast<unsigned char *>(places + from) - before_bytes,
                reinterpret_cast<const unsigned char *>(source + from) - before_bytes, bytes + before_bytes, barrier);
    }
    if (mark_bytes > 0) {
      bulk_load(marks, mark_source, mark_bytes, barrier);
    }
    bulk_load_heads(problem, storage, stage, tile);
  }
  if constexpr (Geometry::kMayLead) {
    copy_few_elements(source, places, tiling.lead_of(tile), min(from, end));
  }
  copy_few_elements(source, places, from + static_cast<int>(bytes / sizeof(In)), end);
  if constexpr (Geometry::kMarked) {
    copy_few_elements(mark_source, marks, static_cast<int>(mark_bytes / sizeof(Mark)), valid_marks);
    if (tile > 0 && lane_id() == 0) {
      marks[-1] = mark_source[-1];
    }
  }
  __syncwarp();
  if (lane_id() == 0) {
    barrier.arrive_and_expect(bytes + before_bytes + mark_bytes + Geometry::kHeadsBytes);
  }
  arrive_beside_first_lane(barrier);
}

template <class Problem, class Geometry>
__device__ __forceinline__ void bulk_load_complete(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                   ScanStorage<Geometry> storage, int stage, std::int64_t tile) {
  auto &barrier = storage.stage(stage).full;
  const std::int64_t first = tiling.first(tile);
  // The first tile has no vector of marks before it.
  const unsigned before = tile > 0 ? 16 : 0;
  const unsigned mark_bytes = Geometry::kMarked ? Geometry::kMarkBytes - 16 + before : 0;
  const unsigned before_tile = tile > 0 ? Geometry::kBytesBeforeTile : 0;
  barrier.arrive_and_expect(Geometry::kTileBytes + before_tile + mark_bytes + Geometry::kHeadsBytes);
  bulk_load(storage.tile(stage) - before_tile, reinterpret_cast<const unsigned char *>(problem.input + first) - before_tile,
            Geometry::kTileBytes + before_tile, barrier);
  if constexpr (Geometry::kMarked) {
    const auto *marks = reinterpret_cast<const unsigned char *>(problem_marks(problem, first));
    bulk_load(storage.marks(stage) + 16 - before, marks - before, mark_bytes, barrier);
  }
  bulk_load_heads(problem, storage, stage, tile);
}

// Called by one warp: runs load(stage, tile), which arrives at the stage's barrier, for each tile of the block.
template <class Problem, class Geometry, class Load>
__device__ __forceinline__ void draw_by_warp(ScanStorage<Geometry> storage, int stages, std::int64_t tiles,
                                             TileDrawer<Problem, Geometry> drawer, const Load &load) {
  unsigned ticket = lane_id() == 0 ? drawer.first() : 0;
  for (RingPlace place;; place.advance(stages)) {
    ticket = __shfl_sync(kAllLanes, ticket, 0);
    const bool is_tile = ticket < tiles;
    auto &stage = storage.stage(place.stage);
    if (lane_id() == 0) {
      drawer.assign(place, ticket, tiles);
    }
    __syncwarp();
    if (!is_tile) {
      arrive_beside_first_lane(stage.full);
      if (lane_id() == 0) {
        stage.full.arrive();
      }
      break;
    }
    load(place.stage, ticket);
    if (lane_id() == 0) {
      RingPlace next = place;
      next.advance(stages);
      ticket = drawer.next(next);
    }
  }
  if (lane_id() == 0) {
    drawer.finish(ticket, tiles);
  }
}

// A loader of one warp, which uses the copy engine.
template <class Problem, class Geometry>
__device__ __forceinline__ void load_in_bulk(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                             ScanStorage<Geometry> storage, int stages, TileDrawer<Problem, Geometry> drawer) {
  draw_by_warp(storage, stages, tiling.tiles, drawer, [&](int stage, unsigned tile) {
    if (tiling.valid(tile) < Geometry::kTileItems || tiling.lead_of(tile) > 0) {
      bulk_load_incomplete(problem, tiling, storage, stage, tile);
    } else {
      if (lane_id() == 0) {
        bulk_load_complete(problem, tiling, storage, stage, tile);
      }
      arrive_beside_first_lane(storage.stage(stage).full);
    }
  });
  if (lane_id() == 0) {
    if constexpr (Geometry::kListed) {
      wait_for_kernel_before();  // even without any tile: the next kernel waits for this one alone
    }
  }
}

// Copies an element from global to shared memory, without a register for it (sm_80 and newer).
template <class T>
__device__ __forceinline__ void copy_asynchronously(T *shared, const T *global) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(shared)), "l"(__cvta_generic_to_global(global)),
               "n"(sizeof(T))
               : "memory");
#else
  *shared = *global;
#endif
}

// The barrier gets one arrival of this thread when its copies so far have come.
__device__ __forceinline__ void arrive_after_copies(Barrier &barrier) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(&barrier)) : "memory");
#else
  barrier.arrive();
#endif
}

// A warp loads places [first, first + 32 * kAtOnce) of a tile, with kAtOnce loads in flight. Places outside [low, high) take
// the element at `low`.
template <int kAtOnce, class Iterator, class T>
__device__ __forceinline__ void load_elements(Iterator from, T *to, int first, int low, int high) {
  if constexpr (std::is_pointer_v<Iterator> && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                alignof(T) == sizeof(T)) {
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int place = first + i * 32 + lane_id();
      copy_asynchronously(to + place, from + (place >= low && place < high ? place : low));
    }
  } else {
    T elements[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int place = first + i * 32 + lane_id();
      elements[i] = from[place >= low && place < high ? place : low];
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      to[first + i * 32 + lane_id()] = elements[i];
    }
  }
}

// Loads a whole tile in this way, by loader `loader` of kLoaders warps.
template <int kLoaders, class Iterator, class T>
__device__ __forceinline__ void load_all_elements(Iterator from, T *to, int items, int loader, int low, int high) {
  constexpr int kAtOnce = sizeof(T) <= 2 ? 16 : sizeof(T) <= 4 ? 8 : sizeof(T) <= 16 ? 4 : 1;
  constexpr int kChunk = 32 * kAtOnce;
  int chunk = loader * kChunk;
  for (; chunk + kChunk <= items; chunk += kLoaders * kChunk) {
    load_elements<kAtOnce>(from, to, chunk, low, high);
  }
  for (; chunk < items; chunk += 32) {
    load_elements<1>(from, to, chunk, low, high);
  }
}

// Called by several warps: runs load(stage, tile) for each tile of the block, and then waits for its copies.
template <class Problem, class Geometry, class Load>
__device__ __forceinline__ void draw_by_warps(ScanStorage<Geometry> storage, int stages, std::int64_t tiles,
                                              TileDrawer<Problem, Geometry> drawer, int loader, const Load &load) {
  const bool is_first = loader == 0 && lane_id() == 0;
  unsigned ticket = is_first ? drawer.first() : 0;
  for (RingPlace place;; place.advance(stages)) {
    auto &stage = storage.stage(place.stage);
    if (is_first) {
      drawer.assign(place, ticket, tiles);
      stage.assigned.arrive();
    }
    stage.assigned.wait(place.parity);
    const std::int64_t tile = stage.tile;
    if (tile == kNoTile) {
      stage.full.arrive();
      break;
    }
    load(place.stage, tile);
    arrive_after_copies(stage.full);
    if (is_first) {
      RingPlace next = place;
      next.advance(stages);
      ticket = drawer.next(next);
    }
  }
  if (is_first) {
    drawer.finish(ticket, tiles);
  }
}

// Several warps that load element by element: any iterator, any alignment, any GPU.
template <class Problem, class Geometry>
__device__ __forceinline__ void load_by_element(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                ScanStorage<Geometry> storage, int stages, TileDrawer<Problem, Geometry> drawer,
                                                int loader) {
  draw_by_warps(storage, stages, tiling.tiles, drawer, loader, [&](int stage, std::int64_t tile) {
    const std::int64_t first = tiling.first(tile);
    const int valid = tiling.valid(tile);
    const int low = Problem::kBackward ? Geometry::kTileItems - valid : 0;
    const int high = low + valid;
    auto *places = reinterpret_cast<typename Problem::In *>(storage.tile(stage));
    load_all_elements<Geometry::kLoaders>(problem.input + first, places, Geometry::kTileItems, loader, low, high);
    if constexpr (Geometry::kBytesBeforeTile > 0) {
      if (tile > 0 && loader == 0 && lane_id() == 0) {
        places[-1] = problem.input[first - 1];
      }
    }
    if constexpr (Geometry::kMarked) {
      auto *marks = reinterpret_cast<typename Geometry::Mark *>(storage.marks(stage) + Geometry::kBytesBeforeMarks);
      const int before = tile > 0 ? -1 : 0;
      const auto source = problem_marks(problem, first);
      for (int i = before + loader * 32 + lane_id(); i < Geometry::marks_of(high); i += 32 * Geometry::kLoaders) {
        marks[i] = source[i];
      }
    }
    if constexpr (Geometry::kListed) {
      const auto *heads = static_cast<const typename Geometry::Heads *>(problem.segments.heads) + tile * Geometry::kSlices;
      for (int i = loader * 32 + lane_id(); i < Geometry::kSlices; i += 32 * Geometry::kLoaders) {
        storage.stage(stage).heads[i] = heads[i];
      }
    }
  });
}

}  // namespace upsweep::cuda::detail
