// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The totals of runs of equal keys, in one launch.
//
//   reduce_by_key   out_keys[r] = the key of run r, totals[r] = values[i] op values[i + 1] op ... of its elements
//
// space             initialised workspace of at least reduce_by_key_workspace_bytes<T, Key>(n) bytes, or stream_pool
// keys, values      device pointers (values: or a random-access iterator); those aligned to 16 bytes take the fast path
// out_keys, totals  device pointers or random-access iterators with room for the runs; they must not overlap the inputs
// runs              device pointer to an integer, which becomes the number of runs
// n                 0 to 2^40 elements, or count_at(pointer, at_most)
// op                associative; it need not commute. T is the type of the values
// equal             of neighbours; == if it is not given
//
// The order of the operands depends on n and the types alone: floating-point totals are the same, bit for bit, from run to run.
// Errors, source: see select.cuh.
#pragma once

#include <upsweep/cuda/device/reduce_by_key_work.cuh>
#include <upsweep/cuda/select.cuh>

namespace upsweep::cuda {

template <class T, class Key>
std::size_t reduce_by_key_workspace_bytes(std::uint64_t n) {
  return detail::words_workspace_bytes(n, sizeof(detail::RunTotal<T, std::uint32_t>), std::max(sizeof(T), sizeof(Key)));
}

namespace detail {

// Whether both are pointers to arrays of which some bytes are the same.
template <class A, class B>
bool have_common_bytes(A a, B b, std::uint64_t n) {
  if constexpr (is_contiguous<A> && is_contiguous<B>) {
    return overlap(a, n * sizeof(*a), b, n * sizeof(*b));
  } else {
    return false;
  }
}

}  // namespace detail

template <class Key, class Values, class OutKeys, class Totals, class Number, class N, class Op, class Equal = equal_to>
cudaError_t reduce_by_key(const workspace &space, const Key *keys, Values values, OutKeys out_keys, Totals totals, Number *runs,
                          N n, Op op, Equal equal = {}, cudaStream_t stream = nullptr) {
  using T = std::remove_cv_t<typename std::iterator_traits<Values>::value_type>;
  using Problem = detail::ReduceByKeyProblem<T, Values, OutKeys, Totals, Key, Equal, Op, Number>;
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64 && std::is_trivially_copyable_v<Key> && sizeof(Key) <= 64,
                "keys and values must be trivially copyable and of at most 64 bytes");
  const detail::Count count = detail::count_of(n);
  if (count.most > detail::kMostElements || count.is_null || runs == nullptr ||
      (count.most > 0 &&
       (keys == nullptr || detail::is_null(values) || detail::is_null(out_keys) || detail::is_null(totals) ||
        detail::have_common_bytes(keys, out_keys, count.most) || detail::have_common_bytes(keys, totals, count.most) ||
        detail::have_common_bytes(values, out_keys, count.most) || detail::have_common_bytes(values, totals, count.most)))) {
    return cudaErrorInvalidValue;
  }
  const std::size_t needed = reduce_by_key_workspace_bytes<T, Key>(count.most);
  if (detail::is_pool(space)) {
    return detail::with_pool_workspace(needed, stream, [&](const workspace &own) {
      return reduce_by_key(own, keys, values, out_keys, totals, runs, n, op, equal, stream);
    });
  }
  if (space.data == nullptr || !detail::is_vector_aligned(space.data) || space.bytes < needed) {
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
                        reinterpret_cast<detail::ScanState *>(bytes),
                        reinterpret_cast<detail::TileWord<typename Problem::Element> *>(bytes + detail::kStateBytes),
                        space.bytes - detail::kStateBytes};
  return detail::launch_pipeline(problem, count.most, stream);
}

}  // namespace upsweep::cuda
