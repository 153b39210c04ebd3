// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The totals of runs of equal keys, in one launch.
//
//   reduce_by_key   out_keys[r] = the key of run r, totals[r] = values[i] op values[i + 1] op ... over its elements
//
// `space`               initialised workspace of at least reduce_by_key_workspace_bytes<T, Key>(n) bytes, or stream_pool.
// `keys`, `values`      device pointers or random-access iterators; pointers that are both aligned to 16 bytes take the fast
//                       path.
// `out_keys`, `totals`  device pointers or random-access iterators with room for the runs; they must not overlap the inputs.
// `runs`                device pointer to an integer, which becomes the number of runs.
// `n`                   0 to 2^40 elements, or count_at(pointer, at_most).
// `op`                  associative; it need not commute. T, the type of totals, is chosen as in scans (scan.cuh). Values of
//                       another type are converted as they are read, which is slower.
// `equal`               compares neighbouring keys, before or behind the stream; the default is ==.
// `option`              accumulator (options.cuh).
//
// The order of the operands depends only on n and the types. Floating-point totals are the same, bit for bit, from run to run.
// Errors, source: see select.cuh.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/call_arrays.cuh>
#include <upsweep/cuda/device/reduce_by_key_work.cuh>
#include <upsweep/cuda/device/scan_call.cuh>
#include <upsweep/cuda/select.cuh>

namespace upsweep::cuda {

template <class T, class Key>
std::size_t reduce_by_key_workspace_bytes(std::uint64_t n) {
  return detail::words_workspace_bytes(n, sizeof(detail::RunTotal<T, std::uint32_t>), std::max(sizeof(T), sizeof(Key)));
}

namespace detail {

// Elements as totals.
template <class T, class Iterator>
struct ConvertedTo {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using reference = T;
  using pointer = void;

  Iterator array;

  template <class I>
  __host__ __device__ T operator[](I i) const {
    return static_cast<T>(array[i]);
  }
  __host__ __device__ T operator*() const { return (*this)[0]; }
  template <class N>
  __host__ __device__ ConvertedTo operator+(N n) const {
    return {array + n};
  }
};
template <class T, class Iterator>
auto converted_to(Iterator array) {
  if constexpr (std::is_same_v<ElementOf<Iterator>, T>) {
    return array;
  } else {
    return ConvertedTo<T, Iterator>{array};
  }
}
template <class Iterator>
Iterator array_of(Iterator array) {
  return array;
}
template <class T, class Iterator>
Iterator array_of(ConvertedTo<T, Iterator> converted) {
  return converted.array;
}

template <class Argument, class Key>
inline constexpr bool is_of_reduce_by_key = is_stream<Argument> || is_binary<Argument, Key>;
template <class A, class Key>
inline constexpr bool is_of_reduce_by_key<accumulator_t<A>, Key> = true;

template <class Values, class Totals, class Op, class Key, class... More>
constexpr bool is_request_of_reduce_by_key() {
  constexpr bool kAreKnown = (is_of_reduce_by_key<More, Key> && ...);
  constexpr bool kAreOne =
      (static_cast<int>(is_stream<More>) + ... + 0) <= 1 && (static_cast<int>(is_binary<More, Key>) + ... + 0) <= 1;
  static_assert(kAreKnown, "upsweep: an argument behind n is neither a stream, nor accumulator<T>, nor callable with two keys");
  static_assert(kAreOne, "upsweep: there are two streams, or two operators");
  if constexpr (kAreKnown && kAreOne) {
    return is_operator_of_scan<Values, Totals, Op, FromFirst, More...>();
  }
  return false;
}

template <class Keys, class Values, class OutKeys, class Totals, class Number, class Op, class Equal>
cudaError_t reduce_by_key(const workspace &space, Keys keys, Values values, OutKeys out_keys, Totals totals, Number *runs,
                          Count count, Op op, Equal equal, cudaStream_t stream) {
  using T = ElementOf<Values>;
  using Key = ElementOf<Keys>;
  using Problem = ReduceByKeyProblem<T, Values, OutKeys, Totals, Keys, Equal, Op, Number>;
  if (count.most > kMostElements || count.is_null || runs == nullptr ||
      (count.most > 0 && (is_null(keys) || is_null(array_of(values)) || is_null(out_keys) || is_null(totals))) ||
      !are_apart_in({reads(keys, count.known()), reads(array_of(values), count.known()), writes_some(out_keys, count.known()),
                     writes_some(totals, count.known()), writes(runs, 1)})) {
    return cudaErrorInvalidValue;
  }
  const std::size_t needed = reduce_by_key_workspace_bytes<T, Key>(count.most);
  return with_workspace(space, needed, stream, [&](const workspace &own) {
    auto *bytes = static_cast<unsigned char *>(own.data);
    const Problem problem{values,
                          totals,
                          out_keys,
                          {count.most, count.pointer},
                          {op},
                          runs,
                          {keys, equal},
                          reinterpret_cast<ScanState *>(bytes),
                          reinterpret_cast<TileWord<typename Problem::Element> *>(bytes + kStateBytes),
                          own.bytes - kStateBytes};
    return launch_pipeline(problem, count.most, stream);
  });
}

}  // namespace detail

template <class Keys, class Values, class OutKeys, class Totals, class Number, class N, class Op, class... More>
cudaError_t reduce_by_key(const workspace &space, Keys keys, Values values, OutKeys out_keys, Totals totals, Number runs, N n,
                          Op op, More... more) {
  if constexpr (detail::are_arrays<Keys, OutKeys, N>() && detail::are_of_compaction<Values, Totals, Number, N>()) {
    using From = detail::Unwrapped<Values>;
    using To = detail::Unwrapped<Totals>;
    using Key = detail::ElementOf<detail::Unwrapped<Keys>>;
    if constexpr (detail::is_request_of_reduce_by_key<From, To, Op, Key, More...>()) {
      using T = detail::Accumulator<From, To, Op, More...>;
      return detail::reduce_by_key(space, detail::unwrapped(keys), detail::converted_to<T>(detail::unwrapped(values)),
                                   detail::unwrapped(out_keys), detail::unwrapped(totals), detail::unwrapped(runs),
                                   detail::count_of(n), detail::known_operator<T>(op), detail::equal_of<Key>(more...),
                                   detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(reduce_by_key)

}  // namespace upsweep::cuda
#endif
