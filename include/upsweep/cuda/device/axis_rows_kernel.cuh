// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel for whole rows: one block on each multiprocessor, whose warps have roles.
//
//   loader      has the stages of the block's tiles loaded
//   reducers    add up the rows of each rank, if there are several, and those of tiles, if batches are cut
//   exchangers  get what is before tiles, then
//   scanners    scan the rows in place, with the totals of the columns in registers
//   storer      has them stored
#pragma once

#include <upsweep/cuda/device/axis_pace.cuh>
#include <upsweep/cuda/device/axis_rows_exchange.cuh>

namespace upsweep::cuda::detail {

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
  // Blocks that exchange totals are kept together by that.
  Pacer pacer(*problem.state, Geometry::kExchange ? 0 : most_paced_stages(cut));
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
    pacer.wait();
    barriers.full.arrive_and_expect(bytes);
    copy_by_lines<Geometry>(source, bytes, [&](unsigned offset, unsigned count) {
      bulk_load(rows + offset, source + offset, count, barriers.full);
    });
    pacer.begin();
    ++loaded;
    place.advance(cut.stages);
  });
  pacer.finish();
}

template <class Problem, class Geometry>
__device__ __forceinline__ void reduce_rows(const Problem &problem, const RowsCut &cut, RowsStorage<Geometry> storage,
                                            int thread) {
  using Totals = typename Geometry::Totals;
  const RowsWork<Problem, Geometry> work(problem, cut, thread);
  const auto &lane = work.lane();
  const RowsWords<Geometry> words(problem.words, cut);
  Totals totals[Geometry::kAcross];  // of the tile
  bool has_any = false;
  RingPlace place;
  for_stages(problem, cut, [&](const StageRows &stage) {
    auto &barriers = storage.barriers(place.stage);
    const unsigned char *const rows = storage.rows(place.stage, problem.output + stage.place);
    has_any = has_any && !stage.is_first;
    barriers.full.wait(place.parity);
    if (!Geometry::kMayRank || cut.ranks == 1) {
      has_any = work.reduce(rows, stage.count, totals, has_any);
    } else {
      Totals of_rank[Geometry::kAcross];
      Totals *const rank_totals = storage.rank_totals(place.stage);
      if (work.reduce(rows, stage.count, of_rank, false)) {
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
      // Threads that publish wait: without their totals no wave ends, and so they are never a phase behind.
      if (stage.is_last && lane.rank == 0 && lane.is_in(0)) {
        auto &exchange = storage.exchange();
        constexpr int kWaves = Geometry::kWaves;
        if (stage.wave >= kWaves) {
          exchange.seeded[stage.wave % kWaves].wait((stage.wave / kWaves - 1) % 2);
        }
#pragma unroll
        for (int j = 0; j < Geometry::kAcross; ++j) {
          if (lane.is_in(j)) {
            words.total(stage.wave, static_cast<int>(blockIdx.x), lane.packs[j] / kSlicePacks, lane.packs[j] % kSlicePacks)
                .publish(totals[j], tag_of_wave(exchange.call, stage.wave));
          }
        }
      }
      __syncwarp();
    }
  });
}

template <class Problem, class Geometry>
__device__ __forceinline__ void scan_rows(const Problem &problem, const RowsCut &cut, RowsStorage<Geometry> storage,
                                          int thread) {
  using Totals = typename Geometry::Totals;
  const RowsWork<Problem, Geometry> work(problem, cut, thread);
  const auto &lane = work.lane();
  const RowsWords<Geometry> words(problem.words, cut);
  RowsSeeds<Geometry> seeds(storage, words, lane);
  Totals before[Geometry::kAcross];
  bool has_before = false;
  RingPlace place;
  for_stages(problem, cut, [&](const StageRows &stage) {
    auto &barriers = storage.barriers(place.stage);
    unsigned char *const rows = storage.rows(place.stage, problem.output + stage.place);
    if constexpr (Geometry::kExchange) {
      if (stage.is_first) {
        if (stage.wave == 0) {
          seeds.ask(0);
        }
        seeds.get(stage.wave, before);
        has_before = true;
        if (Problem::kInitial && !stage.is_head) {
          // The words are of elements alone.
#pragma unroll
          for (int j = 0; j < Geometry::kAcross; ++j) {
            if (lane.is_in(j)) {
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
    barriers.full.wait(place.parity);
    if (Geometry::kExchange || (Geometry::kMayRank && cut.ranks > 1)) {
      barriers.reduced.wait(place.parity);
    }
    if constexpr (Geometry::kExchange) {
      if (stage.is_last) {
        seeds.ask(stage.wave + 1);
      }
    }
    if (!Geometry::kMayRank || cut.ranks == 1) {
      work.scan(rows, stage.count, before, has_before);
      has_before = true;
    } else if (lane.is_in(0)) {
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
    if constexpr (Geometry::kExchange) {
      if (warp == 0) {
        for (Barrier &seeded : storage.exchange().seeded) {
          seeded.initialise(Geometry::kWarps * kWarpArrivals);
        }
      }
    }
    fence_barrier_initialisation();
  }
  if constexpr (Geometry::kExchange) {
    begin_rows_call<Problem, Geometry>(problem, cut, storage.exchange());
  }
  __syncthreads();

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
  } else if (lane_id() == 0) {
    if (warp == Geometry::kLoader) {
      load_rows(problem, cut, storage);
    } else {
      store_rows(problem, cut, storage);
    }
  }
}

}  // namespace upsweep::cuda::detail
