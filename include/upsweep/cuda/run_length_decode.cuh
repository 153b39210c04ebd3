// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of runs, from their values and lengths.
//
//   run_length_decode   out[o] = values[k] for the lengths[k] places o after the preceding runs
//   repeat              the same from offsets: out[o] = values[k] where offsets[k] <= o < offsets[k + 1], and offsets[0] is 0
//
// `space`    initialised workspace of at least run_length_decode_workspace_bytes(runs) bytes, or stream_pool (workspace.cuh);
//            `repeat` needs none.
// `values`   device pointer or random-access iterator.
// `lengths`  device pointer or iterator to integers of at least 0.
// `runs`     their number, 0 to 2^38, or count_at(pointer, at_most).
// `out`      device pointer or random-access iterator, with room for all elements, at most 2^40; it must not overlap the
//            inputs.
// `total`    device pointer to an integer, which becomes the number of elements; or nullptr.
//
// Decoding takes two launches: a scan of the lengths, and the expansion. Runs may be of any lengths, mixed in any order. Work
// is queued on `stream` and nothing synchronises, so calls can be captured in a graph. Only stream_pool allocates memory.
//
// Errors: cudaErrorInvalidValue for a null pointer, a workspace that is too small or misaligned, or too many runs.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/expand_kernel.cuh>
#include <upsweep/cuda/device/tuning_segmented_reduce.cuh>
#include <upsweep/cuda/scan.cuh>

namespace upsweep::cuda {

// Bytes of a workspace for up to `runs` runs: eight for each run, plus a scan's workspace.
inline std::size_t run_length_decode_workspace_bytes(std::uint64_t runs) {
  return (scan_workspace_bytes<std::uint64_t>(runs) + 15) / 16 * 16 + runs * 8;
}

namespace detail {

template <class Values, class Out, class Offsets, class Number>
cudaError_t expand(Values values, Out out, const Offsets &offsets, const Count &runs, Number *total, cudaStream_t stream) {
  using Problem = ExpandProblem<Values, Out, Offsets, Number>;
  using Value = typename Problem::Value;
  static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= 64,
                "values must be trivially copyable and of at most 64 bytes");
  const Problem problem{values, out, offsets, {runs.most, runs.pointer}, total};
  if constexpr (std::is_same_v<Out, Value *> && 16 % sizeof(Value) == 0) {
    if (is_vector_aligned(out)) {
      return launch(expand_kernel<Problem, ExpandGeometry<Problem, true>>, TunedSegmentedReduce::kBlocks,
                    TunedSegmentedReduce::kThreads, 0, stream, problem);
    }
  }
  return launch(expand_kernel<Problem, ExpandGeometry<Problem, false>>, TunedSegmentedReduce::kBlocks,
                TunedSegmentedReduce::kThreads, 0, stream, problem);
}

// Makes a word without a call's tag.
struct ToNoWord {
  __host__ __device__ std::uint64_t operator()(std::uint64_t end) const { return end | kNoWord; }
};
struct ToLength {
  template <class T>
  __host__ __device__ std::uint64_t operator()(const T &length) const {
    return static_cast<std::uint64_t>(length);
  }
};

inline constexpr std::uint64_t kMostRuns = std::uint64_t(1) << 38;

}  // namespace detail

namespace detail {

template <class Values, class Offset, class Out, class Number>
cudaError_t repeat(Values values, const Offset *offsets, const Count &count, Out out, Number *total, cudaStream_t stream) {
  if (count.most > kMostRuns || count.is_null || (count.most > 0 && (is_null(values) || offsets == nullptr || is_null(out)))) {
    return cudaErrorInvalidValue;
  }
  return expand(values, out, OffsetsAt<Offset>{offsets}, count, total, stream);
}

template <class Values, class Lengths, class N, class Out, class Number>
cudaError_t run_length_decode(const workspace &space, Values values, Lengths lengths, N n, Out out, Number *total,
                              cudaStream_t stream) {
  const Count count = count_of(n);
  if (count.most > kMostRuns || count.is_null || (count.most > 0 && (is_null(values) || is_null(lengths) || is_null(out)))) {
    return cudaErrorInvalidValue;
  }
  const std::size_t needed = run_length_decode_workspace_bytes(count.most);
  return with_workspace(space, needed, stream, [&](const workspace &own) {
    workspace of_scan;
    of_scan.data = own.data;
    of_scan.bytes = needed - count.most * 8;
    auto *const ends = reinterpret_cast<std::uint64_t *>(static_cast<unsigned char *>(own.data) + of_scan.bytes);
    const cudaError_t error = inclusive_scan(of_scan, lengths, ends, n, plus{}, stream, accumulator<std::uint64_t>,
                                             transform_input(ToLength{}), transform_output(ToNoWord{}));
    if (error != cudaSuccess) {
      return error;
    }
    return expand(values, out, OffsetsOfRuns{ends}, count, total, stream);
  });
}

// A pointer to the number of elements, if one is among the arguments.
template <class Argument>
inline constexpr bool is_total =
    is_wrapped_pointer<Argument> ||
    (std::is_pointer_v<Unwrapped<Argument>> && std::is_integral_v<std::remove_pointer_t<Unwrapped<Argument>>>);
inline std::uint64_t *total_among() { return nullptr; }
template <class First, class... Rest>
auto total_among(const First &first, const Rest &...rest) {
  if constexpr (is_total<First>) {
    return unwrapped(first);
  } else {
    return total_among(rest...);
  }
}
template <class... More>
constexpr bool are_total_and_stream() {
  constexpr bool kAre = ((is_total<More> || is_stream<More>) && ...);
  static_assert(kAre, "upsweep: an argument behind the output is neither a stream nor a pointer to an integer");
  return kAre;
}

}  // namespace detail

template <class Values, class Offsets, class N, class Out, class... More>
cudaError_t repeat(Values values, Offsets offsets, N runs, Out out, More... more) {
  if constexpr (detail::are_arrays<Values, Out, N>() && detail::are_pointers<Offsets>()) {
    if constexpr (detail::are_total_and_stream<More...>()) {
      return detail::repeat(detail::unwrapped(values), detail::unwrapped(offsets), detail::count_of(runs),
                            detail::unwrapped(out), detail::total_among(more...), detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

template <class Values, class Lengths, class N, class Out, class... More>
cudaError_t run_length_decode(const workspace &space, Values values, Lengths lengths, N runs, Out out, More... more) {
  if constexpr (detail::are_arrays<Values, Out, N>() && detail::is_further_array<Lengths>()) {
    if constexpr (detail::are_total_and_stream<More...>()) {
      return detail::run_length_decode(space, detail::unwrapped(values), detail::unwrapped(lengths), runs,
                                       detail::unwrapped(out), detail::total_among(more...), detail::stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(run_length_decode)

}  // namespace upsweep::cuda
#endif
