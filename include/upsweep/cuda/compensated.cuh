// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of floating-point numbers whose error does not grow with their number: each sum carries the rounding error of its
// additions along, and is rounded once at the end.
//
//     upsweep::cuda::inclusive_compensated_sum(space, in, out, n, stream);
//
// Infinities, NaNs and overflow give the results of plain sums.
//
// Source: Dekker 1971, Knuth (TAOCP volume 2, 4.2.2): the error of a floating-point addition is a floating-point number.
#pragma once

#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/scan.cuh>

namespace upsweep::cuda {

// The unevaluated sum high + low, where low is the part that rounding took from high.
template <class T>
struct compensated {
  T high, low;
};

// Adds two sums with a relative error of about the square of the type's rounding error (if the terms have one sign).
struct compensated_plus {
  template <class T>
  __host__ __device__ compensated<T> operator()(const compensated<T> &a, const compensated<T> &b) const {
    const T sum = a.high + b.high;
    const T part = sum - a.high;
    const T error = (a.high - (sum - part)) + (b.high - part);
    const T low = error + (a.low + b.low);
    const T high = sum + low;
    // An infinity or a NaN has no low part, which would be a difference of infinities. x - x is 0 for all finite numbers.
    const bool is_finite = high - high == T(0);
    return {is_finite ? high : sum, is_finite ? low - (high - sum) : T(0)};
  }
};

namespace detail {

template <class T>
struct ToCompensated {
  __host__ __device__ compensated<T> operator()(const T &value) const { return {value, T(0)}; }
};
struct FromCompensated {
  template <class T>
  __host__ __device__ T operator()(const compensated<T> &sum) const {
    return sum.high + sum.low;
  }
};

}  // namespace detail

// Of floats or doubles. The workspace is one for compensated<T>. Options: backward, reproducible.
template <class In, class Out, class N, class... Options>
cudaError_t inclusive_compensated_sum(const workspace &space, In in, Out out, N n, Options... options) {
  using T = detail::ElementOf<detail::Unwrapped<In>>;
  return inclusive_scan(space, in, out, n, compensated_plus{}, transform_input(detail::ToCompensated<T>{}),
                        transform_output(detail::FromCompensated{}), options...);
}

template <class In, class Out, class N, class... Options>
cudaError_t exclusive_compensated_sum(const workspace &space, In in, Out out, N n, Options... options) {
  using T = detail::ElementOf<detail::Unwrapped<In>>;
  return exclusive_scan(space, in, out, n, compensated_plus{}, compensated<T>{T(0), T(0)},
                        transform_input(detail::ToCompensated<T>{}), transform_output(detail::FromCompensated{}), options...);
}

UPSWEEP_CUDA_CALL_FROM_POOL(inclusive_compensated_sum)
UPSWEEP_CUDA_CALL_FROM_POOL(exclusive_compensated_sum)

namespace detail {

// The sum of two numbers and its error do not depend on their order, but scans are left to add in theirs.
struct CompensatedTotal : compensated_plus {};

// Rounds what is assigned to `out`.
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

// The sum of floats or doubles. The workspace is one of reduce_workspace_bytes<compensated<T>>(). As all reductions it is the
// same, bit for bit, from run to run and on every GPU.
template <class In, class Out, class N, class... More>
cudaError_t compensated_sum(const workspace &space, In in, Out out, N n, More... more) {
  if constexpr (detail::are_of_reduction<In, Out, N>()) {
    using T = detail::ElementOf<detail::Unwrapped<In>>;
    const auto to = detail::unwrapped(out);
    if (detail::is_null(to)) {
      return cudaErrorInvalidValue;
    }
    return transform_reduce(space, in, detail::RoundedTo<std::decay_t<decltype(to)>>{to}, n, detail::CompensatedTotal{},
                            detail::ToCompensated<T>{}, compensated<T>{T(0), T(0)}, more...);
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(compensated_sum)

}  // namespace upsweep::cuda
