// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide partitions: the elements that a predicate is true for, in their order, apart from the others, in one launch.
//
//   partition_if             out begins with the first kind; the others follow from the end backward, in reversed order
//   partition_by_flag        the same where flags[i] is not 0
//   stable_partition_if      two outputs, each in the order of the input
//   stable_partition_by_flag
//
// space, in, n, kept as in select.cuh; out has room for n elements, and must not overlap the input. `kept` becomes the number
// of elements of the first kind.
//
// Errors, source: see select.cuh.
#pragma once

#include <upsweep/cuda/select.cuh>

namespace upsweep::cuda {

namespace detail {

template <Rejects kRejects, class In, class Out, class Rejected, class Keep, class Number>
cudaError_t partition(const workspace &space, In in, Out out, Rejected rejected, Number *kept, Count count, Keep keep,
                      cudaStream_t stream) {
  if constexpr (is_contiguous<In> && is_contiguous<Out>) {
    if (overlap(in, count.most * sizeof(*in), out, count.most * sizeof(*out))) {
      return cudaErrorInvalidValue;
    }
  }
  return compact<kRejects>(space, in, out, rejected, kept, count, keep, stream);
}

}  // namespace detail

template <class In, class Out, class Number, class N, class Predicate>
cudaError_t partition_if(const workspace &space, In in, Out out, Number *kept, N n, Predicate predicate,
                         cudaStream_t stream = nullptr) {
  return detail::partition<detail::Rejects::kReversed>(space, in, out, 0, kept, detail::count_of(n),
                                                       detail::KeepIf<Predicate>(predicate), stream);
}

template <class In, class Flag, class Out, class Number, class N>
cudaError_t partition_by_flag(const workspace &space, In in, const Flag *flags, Out out, Number *kept, N n,
                              cudaStream_t stream = nullptr) {
  return detail::partition<detail::Rejects::kReversed>(space, in, out, 0, kept, detail::count_of(n),
                                                       detail::KeepMarked<Flag, detail::IsNotZero>{flags, {}}, stream);
}

template <class In, class Out, class Rejected, class Number, class N, class Predicate>
cudaError_t stable_partition_if(const workspace &space, In in, Out out, Rejected rejected, Number *kept, N n,
                                Predicate predicate, cudaStream_t stream = nullptr) {
  return detail::partition<detail::Rejects::kApart>(space, in, out, rejected, kept, detail::count_of(n),
                                                    detail::KeepIf<Predicate>(predicate), stream);
}

template <class In, class Flag, class Out, class Rejected, class Number, class N>
cudaError_t stable_partition_by_flag(const workspace &space, In in, const Flag *flags, Out out, Rejected rejected, Number *kept,
                                     N n, cudaStream_t stream = nullptr) {
  return detail::partition<detail::Rejects::kApart>(space, in, out, rejected, kept, detail::count_of(n),
                                                    detail::KeepMarked<Flag, detail::IsNotZero>{flags, {}}, stream);
}

}  // namespace upsweep::cuda
