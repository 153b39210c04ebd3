// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches in an array, in one launch that ends soon after the match.
//
//   find_if   *place = the least i for which predicate(x[i]), or n
//
// `space`  initialised workspace of at least find_workspace_bytes() bytes, or stream_pool (workspace.cuh).
// `in`     device pointer or random-access iterator; pointers that are aligned to their elements take the fast path.
// `place`  device pointer to an integer.
// `n`      0 to 2^40 elements, or count_at(pointer, at_most).
//
// A search may read elements behind the match, up to about two tiles of each block (16 MiB on any GPU). Work is queued on
// `stream` and nothing synchronises, so calls can be captured in a graph. Only stream_pool allocates memory.
//
// Errors: cudaErrorInvalidValue for a null pointer, a workspace that is too small or misaligned, or too many elements.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/call.cuh>
#include <upsweep/cuda/device/find_kernel.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/tuning_find.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

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
  return with_workspace(space, find_workspace_bytes(), stream, [&](const workspace &own) {
    auto *bytes = static_cast<unsigned char *>(own.data);
    const Problem problem{in,
                          place,
                          {count.most, count.pointer},
                          predicate,
                          reinterpret_cast<ScanState *>(bytes),
                          reinterpret_cast<FindState *>(bytes + kFindStateAt)};
    const auto launch = [&](auto kernel, std::uint64_t items) {
      const std::uint64_t of_block = TunedFind::kThreads * TunedFind::kVectors * items;
      const auto blocks = static_cast<unsigned>(
          std::clamp<std::uint64_t>((count.most + items - 1 + of_block - 1) / of_block, 1, TunedFind::kBlocks));
      return detail::launch(kernel, blocks, TunedFind::kThreads, 0, stream, problem);
    };
    if constexpr (is_contiguous<In> && 16 % sizeof(Element) == 0 && sizeof(Element) < 16) {
      if (is_element_aligned(in)) {
        return launch(find_kernel<Problem, 16 / sizeof(Element)>, 16 / sizeof(Element));
      }
    }
    return launch(find_kernel<Problem, 1>, 1);
  });
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
#endif
