// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scan of a block's values: each thread reduces its own, each warp scans its threads, and then the warps' totals are
// scanned (storage.cuh says by which warps). It takes one barrier, or two if the last of more than 4 warps is partial.
//
// T          any trivially copyable type of up to 64 bytes; it needs no default constructor.
// kThreads   threads of the block, 1 to 1024, exactly as launched. Any number: the last warp may be partial.
// Items      A thread holds a value, or an array of kItems values. Values are ordered by thread, then by item (blocked
//            arrangement): item j of thread t is value t * kItems + j.
// valid      the number of valid values of the block, from the first on; at least 1. The operator may see the other values, but
//            no valid result depends on them. Results at their places are unspecified.
// rank       the thread's number in the block: threadIdx.x, or its linearisation in more dimensions. Each 32 consecutive ranks
//            from a multiple of 32 on must be a warp, as in the order of threadIdx.
// Op         associative; it need not commute.
// Calling    All threads of the block call together, each with its own object. Calls on one object may follow each other
//            with no barrier between. Call __syncthreads() before another object, or other code, uses the storage. A call does
//            not order the caller's earlier writes to shared memory.
// Storage    block_scan<T, kThreads>::storage in shared memory, uninitialised; 2 * (warps + 1) * sizeof(T) bytes, and almost
//            none for one warp.
// Callback   T prefix(T aggregate): all threads of the first warp call it with the total of the block's values. Thread 0's
//            result is the total of all values before the block. It costs another barrier.
// Errors     T or kThreads out of range do not compile. There are no run-time checks.
// In place   in and out may be the same array.
// Floating   Sums are the same from run to run; they depend on kThreads and kItems.
// Source     document "GPU prefix sums": block-level scan with warp scans. Its listing computes exclusive results by
//            subtraction, which is right only for sums of integers, and loses a partial last warp.
//
//     using scan = upsweep::cuda::block_scan<int, 256>;
//     __shared__ scan::storage storage;
//     scan(storage).exclusive(in, out, upsweep::cuda::plus{}, 0);
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/block/storage.cuh>
#include <upsweep/cuda/detail/warp_steps.cuh>

namespace upsweep::cuda {

template <class T, int kThreads>
class block_scan {
  static_assert(detail::is_element<T> || detail::is_flagged<T>,
                "block_scan: T must be trivially copyable and of at most 64 bytes");
  static_assert(kThreads >= 1 && kThreads <= 1024, "block_scan: a block has 1 to 1024 threads");

  static constexpr int kWarps = (kThreads + detail::kWarpSize - 1) / detail::kWarpSize;
  static constexpr int kAll = 0x7fffffff;

public:
  using storage = detail::block_storage<T, kWarps>;

  __device__ __forceinline__ explicit block_scan(storage &shared, int valid = kAll, int rank = threadIdx.x)
      : shared_(shared), valid_(valid), rank_(rank) {}

  // Each value becomes the total of the values up to itself.
  template <int kItems, class Op = plus>
  __device__ __forceinline__ void inclusive(const T (&in)[kItems], T (&out)[kItems], Op op = {}) {
    run<true, false>(in, out, op, no_seed{});
  }

  // The same; `total` becomes the total of all values, in all threads.
  template <int kItems, class Op>
  __device__ __forceinline__ void inclusive(const T (&in)[kItems], T (&out)[kItems], Op op, T &total) {
    total = run<true, true>(in, out, op, no_seed{});
  }

  // Each value becomes the total of the values up to itself, after initial.
  template <int kItems, class Op>
  __device__ __forceinline__ void inclusive_from(const T (&in)[kItems], T (&out)[kItems], Op op, T initial) {
    run<true, false>(in, out, op, value_seed{initial});
  }

  // The same; `total` becomes the total of all values without initial, in all threads.
  template <int kItems, class Op>
  __device__ __forceinline__ void inclusive_from(const T (&in)[kItems], T (&out)[kItems], Op op, T initial, T &total) {
    total = run<true, true>(in, out, op, value_seed{initial});
  }

  // Each value becomes the total of the values before it, after initial.
  template <int kItems, class Op>
  __device__ __forceinline__ void exclusive(const T (&in)[kItems], T (&out)[kItems], Op op, T initial) {
    run<false, false>(in, out, op, value_seed{initial});
  }

  // The same; `total` becomes the total of all values without initial, in all threads.
  template <int kItems, class Op>
  __device__ __forceinline__ void exclusive(const T (&in)[kItems], T (&out)[kItems], Op op, T initial, T &total) {
    total = run<false, true>(in, out, op, value_seed{initial});
  }

  // Starts from the operator's identity.
  template <int kItems, class Op = plus>
  __device__ __forceinline__ void exclusive(const T (&in)[kItems], T (&out)[kItems], Op op = {}) {
    static_assert(has_identity<Op, T>, "exclusive: this operator has no known identity, pass an initial value");
    run<false, false>(in, out, op, value_seed{identity<Op, T>::value()});
  }

  // After the callback's result.
  template <int kItems, class Op, class Prefix>
  __device__ __forceinline__ void inclusive_after(const T (&in)[kItems], T (&out)[kItems], Op op, Prefix &&prefix) {
    run<true, true>(in, out, op, callback_seed<Prefix>{prefix});
  }
  template <int kItems, class Op, class Prefix>
  __device__ __forceinline__ void exclusive_after(const T (&in)[kItems], T (&out)[kItems], Op op, Prefix &&prefix) {
    run<false, true>(in, out, op, callback_seed<Prefix>{prefix});
  }

  // The same for one value a thread.
  template <class Op = plus>
  __device__ __forceinline__ T inclusive(T value, Op op = {}) {
    return single(value, [&](auto &in, auto &out) { inclusive(in, out, op); });
  }
  template <class Op>
  __device__ __forceinline__ T inclusive(T value, Op op, T &total) {
    return single(value, [&](auto &in, auto &out) { inclusive(in, out, op, total); });
  }
  template <class Op>
  __device__ __forceinline__ T exclusive(T value, Op op, T initial) {
    return single(value, [&](auto &in, auto &out) { exclusive(in, out, op, initial); });
  }
  template <class Op>
  __device__ __forceinline__ T exclusive(T value, Op op, T initial, T &total) {
    return single(value, [&](auto &in, auto &out) { exclusive(in, out, op, initial, total); });
  }
  template <class Op = plus>
  __device__ __forceinline__ T exclusive(T value, Op op = {}) {
    return single(value, [&](auto &in, auto &out) { exclusive(in, out, op); });
  }

private:
  struct no_seed {};
  struct value_seed {
    T value;
  };
  template <class Prefix>
  struct callback_seed {
    Prefix &prefix;
  };
  // The total before a thread's values; nothing for the first thread of an unseeded scan.
  struct before {
    T value;
    bool exists;
  };

  template <class Scan>
  __device__ __forceinline__ T single(const T &value, Scan scan) {
    const T in[1] = {value};
    T out[1] = {value};
    scan(in, out);
    return out[0];
  }

  // Returns the total of the values, if it is wanted.
  template <bool kInclusive, bool kTotal, int kItems, class Op, class Seed>
  __device__ __forceinline__ T run(const T (&in)[kItems], T (&out)[kItems], Op op, Seed seed) {
    const bool full = valid_ == kAll;
    const int mine = full ? kItems : valid_ - rank_ * kItems;
    T sum = in[0];
#pragma unroll
    for (int i = 1; i < kItems; ++i) {
      if (full || i < mine) {
        sum = op(sum, in[i]);
      }
    }
    const int last_thread = full ? kThreads - 1 : (valid_ - 1) / kItems;
    T total = sum;
    const before prefix = precede<kTotal>(sum, last_thread, op, seed, total);
    T running = prefix.exists ? op(prefix.value, in[0]) : in[0];
    // in may be out: item 0's result is written when its value has been used.
    out[0] = kInclusive ? running : prefix.value;
#pragma unroll
    for (int i = 1; i < kItems; ++i) {
      const T value = in[i];
      if constexpr (!kInclusive) {
        out[i] = running;
      }
      if (full || i < mine) {
        running = op(running, value);
      }
      if constexpr (kInclusive) {
        out[i] = running;
      }
    }
    return total;
  }

  template <bool kTotal, class Op, class Seed>
  __device__ __forceinline__ before precede(const T &sum, int last_thread, Op op, Seed seed, T &total) {
    const int lane = rank_ % detail::kWarpSize;
    const int warp = rank_ / detail::kWarpSize;
    const T inclusive = detail::warp_inclusive<detail::kWarpSize>(sum, op);
    const T below = detail::shuffle_up(inclusive, 1);
    if constexpr (kWarps == 1) {
      if constexpr (kTotal) {
        total = detail::shuffle_from(inclusive, last_thread);
      }
      const before start = seeded(seed, total, nullptr);
      return extend(start, lane > 0, below, op);
    } else {
      auto &slot = shared_.slots[slot_];
      slot_ ^= 1;
      T *totals = slot.totals.data();
      const int last_of_warp = warp * detail::kWarpSize + detail::kWarpSize - 1;
      if (rank_ == (last_thread < last_of_warp ? last_thread : last_of_warp)) {
        totals[warp] = inclusive;
      }
      __syncthreads();
      const T warps_before = scan_totals<kTotal>(totals, last_thread / detail::kWarpSize, op, total);
      const before start = seeded(seed, total, slot.seed.data());
      return extend(extend(start, warp > 0, warps_before, op), lane > 0, below, op);
    }
  }

  // The total of the warps before this one, if there are any; `total`, if it is wanted, becomes the total of all warps with
  // values.
  template <bool kTotal, class Op>
  __device__ __forceinline__ T scan_totals(T *totals, int last_warp, Op op, T &total) const {
    const int warp = rank_ / detail::kWarpSize;
    constexpr int kWidth = detail::round_up_to_power_of_two(kWarps);
    if constexpr (detail::kTotalsBy<kThreads> == detail::totals_by::kThread) {
      T sum = totals[0];
      T before = sum;
#pragma unroll
      for (int w = 1; w < kWarps; ++w) {
        if (w == warp) {  // a choice between two objects would put them in memory
          before = sum;
        }
        if (w <= last_warp) {
          sum = op(sum, totals[w]);
        }
      }
      total = sum;
      return before;
    } else if constexpr (detail::kTotalsBy<kThreads> == detail::totals_by::kWarp) {
      // Lanes beyond the last warp repeat it; their results are unused.
      const int lane = detail::lane_of<kWidth>();
      const T scanned = detail::warp_inclusive<kWidth>(T(totals[lane < last_warp ? lane : last_warp]), op);
      if constexpr (kTotal) {
        total = detail::shuffle_from<kWidth>(scanned, last_warp);
      }
      return detail::shuffle_from<kWidth>(scanned, warp > 0 ? warp - 1 : 0);
    } else {
      if (warp == 0) {
        const T scanned = detail::warp_inclusive<kWidth>(T(totals[rank_ < last_warp ? rank_ : last_warp]), op);
        __syncwarp();
        if (rank_ <= last_warp) {
          totals[rank_] = scanned;
        }
      }
      __syncthreads();
      if constexpr (kTotal) {
        total = totals[last_warp];
      }
      return totals[warp > 0 ? warp - 1 : 0];
    }
  }

  // The total before the block.
  __device__ __forceinline__ before seeded(no_seed, const T &total, T *) { return {total, false}; }
  __device__ __forceinline__ before seeded(const value_seed &seed, const T &, T *) { return {seed.value, true}; }
  template <class Prefix>
  __device__ __forceinline__ before seeded(const callback_seed<Prefix> &seed, const T &total, T *exchange) {
    if constexpr (kWarps == 1) {
      return {detail::shuffle_from(T(seed.prefix(total)), 0), true};
    } else {
      if (rank_ < detail::kWarpSize) {
        const T value = seed.prefix(total);
        if (rank_ == 0) {
          *exchange = value;
        }
      }
      __syncthreads();
      return {*exchange, true};
    }
  }

  // `start`, and then `next` if there is any.
  template <class Op>
  __device__ __forceinline__ static before extend(const before &start, bool any, const T &next, Op op) {
    if (!any) {
      return start;
    }
    return {start.exists ? op(start.value, next) : next, true};
  }

  storage &shared_;
  int valid_;
  int rank_;
  int slot_ = 0;
};

}  // namespace upsweep::cuda
#endif
