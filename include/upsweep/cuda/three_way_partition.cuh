// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions in three ways, in one launch: each part has its elements in the order of the input.
//
//   stable_partition_in_three   first: where is_first(x[i]); second: where is_second(x[i]) of the others; third: the rest
//
// space   initialised workspace of at least partition_in_three_workspace_bytes<T>(n) bytes, or stream_pool (workspace.cuh)
// in      device pointer or random-access iterator; an input that is aligned to its elements takes the fast path
// first, second, third   device pointers or random-access iterators to elements of one size, with room for their parts; they
//         must not overlap the input or each other
// kept    device pointer to two integers, which become the numbers of elements of the first part and of the second
// n       0 to 2^40 elements, or count_at(pointer, at_most)
//
// Errors, source: see select.cuh.
#pragma once

#include <upsweep/cuda/device/compact_three_work.cuh>
#include <upsweep/cuda/select.cuh>

namespace upsweep::cuda {

// Bytes of a workspace for partitions in three ways of up to `n` elements.
template <class T>
std::size_t partition_in_three_workspace_bytes(std::uint64_t n) {
  return detail::words_workspace_bytes(n, sizeof(detail::CountsOfTwo<std::uint32_t>), sizeof(T));
}

template <class In, class First, class Second, class Third, class Number, class N, class IsFirst, class IsSecond>
cudaError_t stable_partition_in_three(const workspace &space, In in, First first, Second second, Third third, Number *kept, N n,
                                      IsFirst is_first, IsSecond is_second, cudaStream_t stream = nullptr) {
  using Problem = detail::ThreeProblem<In, First, Second, Third, IsFirst, IsSecond, Number>;
  using Out = typename Problem::Out;
  static_assert(std::is_trivially_copyable_v<typename Problem::In> && sizeof(typename Problem::In) <= 64,
                "elements must be trivially copyable and of at most 64 bytes");
  const detail::Count count = detail::count_of(n);
  if (count.most > detail::kMostElements || count.is_null || kept == nullptr ||
      (count.most > 0 &&
       (detail::is_null(in) || detail::is_null(first) || detail::is_null(second) || detail::is_null(third)))) {
    return cudaErrorInvalidValue;
  }
  const std::size_t needed = detail::words_workspace_bytes(count.most, sizeof(typename Problem::Element),
                                                           std::max(sizeof(typename Problem::In), sizeof(Out)));
  if (detail::is_pool(space)) {
    return detail::with_pool_workspace(needed, stream, [&](const workspace &own) {
      return stable_partition_in_three(own, in, first, second, third, kept, n, is_first, is_second, stream);
    });
  }
  if (space.data == nullptr || !detail::is_vector_aligned(space.data) || space.bytes < needed) {
    return cudaErrorInvalidValue;
  }
  auto *bytes = static_cast<unsigned char *>(space.data);
  const Problem problem{in,
                        first,
                        second,
                        third,
                        {count.most, count.pointer},
                        {},
                        {},
                        kept,
                        {is_first, is_second},
                        reinterpret_cast<detail::ScanState *>(bytes),
                        reinterpret_cast<detail::TileWord<typename Problem::Element> *>(bytes + detail::kStateBytes),
                        space.bytes - detail::kStateBytes};
  return detail::launch_pipeline(problem, count.most, stream);
}

}  // namespace upsweep::cuda
