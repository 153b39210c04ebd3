// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernel for many batches of whole rows without gaps works on. A block has batches of its own, and waits for no other:
// a batch, which lies in memory as one piece, comes to its shared memory in stages of a few rows.
#pragma once

#include <upsweep/cuda/device/axis_problem.cuh>
#include <upsweep/cuda/device/scan_pipeline.cuh>

namespace upsweep::cuda::detail {

// How the batches are cut; see axis_rows_launch.cuh. A pack is what a thread takes of a row at once.
struct RowsCut {
  std::uint64_t batches;
  int across;       // packs of a row
  int ranks;        // of threads that lie side by side, each with rows of its own
  int rank_rows;    // rows of a rank in a stage
  int stages;       // that a block has room for
  int loads_ahead;  // stages that are being loaded at once

  __host__ __device__ int stage_rows() const { return ranks * rank_rows; }
};

// kColumns  columns of a pack
// kAcross   packs of a thread in a row; if several, there is one rank
// kWarps    warps that scan; with one pack of a thread, as many that reduce, for the ranks
template <class Problem, int kColumns_, int kAcross_, int kWarps_>
struct RowsGeometry {
  using In = typename Problem::In;
  using Totals = Pack<typename Problem::T, kColumns_>;
  static constexpr int kColumns = kColumns_;
  static constexpr int kAcross = kAcross_;
  static constexpr int kPackBytes = kColumns * static_cast<int>(sizeof(In));

  static constexpr int kWarps = kWarps_;
  static constexpr int kRoleThreads = 32 * kWarps;
  static constexpr bool kMayRank = kAcross == 1;
  static constexpr int kReducer = kWarps;
  static constexpr int kLoader = kMayRank ? 2 * kWarps : kWarps;
  static constexpr int kStorer = kLoader + 1;
  static constexpr int kThreads = 32 * (kStorer + 1);
  static constexpr int kMostStages = 24;

  struct Barriers {
    Barrier full, reduced, scanned, empty;
  };

  // The copy engine is faster with whole lines of the cache: rows lie in a stage as far from one as in memory.
  static constexpr int kLineBytes = 128;
  __host__ __device__ static constexpr std::size_t aligned(std::size_t bytes) {
    return (bytes + kLineBytes - 1) / kLineBytes * kLineBytes;
  }
  static constexpr std::size_t kHeaderBytes = aligned(kMostStages * sizeof(Barriers));
  // With ranks, the totals of each follow the rows of a stage.
  __host__ __device__ static std::size_t stage_bytes(const RowsCut &cut) {
    return aligned(static_cast<std::size_t>(cut.stage_rows()) * cut.across * kPackBytes) + kLineBytes +
           (cut.ranks > 1 ? aligned(kRoleThreads * sizeof(Totals)) : 0);
  }
};

// Where things lie in a block's shared memory.
template <class Geometry>
struct RowsStorage {
  using Totals = typename Geometry::Totals;

  unsigned char *base;
  unsigned stage_bytes;

  __device__ __forceinline__ RowsStorage(unsigned char *shared, const RowsCut &cut)
      : base(shared), stage_bytes(static_cast<unsigned>(Geometry::stage_bytes(cut))) {}

  __device__ __forceinline__ typename Geometry::Barriers &barriers(int stage) const {
    return reinterpret_cast<typename Geometry::Barriers *>(base)[stage];
  }
  // Rows that are at `global` in memory.
  __device__ __forceinline__ unsigned char *rows(int stage, const void *global) const {
    return begin_of(stage) + reinterpret_cast<std::uintptr_t>(global) % Geometry::kLineBytes;
  }
  __device__ __forceinline__ Totals *rank_totals(int stage) const {
    return reinterpret_cast<Totals *>(begin_of(stage + 1) - Geometry::aligned(Geometry::kRoleThreads * sizeof(Totals)));
  }

private:
  __device__ __forceinline__ unsigned char *begin_of(int stage) const {
    return base + Geometry::kHeaderBytes + stage * stage_bytes;
  }
};

// The rows of one stage.
struct StageRows {
  std::uint64_t place;  // where they begin in the arrays, in elements
  int count;
  bool is_head;  // of their batch
};

// visit(stage rows) for all stages of the block's batches.
template <class Problem, class Visit>
__device__ __forceinline__ void for_stages(const Problem &problem, const RowsCut &cut, const Visit &visit) {
  const auto most = static_cast<std::uint64_t>(cut.stage_rows());
  for (std::uint64_t batch = blockIdx.x; batch < cut.batches; batch += gridDim.x) {
    for (std::uint64_t done = 0; done < problem.length; done += most) {
      const std::uint64_t left = problem.length - done;
      const std::uint64_t count = left < most ? left : most;
      const std::uint64_t row = Problem::kBackward ? left - count : done;
      visit(StageRows{(batch * problem.length + row) * problem.inner, static_cast<int>(count), done == 0});
    }
  }
}

// What a thread has of each row: packs of one or several columns, or none; and which rows of a stage.
template <class Geometry>
struct RowsLane {
  int rank, rank_rows, across;
  int packs[Geometry::kAcross];

  __device__ __forceinline__ RowsLane(const RowsCut &cut, int thread)
      : rank(Geometry::kMayRank ? thread / cut.across : 0), rank_rows(cut.rank_rows), across(cut.across) {
#pragma unroll
    for (int j = 0; j < Geometry::kAcross; ++j) {
      packs[j] = Geometry::kMayRank ? thread % cut.across : thread + j * Geometry::kRoleThreads;
    }
    if (rank >= cut.ranks) {
      packs[0] = cut.across;
    }
  }
  __device__ __forceinline__ bool is_in(int j) const { return packs[j] < across; }
  __device__ __forceinline__ int begin_of(int rank, int rows) const { return min(rank * rank_rows, rows); }
};

}  // namespace upsweep::cuda::detail
