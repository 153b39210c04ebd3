// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runs of equal neighbours in an array, in one launch.
//
//   run_length_encode   values[r] = the first element of run r, lengths[r] = its number of elements
//
// `space`    initialised workspace of at least select_workspace_bytes<T>(n) bytes, or stream_pool (workspace.cuh).
// `in`       device pointer or random-access iterator; pointers that are aligned to their elements take the fast path.
// `values`   device pointer or random-access iterator, with room for the runs. It may be the input, but must not overlap it
//            otherwise.
// `lengths`  the same, of integers; it must not overlap the others.
// `runs`     device pointer to an integer, which becomes the number of runs.
// `n`        0 to 2^40 elements, or count_at(pointer, at_most).
// `equal`    compares neighbouring elements, before or behind the stream; the default is ==.
//
// Errors, source: see select.cuh.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/select.cuh>

namespace upsweep::cuda {

template <class In, class Values, class Lengths, class Number, class N, class... More>
cudaError_t run_length_encode(const workspace &space, In in, Values values, Lengths lengths, Number runs, N n, More... more) {
  if constexpr (detail::are_of_compaction<In, Values, Number, N>() && detail::is_further_array<Lengths>()) {
    using T = detail::ElementOf<detail::Unwrapped<In>>;
    if constexpr (detail::are_stream_and_binary<T, More...>()) {
      const auto equal = detail::equal_of<T>(more...);
      return detail::call_compact<detail::Rejects::kCounted>(space, in, values, lengths, runs, n,
                                                             detail::KeepFirstOfRun<std::decay_t<decltype(equal)>>(equal),
                                                             detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(run_length_encode)

}  // namespace upsweep::cuda
#endif
