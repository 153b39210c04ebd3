// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches in an array, in one launch that ends soon after the place of what it finds.
//
//   find_if   *place = the least i for which predicate(x[i]), or n
//
// space  initialised workspace of at least find_workspace_bytes() bytes, or stream_pool (workspace.cuh)
// in     device pointer or random-access iterator; pointers that are aligned to their elements take the fast path
// place  device pointer to an integer
// n      0 to 2^40 elements, or count_at(pointer, at_most)
//
// What is behind the place may be read, to about two tiles of each block (16 MiB on any GPU). Work is queued on `stream`; but
// for stream_pool nothing is allocated, and nothing synchronises, so that calls can be captured in a graph.
//
// Errors: cudaErrorInvalidValue for a null pointer, too small or misaligned a workspace or too many elements.
#pragma once

#include <upsweep/cuda/device/call.cuh>
#include <upsweep/cuda/device/find_kernel.cuh>

namespace upsweep::cuda {

// Bytes of a workspace for searches in any number of elements.
constexpr std::size_t find_workspace_bytes() { return detail::kStateBytes; }

namespace detail {

template <class In, class Number, class Predicate>
cudaError_t find_if(const workspace &space, In in, Number *place, const Count &count, Predicate predicate,
                    cudaStream_t stream) {
  using Problem = FindProblem<In, Number, Predicate>;
  using Element = typename Problem::In;
  if (count.most > kMostElements || count.is_null || place == nullptr || (count.most > 0 && is_null(in))) {
    return cudaErrorInvalidValue;
  }
  if (is_pool(space)) {
    return with_pool_workspace(space, find_workspace_bytes(), stream,
                               [&](const workspace &own) { return find_if(own, in, place, count, predicate, stream); });
  }
  if (space.data == nullptr || !is_vector_aligned(space.data) || space.bytes < find_workspace_bytes()) {
    return cudaErrorInvalidValue;
  }
  auto *bytes = static_cast<unsigned char *>(space.data);
  const Problem problem{in,
                        place,
                        {count.most, count.pointer},
                        predicate,
                        reinterpret_cast<ScanState *>(bytes),
                        reinterpret_cast<FindState *>(bytes + kFindStateAt)};
  const auto launch = [&](auto kernel, std::uint64_t items) {
    const std::uint64_t of_block = Tuning::kFindThreads * Tuning::kFindVectors * items;
    const auto blocks = static_cast<unsigned>(
        std::clamp<std::uint64_t>((count.most + items - 1 + of_block - 1) / of_block, 1, Tuning::kFindBlocks));
    return detail::launch(kernel, blocks, Tuning::kFindThreads, 0, stream, problem);
  };
  if constexpr (is_contiguous<In> && 16 % sizeof(Element) == 0 && sizeof(Element) < 16) {
    if (is_element_aligned(in)) {
      return launch(find_kernel<Problem, 16 / sizeof(Element)>, 16 / sizeof(Element));
    }
  }
  return launch(find_kernel<Problem, 1>, 1);
}

}  // namespace detail

template <class In, class Number, class N, class Predicate, class... More>
cudaError_t find_if(const workspace &space, In in, Number place, N n, Predicate predicate, More... more) {
  if constexpr (detail::are_of_select<In, int *, Number, N, More...>()) {
    if constexpr (detail::is_predicate_of<Predicate, detail::ElementOf<detail::Unwrapped<In>>>()) {
      return detail::find_if(space, detail::unwrapped(in), detail::unwrapped(place), detail::count_of(n), predicate,
                             detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(find_if)

}  // namespace upsweep::cuda
