// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The segments of an array, and the totals of tiles of segments.
#pragma once

#include <upsweep/cuda/device/iterators.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

// The whole array as a single segment. Other segments, and compactions (compact_problem.cuh), override the members that differ.
struct Whole {
  static constexpr bool kSegmented = false;
  static constexpr bool kListed = false;  // heads come from memory
  static constexpr bool kMarked = false;  // marks come with the elements
  static constexpr int kItemsPerMark = 1;
  static constexpr bool kIsMask = false;       // each mark is the bits of several elements
  static constexpr bool kLooksBefore = false;  // at the element before
  static constexpr bool kContinued = false;    // the first element may continue a segment before the array
  using Mark = unsigned char;
};
// Marks that the loader brings with a tile.
template <class Marks>
struct Marked : Whole {
  static constexpr bool kMarked = true;
  using Mark = ElementOf<Marks>;

  Marks marks;

  __host__ explicit Marked(Marks m) : marks(m) {}
};

// A new segment starts where the key differs from the preceding key.
template <class Keys, class Equal>
struct ByKey : Marked<Keys> {
  static constexpr bool kSegmented = true;
  using Mark = ElementOf<Keys>;

  Equal equal;

  __host__ ByKey(Keys keys, Equal e) : Marked<Keys>(keys), equal(e) {}
  __device__ __forceinline__ bool is_head(const Mark &before, const Mark &key) const { return !equal(before, key); }
};

// A new segment starts where a flag is not 0.
template <class Flags>
struct ByFlag : Marked<Flags> {
  static constexpr bool kSegmented = true;
  using Mark = ElementOf<Flags>;
  using Marked<Flags>::Marked;

  __device__ __forceinline__ bool is_head(const Mark &, const Mark &flag) const { return flag != Mark(0); }
};

// Segments by key or flag of which the first continues a segment before the array, if *continues is not 0. *total is then the
// total of that segment, with the scan's initial value.
template <class Segments, class T>
struct Continued : Segments {
  static constexpr bool kContinued = true;
  const T *total;
  const std::uint32_t *continues;

  __host__ Continued(const Segments &segments, const T *t, const std::uint32_t *c)
      : Segments(segments), total(t), continues(c) {}
};

// A new segment starts after every `length` elements.
struct ByRow : Whole {
  static constexpr bool kSegmented = true;
  std::uint64_t length;

  __host__ explicit ByRow(std::uint64_t l) : length(l) {}
};

// New segments start at the elements whose bits in their slice's mask are set. Its highest bit is set, and stands for no
// element.
struct ByHeads : Whole {
  static constexpr bool kSegmented = true;
  static constexpr bool kListed = true;
  void *heads;  // a Geometry::Heads for each slice of all tiles

  __host__ ByHeads(void *h) : heads(h) {}
};
template <class Heads>
inline constexpr Heads kNoHeads = Heads(1) << (8 * sizeof(Heads) - 1);

// New segments start at the given offsets, which are sorted: a kernel makes heads of them first (segment_list_kernel.cuh).
template <class Offset>
struct ByOffset : ByHeads {
  const Offset *offsets;
  std::uint64_t segments;
};

// The total of a tile of segments: the total since the last head, and whether there is a head. Not a flagged<T>, whose bool
// goes through local memory when it is copied by words.
template <class T>
struct Run {
  T value;
  unsigned has_head;
};

template <class Op>
struct RunOperator {
  Op op;

  template <class T>
  __device__ __forceinline__ Run<T> operator()(const Run<T> &left, const Run<T> &right) const {
    Run<T> run{right.value, left.has_head | right.has_head};
    if (right.has_head == 0) {
      run.value = op(left.value, right.value);
    }
    return run;
  }
};

template <class T>
inline constexpr bool is_run = false;
template <class T>
inline constexpr bool is_run<Run<T>> = true;

}  // namespace upsweep::cuda::detail
