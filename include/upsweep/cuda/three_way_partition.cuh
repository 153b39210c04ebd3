// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions in three ways, in one launch: each part has its elements in the order of the input.
//
//   stable_partition_in_three   first: where is_first(x[i]); second: where is_second(x[i]) among the others; third: the rest
//
// `space`                     initialised workspace of at least partition_in_three_workspace_bytes<T>(n) bytes, or stream_pool
//                             (workspace.cuh).
// `in`                        device pointer or random-access iterator; an input that is aligned to its elements takes the fast
//                             path.
// `first`, `second`, `third`  device pointers or random-access iterators to elements of one size, with room for their parts;
//                             they must not overlap the input or each other.
// `kept`                      device pointer to two integers, which become the numbers of elements of the first part and of the
//                             second.
// `n`                         0 to 2^40 elements, or count_at(pointer, at_most).
//
// Errors, source: see select.cuh.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/call_arrays.cuh>
#include <upsweep/cuda/device/compact_three_work.cuh>
#include <upsweep/cuda/select.cuh>

namespace upsweep::cuda {

// Bytes of a workspace for partitions in three ways of up to `n` elements.
template <class T>
std::size_t partition_in_three_workspace_bytes(std::uint64_t n) {
  return detail::words_workspace_bytes(n, sizeof(detail::CountsOfTwo<std::uint32_t>), sizeof(T));
}

namespace detail {

template <class In, class First, class Second, class Third, class Number, class IsFirst, class IsSecond>
cudaError_t stable_partition_in_three(const workspace &space, In in, First first, Second second, Third third, Number *kept,
                                      const Count &count, IsFirst is_first, IsSecond is_second, cudaStream_t stream) {
  using Problem = CompactThreeProblem<In, First, Second, Third, IsFirst, IsSecond, Number>;
  using Out = typename Problem::Out;
  if (count.most > kMostElements || count.is_null || kept == nullptr ||
      (count.most > 0 && (is_null(in) || is_null(first) || is_null(second) || is_null(third)))) {
    return cudaErrorInvalidValue;
  }
  if (!are_apart_in({reads(in, count.known()), writes_some(first, count.known()), writes_some(second, count.known()),
                     writes_some(third, count.known()), writes(kept, 2)})) {
    return cudaErrorInvalidValue;
  }
  const std::size_t needed =
      words_workspace_bytes(count.most, sizeof(typename Problem::Element), std::max(sizeof(typename Problem::In), sizeof(Out)));
  return with_workspace(space, needed, stream, [&](const workspace &own) {
    auto *bytes = static_cast<unsigned char *>(own.data);
    const Problem problem{in,
                          first,
                          second,
                          third,
                          {count.most, count.pointer},
                          {},
                          {},
                          kept,
                          {is_first, is_second},
                          reinterpret_cast<ScanState *>(bytes),
                          reinterpret_cast<TileWord<typename Problem::Element> *>(bytes + kStateBytes),
                          own.bytes - kStateBytes};
    return launch_pipeline(problem, count.most, stream);
  });
}

}  // namespace detail

template <class In, class First, class Second, class Third, class Number, class N, class IsFirst, class IsSecond, class... More>
cudaError_t stable_partition_in_three(const workspace &space, In in, First first, Second second, Third third, Number kept, N n,
                                      IsFirst is_first, IsSecond is_second, More... more) {
  if constexpr (detail::are_of_select<In, First, Number, N, More...>() && detail::is_further_array<Second>() &&
                detail::is_further_array<Third>()) {
    using T = detail::ElementOf<detail::Unwrapped<In>>;
    if constexpr (detail::is_predicate_of<IsFirst, T>() && detail::is_predicate_of<IsSecond, T>()) {
      return detail::stable_partition_in_three(space, detail::unwrapped(in), detail::unwrapped(first),
                                               detail::unwrapped(second), detail::unwrapped(third), detail::unwrapped(kept),
                                               detail::count_of(n), is_first, is_second, detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(stable_partition_in_three)

}  // namespace upsweep::cuda
#endif
