// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request of one device-wide scan: types that fix the kernel, and the values that a launch passes to it.
#pragma once

#include <upsweep/cuda/device/iterators.cuh>
#include <upsweep/cuda/device/slice.cuh>
#include <upsweep/cuda/device/tile_word.cuh>

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace upsweep::cuda::detail {

// A value that may be known on the host, or only in device memory when the kernel runs.
template <class T>
struct Later {
  T value{};
  const T *pointer = nullptr;

  __device__ __forceinline__ T get() const { return pointer != nullptr ? *pointer : value; }
};

struct Unchanged {
  template <class T>
  __host__ __device__ __forceinline__ T operator()(const T &value) const {
    return value;
  }
};

// The state that outlives a call: the number of the call, and the tickets that were drawn in it.
struct ScanState {
  unsigned long long call_and_ticket;
  unsigned blocks_finished;  // of the last call alone
  unsigned mark;             // kMark after the first call, so that other data are not taken for a workspace
  // Of all blocks in this call, where they are kept together (axis_pace.cuh); 0 between calls. It is polled, and so lies apart
  // from the tickets.
  unsigned long long unused[6];
  unsigned long long steps_begun;
  // How many blocks of a call wait for each other (roll_call.cuh), below the call's number + 1.
  unsigned long long present;
};

// The tags of calls are 1 to 2^31 - 2, so that cleared memory is of no call; after the last one the words are cleared. Other
// data in a workspace have the highest bit set where a later call may have a tag.
inline constexpr std::uint32_t kLastCall = 0x7ffffffd;

inline constexpr unsigned kMark = 0x75707377;

// By a thread of each block that waits for others, before the call's last ticket is drawn: ends the program's use of the GPU
// (cudaErrorAssert, or cudaErrorLaunchFailure with NDEBUG) where initialise() has not prepared the workspace, or where
// something else has written to its begin. By the tickets and totals of such a workspace tiles would be skipped.
__device__ __forceinline__ void check_workspace(const ScanState *state, std::uint32_t call) {
  const unsigned mark = *static_cast<const volatile unsigned *>(&state->mark);
  const bool is_prepared = mark == kMark || (mark == 0 && call == 0);
  assert(is_prepared && "upsweep: this workspace was not initialised, or overwritten");
  if (!is_prepared) {
    __trap();
  }
}

// By a kernel of a call that keeps data of its own in a workspace, in which later calls might find their tags: until the
// workspace is initialised again, check_workspace() refuses it.
__device__ __forceinline__ void spoil_workspace(ScanState *state) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    state->mark = ~kMark;
  }
}

// By the thread with the call's last ticket: the next call has this number.
__device__ __forceinline__ void end_call(ScanState *state, std::uint32_t next) {
  state->call_and_ticket = static_cast<unsigned long long>(next) << 32;
  state->mark = kMark;
}

// One segment: the whole array. What differs of other segments, and of compactions (compact_problem.cuh), they name.
struct Whole {
  static constexpr bool kSegmented = false;
  static constexpr bool kListed = false;  // heads come from memory
  static constexpr bool kMarked = false;  // marks come with the elements
  static constexpr int kItemsPerMark = 1;
  static constexpr bool kIsMask = false;       // each mark is the bits of several elements
  static constexpr bool kLooksBefore = false;  // at the element before
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

// A new segment starts where the key is not equal to the one before.
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

// A new segment starts after every `length` elements.
struct ByRow : Whole {
  static constexpr bool kSegmented = true;
  std::uint64_t length;

  __host__ explicit ByRow(std::uint64_t l) : length(l) {}
};

// New segments start where the mask of a slice says so. Its highest bit is set, and stands for no element.
struct ByHeads : Whole {
  static constexpr bool kSegmented = true;
  static constexpr bool kListed = true;
  void *heads;  // a Geometry::Heads for each slice of all tiles

  __host__ ByHeads(void *h) : heads(h) {}
};
template <class Heads>
inline constexpr Heads kNoHeads = Heads(1) << (8 * sizeof(Heads) - 1);

// New segments start at the given offsets, which are sorted: a kernel makes heads of them first (segment_list.cuh).
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

// A copy of one of two objects. A conditional expression would choose an address, and so put both into local memory.
template <class T>
__device__ __forceinline__ T chosen(bool is_first, const T &first, const T &second) {
  T copy = second;
  if (is_first) {
    copy = first;
  }
  return copy;
}

// `more`, after the total before it if there is one.
template <class Before, class More, class Op>
__device__ __forceinline__ Before combined(bool has_before, const Before &before, const More &more, Op op) {
  Before sum = more;
  if (has_before) {
    sum = op(before, more);
  }
  return sum;
}

template <class Problem, class Geometry>
struct ScanWork;

// T         the operands of the operator (the type of initial values and totals)
// Input     iterator or pointer to elements that TransformIn makes a T of
// Output    iterator or pointer to the results of TransformOut(T)
// Segments  one of the above
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
