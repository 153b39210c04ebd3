// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request of one compaction: which elements are kept, and where kept and rejected ones go.
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/iterators.cuh>
#include <upsweep/cuda/device/segments.cuh>
#include <upsweep/cuda/device/tile_word.cuh>
#include <upsweep/cuda/device/values.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

// The rule that keeps or rejects the element at `place` of a tile, given the tile's elements and their marks.
template <class Predicate>
struct KeepIf : Whole {
  Predicate predicate;

  __host__ explicit KeepIf(Predicate p) : predicate(p) {}
  template <class In>
  __device__ __forceinline__ bool keeps(const In *elements, const Mark *, int place) const {
    return predicate(elements[place]);
  }
};

// The marks decide: flags, or a stencil.
template <class Marks, class Predicate>
struct KeepMarked : Marked<Marks> {
  Predicate predicate;

  __host__ KeepMarked(Marks words, Predicate p) : Marked<Marks>(words), predicate(p) {}
  template <class In>
  __device__ __forceinline__ bool keeps(const In *, const ElementOf<Marks> *tile_marks, int place) const {
    return predicate(tile_marks[place]);
  }
};

// Bit i % 32 of word i / 32 decides on element i.
struct KeepByBit : Marked<const std::uint32_t *> {
  static constexpr bool kIsMask = true;
  static constexpr int kItemsPerMark = 32;
  using Marked::Marked;
};

// Keeps elements that differ from their predecessor.
template <class Equal>
struct KeepFirstOfRun : Whole {
  static constexpr bool kLooksBefore = true;
  Equal equal;

  __host__ explicit KeepFirstOfRun(Equal e) : equal(e) {}
  template <class In>
  __device__ __forceinline__ bool keeps(const In *elements, const Mark *, int place) const {
    return !equal(elements[place - 1], elements[place]);
  }
};

// Keeps elements whose key differs from the preceding key, for the pipeline alone.
template <class Keys, class Equal>
struct KeepFirstOfKeys : Marked<Keys> {
  Equal equal;

  __host__ KeepFirstOfKeys(Keys keys, Equal e) : Marked<Keys>(keys), equal(e) {}
  template <class In>
  __device__ __forceinline__ bool keeps(const In *, const ElementOf<Keys> *keys, int place) const {
    return !equal(keys[place - 1], keys[place]);
  }
};

// Keeps the first element only if *continues is 0: it may continue a run before the array.
template <class Keep>
struct KeepContinued : Keep {
  static constexpr bool kContinued = true;
  const std::uint32_t *continues;

  __host__ KeepContinued(const Keep &keep, const std::uint32_t *c) : Keep(keep), continues(c) {}
};

struct IsNotZero {
  template <class Flag>
  __device__ __forceinline__ bool operator()(const Flag &flag) const {
    return flag != Flag(0);
  }
};

// The destination of rejected elements: none; the end of the output, in reversed order; or a separate output. Runs count them
// with the kept element before them, or combine them with it by an operator (reduce_by_key_work.cuh). kDroppedWithMarks: none,
// and the marks of kept elements go to a separate output. kThree: one of two outputs (compact_three_work.cuh).
enum class Rejects { kDropped, kReversed, kSeparate, kCounted, kCombined, kDroppedWithMarks, kThree };

// Adds the counts of up to 128 tiles for a prefix. These tiles have fewer than 2^32 elements.
struct AddCounts {
  __device__ __forceinline__ std::uint32_t operator()(std::uint32_t left, std::uint32_t right) const { return left + right; }
  __device__ __forceinline__ std::uint64_t operator()(std::uint64_t prefix, std::uint32_t more) const { return prefix + more; }
};

// `kept`: the number of kept elements. `since`: the number of elements from the last kept element on, or of all elements if
// none is kept.
template <class Number>
struct Runs {
  Number kept, since;

  Runs() = default;
  __host__ __device__ __forceinline__ constexpr Runs(Number k, Number s) : kept(k), since(s) {}
  template <class Other>
  __host__ __device__ __forceinline__ constexpr Runs(const Runs<Other> &other) : kept(other.kept), since(other.since) {}
};
struct AddRuns {
  template <class Number>
  __device__ __forceinline__ Runs<Number> operator()(const Runs<Number> &left, const Runs<std::uint32_t> &right) const {
    return {left.kept + right.kept, right.kept > 0 ? Number(right.since) : left.since + right.since};
  }
};

__device__ __forceinline__ std::uint64_t kept_of(std::uint64_t prefix) { return prefix; }
__device__ __forceinline__ std::uint64_t kept_of(const Runs<std::uint64_t> &prefix) { return prefix.kept; }

template <class Problem, class Geometry>
struct CompactWork;

// Keep    a rule from above
// Number  an integer: the type of the number kept
template <class Input_, class Output_, class Rejected, class Keep_, class Number, Rejects kRejects_>
struct CompactProblem {
  using Input = Input_;
  using Output = Output_;
  using Segments = Keep_;  // with the marks that the loader brings
  using In = ElementOf<Input>;
  using Out = ResultOf<Output, In>;
  static constexpr Rejects kRejects = kRejects_;
  static constexpr bool kCounts = kRejects == Rejects::kCounted;
  using Element = std::conditional_t<kCounts, Runs<std::uint32_t>, std::uint32_t>;  // a tile's number of kept elements
  using Prefix = std::conditional_t<kCounts, Runs<std::uint64_t>, std::uint64_t>;
  using Op = std::conditional_t<kCounts, AddRuns, AddCounts>;
  template <class Geometry>
  using Work = typename Geometry::Work;
  template <class Geometry>
  using WorkOnRows = CompactWork<CompactProblem, Geometry>;
  static constexpr bool kBackward = false;
  static constexpr bool kInitial = true;

  Input input;
  Output output;
  Rejected rejected;
  Later<std::uint64_t> count;
  Op op;
  Later<Prefix> initial;  // 0
  Number *kept;
  Segments segments;
  ScanState *state;
  TileWord<Element> *words;
  std::uint64_t words_bytes;
};

}  // namespace upsweep::cuda::detail
