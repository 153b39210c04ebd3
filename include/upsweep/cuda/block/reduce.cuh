// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduces a block's values: each thread reduces its own values, each warp its threads' totals, and then the warps' totals are
// reduced (storage.cuh chooses the warps). All threads get the result. It takes one barrier, or two if the last of more than 4
// warps is partial.
//
// T, kThreads, items, valid, rank, Op, calling, errors: as block_scan (block/scan.cuh).
// Storage    block_reduce<T, kThreads>::storage in shared memory, uninitialised; 2 * (warps + 1) * sizeof(T) bytes.
// Result     the total of the values in order, the same bit for bit in all threads and from run to run.
// Source     Hillis and Steele 1986 for the warps; document "GPU prefix sums" for the two levels.
//
//     using reduce = upsweep::cuda::block_reduce<float, 256>;
//     __shared__ reduce::storage storage;
//     const float most = reduce(storage).reduce(mine, upsweep::cuda::maximum{});
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/block/storage.cuh>
#include <upsweep/cuda/detail/warp_steps.cuh>

namespace upsweep::cuda {

template <class T, int kThreads>
class block_reduce {
  static_assert(detail::is_element<T>, "block_reduce: T must be trivially copyable and of at most 64 bytes");
  static_assert(kThreads >= 1 && kThreads <= 1024, "block_reduce: a block has 1 to 1024 threads");

  static constexpr int kWarps = (kThreads + detail::kWarpSize - 1) / detail::kWarpSize;
  static constexpr int kAll = 0x7fffffff;

public:
  using storage = detail::block_storage<T, kWarps>;

  __device__ __forceinline__ explicit block_reduce(storage &shared, int valid = kAll, int rank = threadIdx.x)
      : shared_(shared), valid_(valid), rank_(rank) {}

  // A single value for each thread.
  template <class Op = plus>
  __device__ __forceinline__ T reduce(T value, Op op = {}) {
    const T in[1] = {value};
    return reduce(in, op);
  }

  // kItems values a thread.
  template <int kItems, class Op = plus>
  __device__ __forceinline__ T reduce(const T (&in)[kItems], Op op = {}) {
    const bool full = valid_ == kAll;
    T sum = in[0];
#pragma unroll
    for (int i = 1; i < kItems; ++i) {
      if (full || rank_ * kItems + i < valid_) {
        sum = op(sum, in[i]);
      }
    }
    return combine(sum, full ? kThreads : (valid_ + kItems - 1) / kItems, op);
  }

private:
  // `threads`: the number of threads with a value.
  template <class Op>
  __device__ __forceinline__ T combine(const T &sum, int threads, Op op) {
    const int lane = rank_ % detail::kWarpSize;
    const int warp = rank_ / detail::kWarpSize;
    const int here = threads - warp * detail::kWarpSize;
    // Known to the compiler if all values count and all warps are whole.
    const bool whole = (threads == kThreads && kThreads % detail::kWarpSize == 0) || here >= detail::kWarpSize;
    const T total = detail::warp_total<detail::kWarpSize>(sum, op, whole ? detail::kWarpSize : here);
    if constexpr (kWarps == 1) {
      return total;
    } else {
      auto &slot = shared_.slots[slot_];
      slot_ ^= 1;
      if (lane == 0 && here > 0) {
        slot.totals.data()[warp] = total;
      }
      __syncthreads();
      return reduce_totals(slot, (threads + detail::kWarpSize - 1) / detail::kWarpSize, op);
    }
  }

  // `warps`: the number of warps with a total.
  template <class Op>
  __device__ __forceinline__ T reduce_totals(detail::block_slot<T, kWarps> &slot, int warps, Op op) const {
    constexpr int kWidth = detail::round_up_to_power_of_two(kWarps);
    const T *const totals = slot.totals.data();
    if constexpr (detail::kTotalsBy<kThreads> == detail::totals_by::kThread) {
      T result = totals[0];
#pragma unroll
      for (int w = 1; w < kWarps; ++w) {
        if (w < warps) {
          result = op(result, totals[w]);
        }
      }
      return result;
    } else if constexpr (detail::kTotalsBy<kThreads> == detail::totals_by::kWarp) {
      const int lane = detail::lane_of<kWidth>();
      return detail::warp_total<kWidth>(T(totals[lane < warps ? lane : 0]), op, warps);
    } else {
      if (rank_ < detail::kWarpSize) {
        const int lane = detail::lane_of<kWidth>();
        const T result = detail::warp_total<kWidth>(T(totals[lane < warps ? lane : 0]), op, warps);
        if (rank_ == 0) {
          *slot.seed.data() = result;
        }
      }
      __syncthreads();
      return *slot.seed.data();
    }
  }

  storage &shared_;
  int valid_;
  int rank_;
  int slot_ = 0;
};

}  // namespace upsweep::cuda
#endif
