// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans and reductions of the values that the lanes of a warp hold, in registers alone: no shared memory, no barrier.
//
// T        any trivially copyable type of up to 64 bytes; it needs no default constructor.
// kWidth   lanes of a logical warp: 1, 2, 4, 8, 16 or 32. The logical warps of a warp work side by side.
// count    the number of lanes, from lane 0 of the logical warp on, with a value (1 to kWidth; logical warps may differ). It is
//          smaller at the end of the data, or in the last warp of a block whose size is no multiple of 32.
// Op       associative; it need not commute. It may see values of lanes without a value, but no valid result depends on them.
// Calling  All lanes of the warp that have not exited call together, those without a value as well. Results of lanes without a
//          value are unspecified unless a call states that all lanes get them.
// Cost     5 shuffles per 32-bit word of T, plus one for an exclusive result and one for a total. A reduction of integers
//          of up to 32 bits with an operator of operators.cuh (but multiplies) is one instruction from sm_80 on.
// Source   Hillis and Steele 1986, "Data Parallel Algorithms".
//
//     const int before = upsweep::cuda::warp_scan<int>().exclusive(mine);
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/detail/warp_steps.cuh>

namespace upsweep::cuda {

template <class T, int kWidth = detail::kWarpSize>
class warp_reduce {
  static_assert(detail::is_element<T>, "warp_reduce: T must be trivially copyable and of at most 64 bytes");

public:
  __device__ explicit warp_reduce(int count = kWidth) : count_(count) {}

  // The total of the values in order; every lane gets it, bit for bit the same.
  template <class Op = plus>
  __device__ __forceinline__ T reduce(T value, Op op = {}) const {
    return detail::warp_total<kWidth>(value, op, count_);
  }

private:
  int count_;
};

template <class T, int kWidth = detail::kWarpSize>
class warp_scan {
  static_assert(detail::is_element<T>, "warp_scan: T must be trivially copyable and of at most 64 bytes");

public:
  __device__ explicit warp_scan(int count = kWidth) : count_(count) {}

  // Lane i gets the total of lanes 0 to i.
  template <class Op = plus>
  __device__ __forceinline__ T inclusive(T value, Op op = {}) const {
    return detail::warp_inclusive<kWidth>(value, op);
  }

  // The same; `total` becomes the total of all values, in all lanes.
  template <class Op>
  __device__ __forceinline__ T inclusive(T value, Op op, T &total) const {
    const T result = detail::warp_inclusive<kWidth>(value, op);
    total = detail::shuffle_from<kWidth>(result, count_ - 1);
    return result;
  }

  // Lane i gets initial, then the total of lanes 0 to i - 1.
  template <class Op>
  __device__ __forceinline__ T exclusive(T value, Op op, T initial) const {
    return shift(detail::warp_inclusive<kWidth>(value, op), op, initial);
  }

  // The same; `total` becomes the total of all values without initial, in all lanes.
  template <class Op>
  __device__ __forceinline__ T exclusive(T value, Op op, T initial, T &total) const {
    return shift(inclusive(value, op, total), op, initial);
  }

  // Starts from the operator's identity.
  template <class Op = plus>
  __device__ __forceinline__ T exclusive(T value, Op op = {}) const {
    static_assert(has_identity<Op, T>, "exclusive: this operator has no known identity, pass an initial value");
    const T before = detail::shuffle_up<kWidth>(detail::warp_inclusive<kWidth>(value, op), 1);
    return detail::lane_of<kWidth>() == 0 ? identity<Op, T>::value() : before;
  }

private:
  template <class Op>
  __device__ __forceinline__ T shift(const T &result, Op op, const T &initial) const {
    const T before = detail::shuffle_up<kWidth>(result, 1);
    return detail::lane_of<kWidth>() == 0 ? initial : op(initial, before);
  }

  int count_;
};

// Each lane also states whether its value is the first of a segment; lane 0 always starts a segment.
template <class T, int kWidth = detail::kWarpSize>
class warp_segmented_scan {
  static_assert(detail::is_element<T>, "warp_segmented_scan: T must be trivially copyable and of at most 64 bytes");

public:
  __device__ explicit warp_segmented_scan(int count = kWidth) : count_(count) {}

  // A lane gets the total of its segment up to itself.
  template <class Op = plus>
  __device__ __forceinline__ T inclusive(T value, bool head, Op op = {}) const {
    return detail::warp_inclusive<kWidth>(flagged<T>{value, head}, segmented<Op>{op}).value;
  }

  // The same. In all lanes, `total` becomes the total of the last segment, with a flag that is set if any lane is a head.
  template <class Op>
  __device__ __forceinline__ T inclusive(T value, bool head, Op op, flagged<T> &total) const {
    const flagged<T> result = detail::warp_inclusive<kWidth>(flagged<T>{value, head}, segmented<Op>{op});
    total = detail::shuffle_from<kWidth>(result, count_ - 1);
    return result.value;
  }

  // A lane gets initial, then the total of its segment up to the lane before.
  template <class Op>
  __device__ __forceinline__ T exclusive(T value, bool head, Op op, T initial) const {
    const bool first = head || detail::lane_of<kWidth>() == 0;
    const T before = detail::shuffle_up<kWidth>(inclusive(value, head, op), 1);
    return first ? initial : op(initial, before);
  }

private:
  int count_;
};

}  // namespace upsweep::cuda
#endif
