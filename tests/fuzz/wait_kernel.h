// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random kernels whose work-items wait for each other: by loops that poll memory, and for locks.
#ifndef UPSWEEP_TESTS_FUZZ_WAIT_KERNEL_H
#define UPSWEEP_TESTS_FUZZ_WAIT_KERNEL_H

#include <array>
#include <functional>
#include <random>
#include <span>
#include <string>

namespace upsweep::fuzz {

constexpr unsigned kRoomInts = 16384;  ///< the global memory that work-items share, initially 0
constexpr unsigned kHereInts = 1024;   ///< the local memory

using Sizes = std::array<size_t, 3>;

/// Work-groups in a row along x.
struct Shape {
  Sizes local = {1, 1, 1};
  size_t groups = 1;

  [[nodiscard]] size_t items() const { return local[0] * local[1] * local[2]; }  ///< of a work-group
  [[nodiscard]] Sizes global() const { return {local[0] * groups, local[1], local[2]}; }
};

struct WaitKernel {
  /// A `kernel void NAME(global int *out, volatile global int *room, volatile local int *here)`, with macros before it.
  std::string source;
  Shape shape;
  /// The first error in `out`, an int for each work-item, and `room`; empty if the results are right.
  std::function<std::string(std::span<const int> out, std::span<const int> room)> check;
  /// Ends on NVIDIA GPUs as well, whose threads of a warp meet behind each branch and take turns (docs/decisions/locks.md).
  bool ends_on_gpus = true;
};

using Random = std::mt19937_64;

inline size_t pick(Random &random, size_t count) { return random() % count; }
template <class T, size_t N>
const T &pick_from(Random &random, const T (&values)[N]) {
  return values[pick(random, N)];
}

WaitKernel make_poll(Random &random, const std::string &name);
WaitKernel make_lock(Random &random, const std::string &name);
WaitKernel make_nested(Random &random, const std::string &name);

}  // namespace upsweep::fuzz
#endif
