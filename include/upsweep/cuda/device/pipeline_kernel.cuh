// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of all algorithms that read an array once: one block on each multiprocessor, whose warps have the roles of
// pipeline_stages.cuh. A problem's Work has the roles that differ: partial() makes the total of a tile, finish() makes results
// of the tile and the total of all tiles before it.
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/look_back.cuh>
#include <upsweep/cuda/device/pipeline_load.cuh>
#include <upsweep/cuda/device/segments.cuh>
#include <upsweep/cuda/device/tile_word.cuh>

namespace upsweep::cuda::detail {

// An operator on the totals of tiles.
template <class Problem>
__device__ __forceinline__ auto element_operator(const Problem &problem) {
  if constexpr (Problem::Segments::kSegmented) {
    return RunOperator<typename Problem::Op>{problem.op};
  } else {
    return problem.op;
  }
}

template <class Problem, class Geometry>
__device__ __forceinline__ void publish_tiles(const Problem &problem, ScanStorage<Geometry> storage, int stages) {
  using Element = typename Problem::Element;
  constexpr int kWidth = Geometry::kWarps <= 8 ? 8 : 16;
  const auto op = element_operator(problem);
  storage.header().knows_call.wait(0);
  const std::uint32_t tag = storage.header().call + 1;
  const int lane = lane_id();
  for_tiles(storage, stages, [&](auto &stage, RingPlace place) {
    stage.reduced.wait(place.parity);
    const Element total = warp_inclusive<kWidth>(stage.before_warp[lane < Geometry::kWarps ? lane : 0], op);
    if (lane == Geometry::kWarps - 1) {
      problem.words[TileWords<1>::place(static_cast<std::uint32_t>(stage.tile))].publish(total, tag);
    }
    const Element before = shuffle_up(total, 1);
    __syncwarp();
    if (lane > 0 && lane < Geometry::kWarps) {
      stage.before_warp[lane] = before;
    }
    arrive_as_warp(stage.published);
  });
}

// A warp initialises each stage, since the instruction takes an address that all lanes share. The code is short, since
// instructions that run once must still be fetched.
template <class Geometry>
__device__ __forceinline__ void initialise_barriers(ScanStorage<Geometry> storage, int stages, int warp) {
  if (lane_id() != 0) {
    return;
  }
  if (warp == 0) {
    storage.header().knows_call.initialise(1);
  }
#pragma unroll 1
  for (int i = warp; i < stages; i += Geometry::kThreads / 32) {
    auto &stage = storage.stage(i);
    stage.assigned.initialise(1);
    stage.full.initialise(Geometry::kLoadArrivals);
    stage.reduced.initialise(Geometry::kWarps * kWarpArrivals);
    stage.published.initialise(kWarpArrivals);
    stage.seeded.initialise(1);
    stage.empty.initialise(Geometry::kWarps * kWarpArrivals);
  }
  fence_barrier_initialisation();
}

template <class Problem, class Geometry>
__global__ void __launch_bounds__(Geometry::kThreads, 1)
    pipeline_kernel(const __grid_constant__ Problem problem, const int stages) {
  using Work = typename Problem::template Work<Geometry>;
  extern __shared__ __align__(128) unsigned char shared[];
  const ScanStorage<Geometry> storage{shared};
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const Tiling<Problem, Geometry> tiling(problem);
  initialise_barriers(storage, stages, warp);
  __syncthreads();

  if (warp < Geometry::kWarps) {
    Work::partial(problem, tiling, storage, stages, warp);
  } else if (warp < Geometry::kLoader) {
    Work::finish(problem, tiling, storage, stages, warp - Geometry::kWarps);
  } else if (warp < Geometry::kPublisher) {
    if constexpr (Geometry::kBulkIn) {
      load_in_bulk(problem, tiling, storage, stages, TileDrawer<Problem, Geometry>(problem, storage, stages));
    } else {
      load_by_element(problem, tiling, storage, stages, TileDrawer<Problem, Geometry>(problem, storage, stages),
                      warp - Geometry::kLoader);
    }
  } else if (warp == Geometry::kPublisher) {
    publish_tiles(problem, storage, stages);
  } else {
    storage.header().knows_call.wait(0);
    LookBackRole<Problem, Geometry, decltype(element_operator(problem))>(problem, storage, stages, element_operator(problem))
        .run();
  }
  if (tiling.tiles == 0 && blockIdx.x == 0 && threadIdx.x == 0) {
    Work::finish_none(problem);
  }
  storage.header().knows_call.wait(0);
  if (storage.header().call == kLastCall) {
    start_calls_anew(problem, storage.header().is_last_block);
  }
}

}  // namespace upsweep::cuda::detail
