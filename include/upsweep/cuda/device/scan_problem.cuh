// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request of one device-wide scan: types that fix the kernel, and the values that a launch passes to it.
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/iterators.cuh>
#include <upsweep/cuda/device/segments.cuh>
#include <upsweep/cuda/device/tile_word.cuh>
#include <upsweep/cuda/device/values.cuh>
#include <upsweep/cuda/options.cuh>

#include <algorithm>
#include <cstdint>

namespace upsweep::cuda::detail {

template <class Problem, class Geometry>
struct ScanWork;

// T         the operands of the operator (the type of initial values and totals)
// Input     iterator or pointer to elements that TransformIn makes a T of
// Output    iterator or pointer to the results of TransformOut(T)
// Segments  a class of segments (segments.cuh)
template <class T_, class Input_, class Output_, class Op_, class TransformIn_, class TransformOut_, class Segments_,
          bool kInclusive_, bool kBackward_, bool kInitial_, bool kTotal_>
struct ScanProblem {
  using T = T_;
  using Input = Input_;
  using Output = Output_;
  using Op = Op_;
  using Segments = Segments_;
  using In = ElementOf<Input>;
  using Out = ResultOf<Output, T>;
  static constexpr std::size_t kLargest = std::max({sizeof(T), sizeof(In), sizeof(Out)});
  // The total of a tile.
  using Element = std::conditional_t<Segments::kSegmented, Run<T>, T>;
  using Prefix = Element;  // the total of all tiles before
  template <class Geometry>
  using Work = ScanWork<ScanProblem, Geometry>;
  static constexpr bool kInclusive = kInclusive_;
  static constexpr bool kBackward = kBackward_;
  static constexpr bool kInitial = kInitial_;
  static constexpr bool kTotal = kTotal_;

  Input input;
  Output output;
  Later<std::uint64_t> count;
  Op op;
  Later<T> initial;
  T *total;
  TransformIn_ transform_in;
  TransformOut_ transform_out;
  Segments segments;
  ScanState *state;
  TileWord<Element> *words;
  std::uint64_t words_bytes;
};

}  // namespace upsweep::cuda::detail
