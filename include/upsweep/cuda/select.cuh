// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide selections: the elements of an array that are kept, side by side, in their order, in one launch.
//
//   select_if          keeps x[i] where predicate(x[i])
//   select_by_flag     keeps x[i] where flags[i] is not 0
//   select_by_bit      keeps x[i] where bit i % 32 of bits[i / 32] is 1
//   select_by_stencil  keeps x[i] where predicate(stencil[i])
//   unique             keeps x[0], and x[i] where not equal(x[i - 1], x[i])
//   unique_by_key      keeps keys[0] and x[0], and keys[i] and x[i] where not equal(keys[i - 1], keys[i])
//
// space    initialised workspace of at least select_workspace_bytes<T>(n) bytes, or stream_pool (workspace.cuh)
// in, out  device pointers or random-access iterators; out has room for the elements that are kept. They may be the same, but
//          must not overlap otherwise. An input that is aligned to its elements takes the fast path; with flags, bits or a
//          stencil, one that is aligned to 16 bytes, as they are
// kept     device pointer to an integer, which becomes the number of elements that are kept
// n        0 to 2^40 elements, or count_at(pointer, at_most)
//
// Each input is read once, and each element that is kept is written once; nothing is written behind those. Work is queued on
// `stream`; but for stream_pool nothing is allocated, and nothing synchronises, so that calls can be captured in a graph.
//
// Errors: cudaErrorInvalidValue for a null pointer, arrays that overlap but are not the same, too small or misaligned a
// workspace or too many elements.
//
// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back"; rows of a warp by ballot
// (Harris and Garland 2012, "Optimizing Parallel Prefix Operations for the Fermi Architecture").
#pragma once

#include <upsweep/cuda/device/compact_launch.cuh>

namespace upsweep::cuda {

struct equal_to {
  template <class T>
  __host__ __device__ __forceinline__ bool operator()(const T &a, const T &b) const {
    return a == b;
  }
};

// Bytes of a workspace for all compactions of up to `n` elements: at most n / 28 for Ts of up to 16 bytes.
template <class T>
std::size_t select_workspace_bytes(std::uint64_t n) {
  return detail::words_workspace_bytes(n, sizeof(detail::Runs<std::uint32_t>), sizeof(T));
}

namespace detail {

template <class In, class Out, class Keep, class Number>
cudaError_t select(const workspace &space, In in, Out out, Number *kept, Count count, Keep keep, cudaStream_t stream) {
  if (count.most > 0 && !may_be_together(in, out, count.most)) {
    return cudaErrorInvalidValue;
  }
  return compact<Rejects::kDropped>(space, in, out, 0, kept, count, keep, stream);
}

}  // namespace detail

template <class In, class Out, class Number, class N, class Predicate>
cudaError_t select_if(const workspace &space, In in, Out out, Number *kept, N n, Predicate predicate,
                      cudaStream_t stream = nullptr) {
  return detail::select(space, in, out, kept, detail::count_of(n), detail::KeepIf<Predicate>(predicate), stream);
}

template <class In, class Flag, class Out, class Number, class N>
cudaError_t select_by_flag(const workspace &space, In in, const Flag *flags, Out out, Number *kept, N n,
                           cudaStream_t stream = nullptr) {
  return detail::select(space, in, out, kept, detail::count_of(n), detail::KeepMarked<Flag, detail::IsNotZero>{flags, {}},
                        stream);
}

template <class In, class Out, class Number, class N>
cudaError_t select_by_bit(const workspace &space, In in, const std::uint32_t *bits, Out out, Number *kept, N n,
                          cudaStream_t stream = nullptr) {
  return detail::select(space, in, out, kept, detail::count_of(n), detail::KeepByBit{bits}, stream);
}

template <class In, class Stencil, class Out, class Number, class N, class Predicate>
cudaError_t select_by_stencil(const workspace &space, In in, const Stencil *stencil, Out out, Number *kept, N n,
                              Predicate predicate, cudaStream_t stream = nullptr) {
  return detail::select(space, in, out, kept, detail::count_of(n), detail::KeepMarked<Stencil, Predicate>{stencil, predicate},
                        stream);
}

template <class In, class Out, class Number, class N, class Equal = equal_to>
cudaError_t unique(const workspace &space, In in, Out out, Number *kept, N n, Equal equal = {}, cudaStream_t stream = nullptr) {
  return detail::select(space, in, out, kept, detail::count_of(n), detail::KeepFirstOfRun<Equal>(equal), stream);
}

template <class Key, class In, class OutKeys, class Out, class Number, class N, class Equal = equal_to>
cudaError_t unique_by_key(const workspace &space, const Key *keys, In in, OutKeys out_keys, Out out, Number *kept, N n,
                          Equal equal = {}, cudaStream_t stream = nullptr) {
  const detail::Count count = detail::count_of(n);
  if (count.most > 0 &&
      (!detail::may_be_together(in, out, count.most) || !detail::may_be_together(keys, out_keys, count.most))) {
    return cudaErrorInvalidValue;
  }
  return detail::compact<detail::Rejects::kDroppedWithMarks>(space, in, out, out_keys, kept, count,
                                                             detail::KeepFirstOfKeys<Key, Equal>{keys, equal}, stream);
}

}  // namespace upsweep::cuda
