// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide partitions: the elements for which a predicate is true, in their order, separated from the others, in one launch.
//
//   partition_if             out begins with the first kind; the others fill it from the end, in reversed order
//   partition_by_flag        the same where flags[i] is not 0
//   stable_partition_if      two outputs, each in the order of the input
//   stable_partition_by_flag
//
// space, in, n, kept as in select.cuh; out has room for n elements, and must not overlap the input. `kept` becomes the number
// of elements of the first kind.
//
// Errors, source: see select.cuh.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/select.cuh>

namespace upsweep::cuda {

namespace detail {

template <Rejects kRejects, class In, class Out, class Rejected, class Number, class N, class Keep>
cudaError_t call_partition(const workspace &space, In in, Out out, Rejected rejected, Number kept, N n, const Keep &keep,
                           cudaStream_t stream) {
  return call_compact<kRejects>(space, in, out, rejected, kept, n, keep, stream);
}

}  // namespace detail

template <class In, class Out, class Number, class N, class Predicate, class... More>
cudaError_t partition_if(const workspace &space, In in, Out out, Number kept, N n, Predicate predicate, More... more) {
  if constexpr (detail::are_of_select<In, Out, Number, N, More...>()) {
    if constexpr (detail::is_predicate_of<Predicate, detail::ElementOf<detail::Unwrapped<In>>>()) {
      return detail::call_partition<detail::Rejects::kReversed>(
          space, in, out, 0, kept, n, detail::KeepIf<Predicate>(predicate), detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

template <class In, class Flags, class Out, class Number, class N, class... More>
cudaError_t partition_by_flag(const workspace &space, In in, Flags flags, Out out, Number kept, N n, More... more) {
  if constexpr (detail::are_of_select<In, Out, Number, N, More...>() && detail::is_further_array<Flags>()) {
    return detail::call_partition<detail::Rejects::kReversed>(
        space, in, out, 0, kept, n, detail::keep_marked(flags, detail::IsNotZero{}), detail::stream_of(more...));
  }
  return cudaErrorInvalidValue;
}

template <class In, class Out, class Rejected, class Number, class N, class Predicate, class... More>
cudaError_t stable_partition_if(const workspace &space, In in, Out out, Rejected rejected, Number kept, N n,
                                Predicate predicate, More... more) {
  if constexpr (detail::are_of_select<In, Out, Number, N, More...>() && detail::is_further_array<Rejected>()) {
    if constexpr (detail::is_predicate_of<Predicate, detail::ElementOf<detail::Unwrapped<In>>>()) {
      return detail::call_partition<detail::Rejects::kSeparate>(
          space, in, out, rejected, kept, n, detail::KeepIf<Predicate>(predicate), detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

template <class In, class Flags, class Out, class Rejected, class Number, class N, class... More>
cudaError_t stable_partition_by_flag(const workspace &space, In in, Flags flags, Out out, Rejected rejected, Number kept, N n,
                                     More... more) {
  if constexpr (detail::are_of_select<In, Out, Number, N, More...>() && detail::is_further_array<Flags>() &&
                detail::is_further_array<Rejected>()) {
    return detail::call_partition<detail::Rejects::kSeparate>(
        space, in, out, rejected, kept, n, detail::keep_marked(flags, detail::IsNotZero{}), detail::stream_of(more...));
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(partition_if)
UPSWEEP_CUDA_CALL_FROM_POOL(partition_by_flag)
UPSWEEP_CUDA_CALL_FROM_POOL(stable_partition_if)
UPSWEEP_CUDA_CALL_FROM_POOL(stable_partition_by_flag)

}  // namespace upsweep::cuda
#endif
