// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random kernels whose work-items wait for each other: by loops that poll memory, and for locks.
#ifndef UPSWEEP_TESTS_FUZZ_WAIT_KERNEL_H
#define UPSWEEP_TESTS_FUZZ_WAIT_KERNEL_H

#include <functional>
#include <random>
#include <span>
#include <string>

namespace upsweep::fuzz {

constexpr unsigned kRoomInts = 16384;  ///< the global memory that work-items share, initially 0
constexpr unsigned kHereInts = 1024;   ///< the local memory

struct WaitKernel {
  /// A `kernel void NAME(global int *out, volatile global int *room, volatile local int *here)`, with macros before it.
  std::string source;
  size_t global = 0, local = 0;
  /// The first error in `out`, an int for each work-item, and `room`; empty if the results are right.
  std::function<std::string(std::span<const int> out, std::span<const int> room)> check;
};

using Random = std::mt19937_64;

inline size_t pick(Random &random, size_t count) { return random() % count; }
template <class T, size_t N>
const T &pick_from(Random &random, const T (&values)[N]) {
  return values[pick(random, N)];
}

WaitKernel make_poll(Random &random, const std::string &name);
WaitKernel make_lock(Random &random, const std::string &name);

}  // namespace upsweep::fuzz
#endif
