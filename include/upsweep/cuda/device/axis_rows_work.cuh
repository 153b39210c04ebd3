// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's work on whole rows in shared memory.
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>
#include <upsweep/cuda/device/axis_rows.cuh>

namespace upsweep::cuda::detail {

// A thread's work on its rows of a stage.
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
  static constexpr int kAtOnce = Geometry::kRowsAtOnce;

public:
  __device__ __forceinline__ RowsWork(const Problem &problem, const RowsCut &cut, int thread)
      : problem_(problem), cut_(cut), lane_(cut, thread), initial_(Problem::kInitial ? problem.initial.get() : T()) {}

  __device__ __forceinline__ const Lane &lane() const { return lane_; }

  // Adds the thread's rows of a stage to the totals, which may be of no rows yet. Returns whether the totals then have rows.
  __device__ __forceinline__ bool reduce(const unsigned char *rows, const StageRows &stage, Totals (&totals)[kAcross],
                                         bool has_any) const {
    int row = lane_.begin_of(lane_.rank, stage.count);
    const int end = lane_.begin_of(lane_.rank + 1, stage.count);
    for (; row + kAtOnce <= end; row += kAtOnce) {
      PackIn packs[kAtOnce][kAcross];
      read<true>(rows, stage, row, packs);
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        add(packs[i], totals, has_any || i > 0);
      }
      has_any = true;
    }
#pragma unroll 1
    for (; row < end; ++row) {
      PackIn packs[1][kAcross];
      read<true>(rows, stage, row, packs);
      add(packs[0], totals, has_any);
      has_any = true;
    }
    return has_any;
  }

  // Scans the rows from `before`, if there is a total. `before` becomes the total before the next rows. The results may take
  // their place.
  __device__ __forceinline__ void scan(const unsigned char *rows, unsigned char *results, const StageRows &stage,
                                       Totals (&before)[kAcross], bool has_before) const {
    int row = lane_.begin_of(lane_.rank, stage.count);
    const int end = lane_.begin_of(lane_.rank + 1, stage.count);
    for (; row + kAtOnce <= end; row += kAtOnce) {
      PackIn packs[kAtOnce][kAcross];
      read<false>(rows, stage, row, packs);
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        go_on(results, stage, row + i, packs[i], before, has_before || i > 0);
      }
      has_before = true;
    }
#pragma unroll 1
    for (; row < end; ++row) {
      PackIn packs[1][kAcross];
      read<false>(rows, stage, row, packs);
      go_on(results, stage, row, packs[0], before, has_before);
      has_before = true;
    }
  }

  // The total before the first row of a batch, if there is one.
  __device__ __forceinline__ Totals initial() const {
    Totals totals;
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      totals.elements[c] = initial_;
    }
    return totals;
  }

private:
  // The place of a row of the stage among its rows.
  __device__ __forceinline__ static int place_of(const StageRows &stage, int row) {
    return Problem::kBackward ? stage.count - 1 - row : row;
  }
  // A loose row. If a thread has several packs of the row, it locates the row first, so that all packs are read together
  // (docs/decisions/clusters-exchange-totals.md).
  static constexpr bool kFindsRowFirst = Geometry::kLoose && kAcross > 1;
  template <class E, class Byte>
  __device__ __forceinline__ static auto loose_row(Byte *rows, const StageRows &stage, int row, int pitch) {
    using Element = std::conditional_t<std::is_const_v<Byte>, const E, E>;
    return reinterpret_cast<Element *>(rows + place_of(stage, row) * pitch);
  }
  // The place of a close row's pack, in bytes. A single expression makes the kernel that exchanges spill fewer registers.
  __device__ __forceinline__ int place_of(const StageRows &stage, int row, int j) const {
    return (place_of(stage, row) * lane_.across + lane_.packs[j]) * Geometry::kPackBytes;
  }

  // Whether a thread has a j-th pack, and the strip has such columns.
  __device__ __forceinline__ bool is_in(const StageRows &stage, int j) const {
    return lane_.is_in(j) && (!Geometry::kLoose || lane_.packs[j] * kColumns < stage.columns);
  }

  // All packs of the threads, or the packs within the strip.
  template <bool kAll, int kCount>
  __device__ __forceinline__ void read(const unsigned char *rows, const StageRows &stage, int row,
                                       PackIn (&packs)[kCount][kAcross]) const {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      [[maybe_unused]] const In *elements = kFindsRowFirst ? loose_row<In>(rows, stage, row + i, cut_.in_pitch) : nullptr;
#pragma unroll
      for (int j = 0; j < kAcross; ++j) {
        if (kAll ? lane_.is_in(j) : is_in(stage, j)) {
          if constexpr (Geometry::kLoose) {
            if constexpr (!kFindsRowFirst) {
              elements = loose_row<In>(rows, stage, row + i, cut_.in_pitch);
            }
            // Places behind the last column repeat it, so that totals come from elements.
            Pack<In, kColumns> pack;
#pragma unroll
            for (int c = 0; c < kColumns; ++c) {
              pack.elements[c] = elements[min(lane_.packs[j] * kColumns + c, stage.columns - 1)];
            }
            packs[i][j].put(pack);
          } else {
            packs[i][j].load(rows + place_of(stage, row + i, j));
          }
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
  __device__ __forceinline__ void go_on(unsigned char *rows, const StageRows &stage, int row, const PackIn (&packs)[kAcross],
                                        Totals (&before)[kAcross], bool has_before) const {
    [[maybe_unused]] Out *elements = kFindsRowFirst ? loose_row<Out>(rows, stage, row, cut_.out_pitch) : nullptr;
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
      if (is_in(stage, j)) {
        const Totals next = combined_packs(has_before, before[j], transformed(packs[j]), problem_.op);
        Pack<Out, kColumns> results;
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
          results.elements[c] = problem_.transform_out(Problem::kInclusive ? next.elements[c] : before[j].elements[c]);
        }
        if constexpr (Geometry::kLoose) {
          if constexpr (!kFindsRowFirst) {
            elements = loose_row<Out>(rows, stage, row, cut_.out_pitch);
          }
#pragma unroll
          for (int c = 0; c < kColumns; ++c) {
            if (lane_.packs[j] * kColumns + c < stage.columns) {
              elements[lane_.packs[j] * kColumns + c] = results.elements[c];
            }
          }
        } else {
          PackedColumns<Out, kColumns> packed;
          packed.put(results);
          packed.store(rows + place_of(stage, row, j));
        }
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
  const RowsCut &cut_;
  Lane lane_;
  T initial_;
};

}  // namespace upsweep::cuda::detail
