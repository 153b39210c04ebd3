// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide selections: the kept elements of an array, without gaps, in their order, in one launch.
//
//   select_if          keeps x[i] where predicate(x[i])
//   select_by_flag     keeps x[i] where flags[i] is not 0
//   select_by_bit      keeps x[i] where bit i % 32 of bits[i / 32] is 1
//   select_by_stencil  keeps x[i] where predicate(stencil[i])
//   unique             keeps x[0], and x[i] where not equal(x[i - 1], x[i])
//   unique_by_key      keeps keys[0] and x[0], and keys[i] and x[i] where not equal(keys[i - 1], keys[i])
//
// `space`      initialised workspace of at least select_workspace_bytes<T>(n) bytes, or stream_pool (workspace.cuh).
// `in`, `out`  device pointers or random-access iterators; out has room for the kept elements. They may be the same, but must
//              not overlap otherwise. An input that is aligned to its elements takes the fast path. With flags, bits or a
//              stencil, both arrays must be aligned to 16 bytes for the fast path.
// `kept`       device pointer to an integer, which becomes the number of kept elements.
// `n`          0 to 2^40 elements, or count_at(pointer, at_most).
//
// Each input is read once, and each kept element is written once. Memory behind the kept elements is not written. Work is
// queued on `stream` and nothing synchronises, so calls can be captured in a graph. Only stream_pool allocates memory.
//
// Errors: cudaErrorInvalidValue for a null pointer, arrays that overlap but are not the same, a workspace that is too small or
// misaligned, or too many elements.
//
// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back"; rows of a warp by ballot
// (Harris and Garland 2012, "Optimizing Parallel Prefix Operations for the Fermi Architecture").
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/call.cuh>
#include <upsweep/cuda/device/compact_launch.cuh>

namespace upsweep::cuda {

// Bytes of a workspace for all compactions of up to `n` elements: at most n / 28 for Ts of up to 16 bytes.
template <class T>
std::size_t select_workspace_bytes(std::uint64_t n) {
  return detail::words_workspace_bytes(n, sizeof(detail::Runs<std::uint32_t>), sizeof(T));
}

namespace detail {

// The types have been checked.
template <Rejects kRejects, class In, class Out, class Rejected, class Number, class N, class Keep>
cudaError_t call_compact(const workspace &space, In in, Out out, Rejected rejected, Number kept, N n, const Keep &keep,
                         cudaStream_t stream) {
  return compact<kRejects>(space, unwrapped(in), unwrapped(out), unwrapped(rejected), unwrapped(kept), count_of(n), keep,
                           stream);
}

template <class In, class Out, class Number, class N, class Keep>
cudaError_t call_select(const workspace &space, In in, Out out, Number kept, N n, const Keep &keep, cudaStream_t stream) {
  return call_compact<Rejects::kDropped>(space, in, out, 0, kept, n, keep, stream);
}

template <class Predicate, class Marks>
auto keep_marked(Marks marks, Predicate predicate) {
  return KeepMarked<Unwrapped<Marks>, Predicate>{unwrapped(marks), predicate};
}

}  // namespace detail

template <class In, class Out, class Number, class N, class Predicate, class... More>
cudaError_t select_if(const workspace &space, In in, Out out, Number kept, N n, Predicate predicate, More... more) {
  if constexpr (detail::are_of_select<In, Out, Number, N, More...>()) {
    if constexpr (detail::is_predicate_of<Predicate, detail::ElementOf<detail::Unwrapped<In>>>()) {
      return detail::call_select(space, in, out, kept, n, detail::KeepIf<Predicate>(predicate), detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

template <class In, class Flags, class Out, class Number, class N, class... More>
cudaError_t select_by_flag(const workspace &space, In in, Flags flags, Out out, Number kept, N n, More... more) {
  if constexpr (detail::are_of_select<In, Out, Number, N, More...>() && detail::is_further_array<Flags>()) {
    return detail::call_select(space, in, out, kept, n, detail::keep_marked(flags, detail::IsNotZero{}),
                               detail::stream_of(more...));
  }
  return cudaErrorInvalidValue;
}

template <class In, class Bits, class Out, class Number, class N, class... More>
cudaError_t select_by_bit(const workspace &space, In in, Bits bits, Out out, Number kept, N n, More... more) {
  constexpr bool kAreWords = std::is_convertible_v<detail::Unwrapped<Bits>, const std::uint32_t *>;
  static_assert(kAreWords, "upsweep: the bits are no pointer to words of 32 bits");
  if constexpr (detail::are_of_select<In, Out, Number, N, More...>() && kAreWords) {
    return detail::call_select(space, in, out, kept, n, detail::KeepByBit{detail::unwrapped(bits)}, detail::stream_of(more...));
  }
  return cudaErrorInvalidValue;
}

template <class In, class Stencil, class Out, class Number, class N, class Predicate, class... More>
cudaError_t select_by_stencil(const workspace &space, In in, Stencil stencil, Out out, Number kept, N n, Predicate predicate,
                              More... more) {
  if constexpr (detail::are_of_select<In, Out, Number, N, More...>() && detail::is_further_array<Stencil>()) {
    if constexpr (detail::is_predicate_of<Predicate, detail::ElementOf<detail::Unwrapped<Stencil>>>()) {
      return detail::call_select(space, in, out, kept, n, detail::keep_marked(stencil, predicate), detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

// Equal, before or behind the stream, compares neighbours; == if it is not given.
template <class In, class Out, class Number, class N, class... More>
cudaError_t unique(const workspace &space, In in, Out out, Number kept, N n, More... more) {
  if constexpr (detail::are_of_compaction<In, Out, Number, N>()) {
    using T = detail::ElementOf<detail::Unwrapped<In>>;
    if constexpr (detail::are_stream_and_binary<T, More...>()) {
      const auto equal = detail::equal_of<T>(more...);
      return detail::call_select(space, in, out, kept, n, detail::KeepFirstOfRun<std::decay_t<decltype(equal)>>(equal),
                                 detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

template <class Keys, class In, class OutKeys, class Out, class Number, class N, class... More>
cudaError_t unique_by_key(const workspace &space, Keys keys, In in, OutKeys out_keys, Out out, Number kept, N n, More... more) {
  if constexpr (detail::are_arrays<Keys, OutKeys, N>() && detail::are_of_compaction<In, Out, Number, N>()) {
    using Key = detail::ElementOf<detail::Unwrapped<Keys>>;
    if constexpr (detail::are_stream_and_binary<Key, More...>()) {
      const auto marks = detail::unwrapped(keys);
      const auto equal = detail::equal_of<Key>(more...);
      const detail::KeepFirstOfKeys<std::decay_t<decltype(marks)>, std::decay_t<decltype(equal)>> keep{marks, equal};
      return detail::call_compact<detail::Rejects::kDroppedWithMarks>(space, in, out, out_keys, kept, n, keep,
                                                                      detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(select_if)
UPSWEEP_CUDA_CALL_FROM_POOL(select_by_flag)
UPSWEEP_CUDA_CALL_FROM_POOL(select_by_bit)
UPSWEEP_CUDA_CALL_FROM_POOL(select_by_stencil)
UPSWEEP_CUDA_CALL_FROM_POOL(unique)
UPSWEEP_CUDA_CALL_FROM_POOL(unique_by_key)

}  // namespace upsweep::cuda
#endif
