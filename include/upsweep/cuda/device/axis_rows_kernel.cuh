// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel for whole rows: one block on each multiprocessor, whose warps have roles.
//
//   loader      has the stages of the block's tiles loaded; several if rows are loose
//   reducers    add up the rows of each rank if there are several ranks, and the rows of tiles if batches are cut
//   exchangers  get the totals before tiles, then
//   scanners    scan the rows in place, with the totals of the columns in registers
//   storer      has them stored; several if rows are loose
#pragma once

#include <upsweep/cuda/device/axis_rows_copy.cuh>
#include <upsweep/cuda/device/axis_rows_exchange.cuh>
#include <upsweep/cuda/device/cluster.cuh>

namespace upsweep::cuda::detail {

template <class Problem, class Geometry>
__device__ __forceinline__ void reduce_rows(const Problem &problem, const RowsCut &cut, RowsStorage<Geometry> storage,
                                            int thread) {
  using Totals = typename Geometry::Totals;
  const RowsWork<Problem, Geometry> work(problem, cut, thread);
  const auto &lane = work.lane();
  const RowsCluster<Geometry> cluster(cut, storage);
  Totals totals[Geometry::kAcross];  // of the tile
  bool has_any = false;
  RingPlace place;
  for_stages(problem, cut, storage, [&](const StageRows &stage) {
    auto &barriers = storage.barriers(place.stage);
    const unsigned char *const rows = storage.rows(cut, place.stage, problem.input + stage.from, problem.output + stage.to);
    has_any = has_any && !stage.is_first;
    barriers.full.wait(place.parity);
    if (!Geometry::kMayRank || cut.ranks == 1) {
      has_any = work.reduce(rows, stage, totals, has_any);
    } else {
      Totals of_rank[Geometry::kAcross];
      Totals *const rank_totals = storage.rank_totals(place.stage);
      if (work.reduce(rows, stage, of_rank, false)) {
        rank_totals[thread] = of_rank[0];
      }
      if constexpr (Geometry::kExchange) {
        synchronise_warps(kReducersBarrier, Geometry::kRoleThreads);
        if (lane.rank == 0 && lane.is_in(0)) {
          for (int rank = 0; rank < cut.ranks && lane.begin_of(rank, stage.count) < stage.count; ++rank) {
            totals[0] = combined_packs(has_any, totals[0], rank_totals[rank * cut.across + lane.packs[0]], problem.op);
            has_any = true;
          }
        }
      }
    }
    arrive_as_warp(barriers.reduced);
    place.advance(cut.stages);
    if constexpr (Geometry::kExchange) {
      if (stage.is_last) {
        constexpr int kSlots = Geometry::kSlots;
        const int slot = static_cast<int>(stage.wave % kSlots);
        if (stage.wave >= kSlots) {
          storage.exchange().seeded[slot].wait((stage.wave / kSlots - 1) % 2);
        }
#pragma unroll
        for (int j = 0; j < Geometry::kAcross; ++j) {
          if (lane.rank == 0 && lane.is_in(j)) {
            cluster.tile_total(slot, lane.packs[j]) = totals[j];
          }
        }
        fence_before_bulk_store();
        synchronise_warps(kReducersBarrier, Geometry::kRoleThreads);
        cluster.send_totals(stage.wave, thread);
      }
    }
  });
}

// The totals before a stage, if they differ from the totals behind the previous stage.
template <class Problem, class Geometry>
__device__ __forceinline__ void seed_stage(const Problem &problem, const RowsWork<Problem, Geometry> &work,
                                           const RowsSeeds<Geometry> &seeds, const StageRows &stage,
                                           typename Geometry::Totals (&before)[Geometry::kAcross], bool &has_before) {
  if constexpr (Geometry::kExchange) {
    if (stage.is_first) {
      seeds.get(stage.wave, before);
      has_before = true;
      if (Problem::kInitial && !stage.is_head) {
        // The totals do not include the initial value.
#pragma unroll
        for (int j = 0; j < Geometry::kAcross; ++j) {
          if (work.lane().is_in(j)) {
            before[j] = combined_packs(true, work.initial(), before[j], problem.op);
          }
        }
      }
    }
  }
  if (stage.is_head) {
#pragma unroll
    for (int j = 0; j < Geometry::kAcross; ++j) {
      before[j] = work.initial();
    }
    has_before = Problem::kInitial;
  }
}

template <class Problem, class Geometry>
__device__ __forceinline__ void scan_rows(const Problem &problem, const RowsCut &cut, RowsStorage<Geometry> storage,
                                          int thread) {
  using Totals = typename Geometry::Totals;
  const RowsWork<Problem, Geometry> work(problem, cut, thread);
  const auto &lane = work.lane();
  const RowsSeeds<Geometry> seeds(cut, storage, lane, thread);
  Totals before[Geometry::kAcross];
  bool has_before = false;
  RingPlace place, result,
      storing;  // the next stage, the next place of results, and the stage whose results may still be there
  int occupied = 0;
  for_stages(problem, cut, storage, [&](const StageRows &stage) {
    auto &barriers = storage.barriers(place.stage);
    unsigned char *const rows = storage.rows(cut, place.stage, problem.input + stage.from, problem.output + stage.to);
    seed_stage(problem, work, seeds, stage, before, has_before);
    barriers.full.wait(place.parity);
    if (Geometry::kExchange || (Geometry::kMayRank && cut.ranks > 1)) {
      barriers.reduced.wait(place.parity);
    }
    unsigned char *results = rows;
    if (Geometry::kLoose && cut.result_stages > 0) {
      if (occupied == cut.result_stages) {
        storage.barriers(storing.stage).empty.wait(storing.parity);
        storing.advance(cut.stages);
      } else {
        ++occupied;
      }
      results = storage.results(cut, result.stage, problem.output + stage.to);
      result.advance(cut.result_stages);
    }
    if (!Geometry::kMayRank || cut.ranks == 1) {
      work.scan(rows, results, stage, before, has_before);
      has_before = true;
    } else if (lane.is_in(0)) {
      // Starts behind the previous ranks. The total before the next stage is the total behind all ranks.
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
      work.scan(rows, results, stage, own, has_own);
    }
    fence_before_bulk_store();
    arrive_as_warp(barriers.scanned);
    place.advance(cut.stages);
  });
}

template <class Problem, class Geometry>
__global__ void __launch_bounds__(Geometry::kThreads, 1)
    axis_rows_kernel(const __grid_constant__ Problem problem, const __grid_constant__ RowsCut cut) {
  extern __shared__ __align__(128) unsigned char shared[];
  const RowsStorage<Geometry> storage(shared, cut);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  if (lane_id() == 0) {
    // A warp has a lane for each stage: the instruction takes an address that all lanes share.
    for (int stage = warp; stage < cut.stages; stage += Geometry::kThreads / 32) {
      auto &barriers = storage.barriers(stage);
      barriers.full.initialise(Geometry::kLoose ? 32 * Geometry::kCopiers : 1);
      barriers.reduced.initialise(Geometry::kWarps * kWarpArrivals);
      barriers.scanned.initialise(Geometry::kWarps * kWarpArrivals);
      barriers.empty.initialise(Geometry::kLoose ? kWarpArrivals * Geometry::kCopiers : 1);
    }
    fence_barrier_initialisation();
  }
  if constexpr (Geometry::kExchange) {
    begin_rows_call(problem, cut, storage);
    if (storage.exchange().place >= storage.exchange().clusters) {
      return;  // all blocks of the cluster are too late for the roll call
    }
  } else {
    __syncthreads();
  }

  const int thread = static_cast<int>(threadIdx.x) % Geometry::kRoleThreads;
  if (warp < Geometry::kReducer) {
    scan_rows(problem, cut, storage, thread);
  } else if (warp < Geometry::kExchanger) {
    if (Geometry::kExchange || cut.ranks > 1) {
      reduce_rows(problem, cut, storage, thread);
    }
  } else if (warp < Geometry::kLoader) {
    if constexpr (Geometry::kExchange) {
      RowsExchange<Problem, Geometry>(problem, cut, storage, thread).run();
    }
  } else if (Geometry::kLoose || lane_id() == 0) {
    if (warp < Geometry::kStorer) {
      load_rows(problem, cut, storage, warp - Geometry::kLoader);
    } else {
      store_rows(problem, cut, storage, warp - Geometry::kStorer);
    }
  }
  if constexpr (Geometry::kExchange) {
    // No block ends while others read from it.
    __syncwarp();
    synchronise_cluster();
  }
}

}  // namespace upsweep::cuda::detail
