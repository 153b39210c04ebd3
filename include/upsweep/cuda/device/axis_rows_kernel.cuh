// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel for many batches of whole rows: one block on each multiprocessor, whose warps have roles.
//
//   loader    has the stages of the block's batches loaded
//   reducers  add up the rows of each rank, if there are several
//   scanners  scan the rows in place, with the totals of the columns in registers
//   storer    has them stored
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>
#include <upsweep/cuda/device/axis_rows.cuh>

namespace upsweep::cuda::detail {

// What a thread does with its rows of a stage.
template <class Problem, class Geometry>
class RowsWork {
  using T = typename Problem::T;
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  using Totals = typename Geometry::Totals;
  using Lane = RowsLane<Geometry>;
  using PackIn = PackedColumns<In, Geometry::kColumns>;
  static constexpr int kColumns = Geometry::kColumns;
  static constexpr int kAcross = Geometry::kAcross;
  // Rows that are read before the first one is gone on with, since what is written then could be they.
  static constexpr int kAtOnce = kAcross == 1 ? 8 : sizeof(T) * kColumns <= 4 ? 4 : 2;

public:
  __device__ __forceinline__ RowsWork(const Problem &problem, const RowsCut &cut, int thread)
      : problem_(problem), lane_(cut, thread), initial_(Problem::kInitial ? problem.initial.get() : T()) {}

  __device__ __forceinline__ const Lane &lane() const { return lane_; }

  // The totals of the thread's rows of a stage: false if it has none.
  __device__ __forceinline__ bool reduce(const unsigned char *stage, int rows, Totals (&totals)[kAcross]) const {
    int row = lane_.begin_of(lane_.rank, rows);
    const int end = lane_.begin_of(lane_.rank + 1, rows);
    bool has_any = false;
    for (; row + kAtOnce <= end; row += kAtOnce) {
      PackIn packs[kAtOnce][kAcross];
      read(stage, row, rows, packs);
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        add(packs[i], totals, has_any || i > 0);
      }
      has_any = true;
    }
#pragma unroll 1
    for (; row < end; ++row) {
      PackIn packs[1][kAcross];
      read(stage, row, rows, packs);
      add(packs[0], totals, has_any);
      has_any = true;
    }
    return has_any;
  }

  // Scans them from `before`, if that is anything, which becomes what is before the next rows.
  __device__ __forceinline__ void scan(unsigned char *stage, int rows, Totals (&before)[kAcross], bool has_before) const {
    int row = lane_.begin_of(lane_.rank, rows);
    const int end = lane_.begin_of(lane_.rank + 1, rows);
    for (; row + kAtOnce <= end; row += kAtOnce) {
      PackIn packs[kAtOnce][kAcross];
      read(stage, row, rows, packs);
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        go_on(stage, row + i, rows, packs[i], before, has_before || i > 0);
      }
      has_before = true;
    }
#pragma unroll 1
    for (; row < end; ++row) {
      PackIn packs[1][kAcross];
      read(stage, row, rows, packs);
      go_on(stage, row, rows, packs[0], before, has_before);
      has_before = true;
    }
  }

  // What is before the first row of a batch, if that is anything.
  __device__ __forceinline__ Totals initial() const {
    Totals totals;
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      totals.elements[c] = initial_;
    }
    return totals;
  }

private:
  __device__ __forceinline__ int place(int row, int rows, int j) const {
    return (Problem::kBackward ? rows - 1 - row : row) * lane_.across + lane_.packs[j];
  }
  template <int kCount>
  __device__ __forceinline__ void read(const unsigned char *stage, int row, int rows, PackIn (&packs)[kCount][kAcross]) const {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
#pragma unroll
      for (int j = 0; j < kAcross; ++j) {
        if (lane_.is_in(j)) {
          packs[i][j].load(stage + place(row + i, rows, j) * Geometry::kPackBytes);
        }
      }
    }
  }
  __device__ __forceinline__ void add(const PackIn (&packs)[kAcross], Totals (&totals)[kAcross], bool has_any) const {
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
      if (lane_.is_in(j)) {
        totals[j] = combined_packs(has_any, totals[j], transformed(packs[j]), problem_.op);
      }
    }
  }
  __device__ __forceinline__ void go_on(unsigned char *stage, int row, int rows, const PackIn (&packs)[kAcross],
                                        Totals (&before)[kAcross], bool has_before) const {
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
      if (lane_.is_in(j)) {
        const Totals next = combined_packs(has_before, before[j], transformed(packs[j]), problem_.op);
        Pack<Out, kColumns> results;
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
          results.elements[c] = problem_.transform_out(Problem::kInclusive ? next.elements[c] : before[j].elements[c]);
        }
        PackedColumns<Out, kColumns> packed;
        packed.put(results);
        packed.store(stage + place(row, rows, j) * Geometry::kPackBytes);
        before[j] = next;
      }
    }
  }
  __device__ __forceinline__ Totals transformed(const PackIn &packed) const {
    const Pack<In, kColumns> pack = packed.get();
    Totals totals;
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      totals.elements[c] = problem_.transform_in(pack.elements[c]);
    }
    return totals;
  }

  const Problem &problem_;
  Lane lane_;
  T initial_;
};

// copy(offset, bytes) for a stage: up to the first line of the cache, and from there.
template <class Geometry, class Copy>
__device__ __forceinline__ void copy_by_lines(const void *global, unsigned bytes, const Copy &copy) {
  const unsigned past = reinterpret_cast<std::uintptr_t>(global) % Geometry::kLineBytes;
  const unsigned before = past > 0 ? min(Geometry::kLineBytes - past, bytes) : 0;
  if (before > 0) {
    copy(0u, before);
  }
  if (bytes > before) {
    copy(before, bytes - before);
  }
}

template <class Problem, class Geometry>
__device__ __forceinline__ void load_rows(const Problem &problem, const RowsCut &cut, RowsStorage<Geometry> storage) {
  RingPlace place, loading;
  std::uint64_t loaded = 0;
  for_stages(problem, cut, [&](const StageRows &stage) {
    auto &barriers = storage.barriers(place.stage);
    if (loaded >= static_cast<std::uint64_t>(cut.stages)) {
      barriers.empty.wait(place.parity ^ 1);
    }
    if (loaded >= static_cast<std::uint64_t>(cut.loads_ahead)) {
      storage.barriers(loading.stage).full.wait(loading.parity);
      loading.advance(cut.stages);
    }
    const unsigned bytes = stage.count * cut.across * Geometry::kPackBytes;
    const auto *source = reinterpret_cast<const unsigned char *>(problem.input + stage.place);
    // As far from a line as the results, which are stored from there.
    unsigned char *const rows = storage.rows(place.stage, problem.output + stage.place);
    barriers.full.arrive_and_expect(bytes);
    copy_by_lines<Geometry>(source, bytes, [&](unsigned offset, unsigned count) {
      bulk_load(rows + offset, source + offset, count, barriers.full);
    });
    ++loaded;
    place.advance(cut.stages);
  });
}

template <class Problem, class Geometry>
__device__ __forceinline__ void reduce_ranks(const Problem &problem, const RowsCut &cut, RowsStorage<Geometry> storage,
                                             int thread) {
  using Totals = typename Geometry::Totals;
  const RowsWork<Problem, Geometry> work(problem, cut, thread);
  RingPlace place;
  for_stages(problem, cut, [&](const StageRows &stage) {
    auto &barriers = storage.barriers(place.stage);
    barriers.full.wait(place.parity);
    Totals totals[Geometry::kAcross];
    if (work.reduce(storage.rows(place.stage, problem.output + stage.place), stage.count, totals)) {
      storage.rank_totals(place.stage)[thread] = totals[0];
    }
    arrive_as_warp(barriers.reduced);
    place.advance(cut.stages);
  });
}

template <class Problem, class Geometry>
__device__ __forceinline__ void scan_rows(const Problem &problem, const RowsCut &cut, RowsStorage<Geometry> storage,
                                          int thread) {
  using Totals = typename Geometry::Totals;
  const RowsWork<Problem, Geometry> work(problem, cut, thread);
  const auto &lane = work.lane();
  Totals before[Geometry::kAcross];
  bool has_before = false;
  RingPlace place;
  for_stages(problem, cut, [&](const StageRows &stage) {
    auto &barriers = storage.barriers(place.stage);
    unsigned char *const rows = storage.rows(place.stage, problem.output + stage.place);
    if (stage.is_head) {
#pragma unroll
      for (int j = 0; j < Geometry::kAcross; ++j) {
        before[j] = work.initial();
      }
      has_before = Problem::kInitial;
    }
    barriers.full.wait(place.parity);
    if (!Geometry::kMayRank || cut.ranks == 1) {
      work.scan(rows, stage.count, before, has_before);
      has_before = true;
    } else {
      barriers.reduced.wait(place.parity);
      if (lane.is_in(0)) {
        // From behind the ranks before; what is before the next stage is behind all.
        const Totals *const rank_totals = storage.rank_totals(place.stage);
        Totals own[Geometry::kAcross] = {before[0]};
        bool has_own = has_before;
        for (int rank = 0; rank < cut.ranks && lane.begin_of(rank, stage.count) < stage.count; ++rank) {
          if (rank == lane.rank) {
            own[0] = before[0];
            has_own = has_before;
          }
          before[0] = combined_packs(has_before, before[0], rank_totals[rank * cut.across + lane.packs[0]], problem.op);
          has_before = true;
        }
        work.scan(rows, stage.count, own, has_own);
      }
    }
    fence_before_bulk_store();
    arrive_as_warp(barriers.scanned);
    place.advance(cut.stages);
  });
}

template <class Problem, class Geometry>
__device__ __forceinline__ void store_rows(const Problem &problem, const RowsCut &cut, RowsStorage<Geometry> storage) {
  RingPlace place, occupied;  // the next one, and the first that may still be read
  bool is_occupied = false;
  const auto free_one = [&] {
    storage.barriers(occupied.stage).empty.arrive();
    occupied.advance(cut.stages);
  };
  for_stages(problem, cut, [&](const StageRows &stage) {
    storage.barriers(place.stage).scanned.wait(place.parity);
    auto *const to = reinterpret_cast<unsigned char *>(problem.output + stage.place);
    const unsigned char *const rows = storage.rows(place.stage, to);
    copy_by_lines<Geometry>(to, stage.count * cut.across * Geometry::kPackBytes,
                            [&](unsigned offset, unsigned count) { bulk_store(to + offset, rows + offset, count); });
    commit_bulk_stores();
    place.advance(cut.stages);
    // A stage is free when the copy engine has read it, which is not waited for if the next one can be stored meanwhile.
    const bool is_next_here = storage.barriers(place.stage).scanned.has_ended(place.parity);
    if (is_next_here) {
      wait_for_bulk_reads<1>();
    } else {
      wait_for_bulk_reads<0>();
      free_one();
    }
    if (is_occupied) {
      free_one();
    }
    is_occupied = is_next_here;
  });
  wait_for_bulk_reads<0>();
}

template <class Problem, class Geometry>
__global__ void __launch_bounds__(Geometry::kThreads, 1)
    axis_rows_kernel(const __grid_constant__ Problem problem, const __grid_constant__ RowsCut cut) {
  extern __shared__ __align__(128) unsigned char shared[];
  const RowsStorage<Geometry> storage(shared, cut);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (lane_id() == 0) {
    // One warp's lane for each stage: the instruction takes an address that all lanes share.
    for (int stage = warp; stage < cut.stages; stage += Geometry::kThreads / 32) {
      auto &barriers = storage.barriers(stage);
      barriers.full.initialise(1);
      barriers.reduced.initialise(Geometry::kWarps * kWarpArrivals);
      barriers.scanned.initialise(Geometry::kWarps * kWarpArrivals);
      barriers.empty.initialise(1);
    }
    fence_barrier_initialisation();
  }
  __syncthreads();

  const int thread = static_cast<int>(threadIdx.x) % Geometry::kRoleThreads;
  if (warp < Geometry::kReducer) {
    scan_rows(problem, cut, storage, thread);
  } else if (warp < Geometry::kLoader) {
    if (cut.ranks > 1) {
      reduce_ranks(problem, cut, storage, thread);
    }
  } else if (lane_id() == 0) {
    if (warp == Geometry::kLoader) {
      load_rows(problem, cut, storage);
    } else {
      store_rows(problem, cut, storage);
    }
  }
}

}  // namespace upsweep::cuda::detail
