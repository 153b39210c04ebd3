// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread does with whole rows in shared memory.
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

  // Adds the thread's rows of a stage to the totals, which may be of none yet. Returns whether they are of any then.
  __device__ __forceinline__ bool reduce(const unsigned char *stage, int rows, Totals (&totals)[kAcross], bool has_any) const {
    int row = lane_.begin_of(lane_.rank, rows);
    const int end = lane_.begin_of(lane_.rank + 1, rows);
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

}  // namespace upsweep::cuda::detail
