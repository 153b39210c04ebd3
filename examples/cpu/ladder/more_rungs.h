// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Further rungs: scans in the registers of a vector, of blocks of vectors, with segments, and in one pass with look-back.
#pragma once

#include "ladder.h"

#include <memory>
#include <thread>

namespace ladder {

constexpr std::size_t kLanes = 16;  // of a vector; the counterpart of a warp's lanes on a GPU

// The scan of a warp of 16 lanes by shuffles (Kogge and Stone 1973): a step shifts all lanes up and adds, except in lanes
// without a source.
template <class T>
T scan_lanes(const T *in, T *out) {
  T lanes[kLanes], moved[kLanes];
  std::copy_n(in, kLanes, lanes);
  for (std::size_t d = 1; d < kLanes; d *= 2) {
    for (std::size_t i = 0; i < kLanes; ++i) {
      moved[i] = i >= d ? lanes[i - d] : T(0);
    }
    for (std::size_t i = 0; i < kLanes; ++i) {
      lanes[i] += moved[i];
    }
  }
  out[0] = T(0);
  std::copy_n(lanes, kLanes - 1, out + 1);
  return lanes[kLanes - 1];
}

// A block from vectors: each vector is scanned, then their totals, which are added to each.
template <class T>
void block_from_vectors(const T *in, T *out, std::size_t n) {
  T totals[kChunk / kLanes];
  for (std::size_t i = 0; i < n; i += kLanes) {
    totals[i / kLanes] = scan_lanes(in + i, out + i);
  }
  sequential(totals, totals, n / kLanes);
  for (std::size_t i = 0; i < n; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      out[i + lane] += totals[i / kLanes];
    }
  }
}

// Scans each vector separately: n is a multiple of kLanes.
template <class T>
void each_vector(const T *in, T *out, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) {
    scan_lanes(in + i, out + i);
  }
}

// Inclusive sums that start again at heads (Schwartz 1980), for the 16 lanes of a vector: a lane adds the lanes below it until
// its part contains a head.
template <class T>
void segmented_lanes(const T *in, const std::uint8_t *heads, T *out) {
  T lanes[kLanes];
  std::uint32_t has_head[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i) {
    lanes[i] = in[i];
    has_head[i] = heads[i];
  }
  for (std::size_t d = 1; d < kLanes; d *= 2) {
    for (std::size_t i = kLanes; i-- > d;) {
      lanes[i] += has_head[i] != 0 ? T(0) : lanes[i - d];
      has_head[i] |= has_head[i - d];
    }
  }
  std::copy_n(lanes, kLanes, out);
}

// A single pass with look-back (Merrill and Garland 2016), as in the textbook. A block publishes its total. It adds the totals
// of earlier blocks until a block has its prefix, publishes its own prefix, and adds the prefix of earlier blocks to its
// results.
template <class T>
void decoupled_look_back(thread_pool &pool, const T *in, T *out, std::size_t n, std::size_t block = std::size_t(1) << 14) {
  enum Status { kInvalid, kTotal, kPrefix };
  struct State {
    std::atomic<int> status{kInvalid};
    T total, prefix;
  };
  const std::size_t blocks = (n + block - 1) / block;
  const std::unique_ptr<State[]> states(new State[blocks]);
  // Blocks begin in the order of their numbers, so that all earlier ones have begun.
  for_all(pool, blocks, [&](std::size_t b) {
    const std::size_t begin = b * block, size = std::min(block, n - begin);
    states[b].total = sequential(in + begin, out + begin, size);
    states[b].status.store(kTotal, std::memory_order_release);
    T prefix = T(0);
    for (std::size_t before = b; before-- > 0;) {
      int status = kInvalid;
      while ((status = states[before].status.load(std::memory_order_acquire)) == kInvalid) {
        std::this_thread::yield();
      }
      prefix += status == kPrefix ? states[before].prefix : states[before].total;
      if (status == kPrefix) {
        break;
      }
    }
    states[b].prefix = prefix + states[b].total;
    states[b].status.store(kPrefix, std::memory_order_release);
    for (std::size_t i = begin; i < begin + size; ++i) {
      out[i] += prefix;
    }
  });
}

}  // namespace ladder
