// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The totals of runs of equal keys, in one launch.
//
//   reduce_by_key   out_keys[r] = the key of run r, totals[r] = values[i] op values[i + 1] op ... of its elements
//
// space             initialised workspace of at least reduce_by_key_workspace_bytes<T, Key>(n) bytes, or stream_pool
// keys, values      device pointers or random-access iterators; pointers that are both aligned to 16 bytes take the fast path
// out_keys, totals  device pointers or random-access iterators with room for the runs; they must not overlap the inputs
// runs              device pointer to an integer, which becomes the number of runs
// n                 0 to 2^40 elements, or count_at(pointer, at_most)
// op                associative; it need not commute. T is the type of the values
// equal             of neighbours, before or behind the stream; == if it is not given
//
// The order of the operands depends on n and the types alone: floating-point totals are the same, bit for bit, from run to run.
// Errors, source: see select.cuh.
#pragma once

#include <upsweep/cuda/device/call_arrays.cuh>
#include <upsweep/cuda/device/reduce_by_key_work.cuh>
#include <upsweep/cuda/select.cuh>

namespace upsweep::cuda {

template <class T, class Key>
std::size_t reduce_by_key_workspace_bytes(std::uint64_t n) {
  return detail::words_workspace_bytes(n, sizeof(detail::RunTotal<T, std::uint32_t>), std::max(sizeof(T), sizeof(Key)));
}

namespace detail {

template <class Keys, class Values, class OutKeys, class Totals, class Number, class Op, class Equal>
cudaError_t reduce_by_key(const workspace &space, Keys keys, Values values, OutKeys out_keys, Totals totals, Number *runs,
                          Count count, Op op, Equal equal, cudaStream_t stream) {
  using T = ElementOf<Values>;
  using Key = ElementOf<Keys>;
  using Problem = ReduceByKeyProblem<T, Values, OutKeys, Totals, Keys, Equal, Op, Number>;
  if (count.most > kMostElements || count.is_null || runs == nullptr ||
      (count.most > 0 && (is_null(keys) || is_null(values) || is_null(out_keys) || is_null(totals))) ||
      !are_apart_in({reads(keys, count.most), reads(values, count.most), writes_some(out_keys, count.most),
                     writes_some(totals, count.most), writes(runs, 1)})) {
    return cudaErrorInvalidValue;
  }
  const std::size_t needed = reduce_by_key_workspace_bytes<T, Key>(count.most);
  if (is_pool(space)) {
    return with_pool_workspace(space, needed, stream, [&](const workspace &own) {
      return reduce_by_key(own, keys, values, out_keys, totals, runs, count, op, equal, stream);
    });
  }
  if (space.data == nullptr || !is_vector_aligned(space.data) || space.bytes < needed) {
    return cudaErrorInvalidValue;
  }
  auto *bytes = static_cast<unsigned char *>(space.data);
  const Problem problem{values,
                        totals,
                        out_keys,
                        {count.most, count.pointer},
                        {op},
                        runs,
                        {keys, equal},
                        reinterpret_cast<ScanState *>(bytes),
                        reinterpret_cast<TileWord<typename Problem::Element> *>(bytes + kStateBytes),
                        space.bytes - kStateBytes};
  return launch_pipeline(problem, count.most, stream);
}

}  // namespace detail

template <class Keys, class Values, class OutKeys, class Totals, class Number, class N, class Op, class... More>
cudaError_t reduce_by_key(const workspace &space, Keys keys, Values values, OutKeys out_keys, Totals totals, Number runs, N n,
                          Op op, More... more) {
  if constexpr (detail::are_arrays<Keys, OutKeys, N>() && detail::are_of_compaction<Values, Totals, Number, N>()) {
    using T = detail::ElementOf<detail::Unwrapped<Values>>;
    using Key = detail::ElementOf<detail::Unwrapped<Keys>>;
    if constexpr (detail::is_operator_of<Op, T>() && detail::are_stream_and_binary<Key, More...>()) {
      return detail::reduce_by_key(space, detail::unwrapped(keys), detail::unwrapped(values), detail::unwrapped(out_keys),
                                   detail::unwrapped(totals), detail::unwrapped(runs), detail::count_of(n),
                                   detail::known_operator<T>(op), detail::equal_of<Key>(more...), detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(reduce_by_key)

}  // namespace upsweep::cuda
