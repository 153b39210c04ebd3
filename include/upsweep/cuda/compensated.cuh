// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of floating-point numbers whose error does not grow with their number: each sum carries the rounding error of its
// additions, and is rounded once at the end.
//
//     upsweep::cuda::inclusive_compensated_sum(space, in, out, n, stream);
//
// Infinities, NaNs and overflow give the results of plain sums.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/common/compensated.h>
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/scan.cuh>

namespace upsweep::cuda {

using common::compensated, common::compensated_plus;

namespace detail {

using common::CompensatedTotal, common::FromCompensated, common::ToCompensated;

}  // namespace detail

// Takes floats or doubles. The workspace is one for compensated<T>. Options: backward, reproducible.
template <class In, class Out, class N, class... Options>
cudaError_t inclusive_compensated_sum(const workspace &space, In in, Out out, N n, Options... options) {
  return inclusive_scan(space, in, out, n, compensated_plus{}, transform_input(detail::ToCompensated{}),
                        transform_output(detail::FromCompensated{}), options...);
}

template <class In, class Out, class N, class... Options>
cudaError_t exclusive_compensated_sum(const workspace &space, In in, Out out, N n, Options... options) {
  using T = detail::ElementOf<detail::Unwrapped<In>>;
  return exclusive_scan(space, in, out, n, compensated_plus{}, compensated<T>{T(0), T(0)},
                        transform_input(detail::ToCompensated{}), transform_output(detail::FromCompensated{}), options...);
}

UPSWEEP_CUDA_CALL_FROM_POOL(inclusive_compensated_sum)
UPSWEEP_CUDA_CALL_FROM_POOL(exclusive_compensated_sum)

namespace detail {

// Rounds values assigned to `out`.
template <class Out>
struct RoundedTo {
  Out out;

  __device__ __forceinline__ const RoundedTo &operator*() const { return *this; }
  template <class T>
  __device__ __forceinline__ void operator=(const compensated<T> &sum) const {
    *out = sum.high + sum.low;
  }
};

}  // namespace detail

template <class T>
inline constexpr bool is_commutative<detail::CompensatedTotal, compensated<T>> = true;

// The sum of floats or doubles. The workspace has reduce_workspace_bytes<compensated<T>>() bytes. Like all reductions, it is
// the same, bit for bit, from run to run and on every GPU.
template <class In, class Out, class N, class... More>
cudaError_t compensated_sum(const workspace &space, In in, Out out, N n, More... more) {
  if constexpr (detail::are_of_reduction<In, Out, N>()) {
    using T = detail::ElementOf<detail::Unwrapped<In>>;
    const auto to = detail::unwrapped(out);
    if (detail::is_null(to)) {
      return cudaErrorInvalidValue;
    }
    return transform_reduce(space, in, detail::RoundedTo<std::decay_t<decltype(to)>>{to}, n, detail::CompensatedTotal{},
                            detail::ToCompensated{}, compensated<T>{T(0), T(0)}, more...);
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(compensated_sum)

}  // namespace upsweep::cuda
#endif
