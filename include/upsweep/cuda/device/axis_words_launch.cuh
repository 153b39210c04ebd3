// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Treats arrays of bytes and shorts as arrays of words, for operators that process all columns of a word together. Processing
// single elements takes longer than memory does (docs/decisions/cuda-scan-axes.md).
#pragma once

#include <upsweep/cuda/device/axis_launch.cuh>
#include <upsweep/cuda/operators.cuh>

#include <cstring>

namespace upsweep::cuda::detail {

template <class T>
inline constexpr std::uint64_t columns_of_word = 4 / sizeof(T);

// An operator on Ts, for each of the Ts of a word.
template <class Op, class T>
struct OfWord {
  __device__ __forceinline__ unsigned operator()(unsigned a, unsigned b) const {
    if constexpr (!std::is_same_v<Op, plus>) {
      return Op{}(a, b);
    } else if constexpr (sizeof(T) == 1) {
      return __vadd4(a, b);
    } else {
      return __vadd2(a, b);
    }
  }
};

template <class Problem, class T = typename Problem::T, class Op = decltype(Problem::op)>
inline constexpr bool may_be_words =
    is_contiguous<typename Problem::Input> && is_contiguous<typename Problem::Output> &&
    std::is_same_v<typename Problem::In, T> && std::is_same_v<typename Problem::Out, T> &&
    std::is_same_v<decltype(Problem::transform_in), Unchanged> && std::is_same_v<decltype(Problem::transform_out), Unchanged> &&
    std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 2 &&
    (std::is_same_v<Op, plus> || std::is_same_v<Op, bit_and> || std::is_same_v<Op, bit_or> || std::is_same_v<Op, bit_xor>);

template <class Problem>
bool lies_in_words(const Problem &problem) {
  constexpr std::uint64_t kColumns = columns_of_word<typename Problem::T>;
  const auto is_whole = [](const void *pointer, const axis_strides &strides) {
    return reinterpret_cast<std::uintptr_t>(pointer) % 4 == 0 && strides.along % kColumns == 0 && strides.batch % kColumns == 0;
  };
  // The host cannot make a word of a value in device memory.
  return problem.inner % kColumns == 0 && is_whole(problem.input, problem.in_strides) &&
         is_whole(problem.output, problem.out_strides) && problem.initial.pointer == nullptr;
}

template <class Problem>
auto as_words(const Problem &problem) {
  using T = typename Problem::T;
  constexpr std::uint64_t kColumns = columns_of_word<T>;
  const auto in_words = [](const axis_strides &strides) {
    return axis_strides{strides.batch / kColumns, strides.along / kColumns};
  };
  Later<unsigned> initial;
  T initials[kColumns];
  std::fill_n(initials, kColumns, problem.initial.value);
  std::memcpy(&initial.value, initials, sizeof(initials));
  using Words = AxisProblem<unsigned, const unsigned *, unsigned *, OfWord<decltype(problem.op), T>, Unchanged, Unchanged,
                            Problem::kInclusive, Problem::kBackward, Problem::kInitial>;
  return Words{reinterpret_cast<const unsigned *>(problem.input),
               reinterpret_cast<unsigned *>(problem.output),
               {},
               initial,
               {},
               {},
               problem.rows,
               problem.length,
               problem.inner / kColumns,
               in_words(problem.in_strides),
               in_words(problem.out_strides),
               {},
               1,
               1,
               problem.state,
               problem.words,
               problem.words_bytes};
}

template <class Problem>
cudaError_t launch_axis_by_words(const Problem &problem, const DeviceLimits &limits, cudaStream_t stream) {
  if constexpr (may_be_words<Problem>) {
    if (lies_in_words(problem)) {
      return launch_axis(as_words(problem), limits, stream);
    }
  }
  return launch_axis(problem, limits, stream);
}

}  // namespace upsweep::cuda::detail
