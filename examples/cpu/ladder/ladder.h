// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scans of GPU Gems 3, chapter 39, for CPU threads, to read, test and measure: exclusive sums of an array or of each of
// its chunks. They use only the library's executors, and are not a part of the library. A loop over i within a step stands for
// the work-items of a block; compilers vectorise it.
#pragma once

#include <upsweep/cpu/thread_pool.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

namespace ladder {

using upsweep::cpu::thread_pool;

constexpr std::size_t kChunk = 1024;

// Calls work(i) for all i below `count`, on all threads of the pool.
template <class Work>
void for_all(thread_pool &pool, std::size_t count, const Work &work) {
  std::atomic<std::size_t> next{0};
  pool.run(pool.concurrency(), [&]() noexcept {
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      work(i);
    }
  });
}

// Sequential.
template <class T>
T sequential(const T *in, T *out, std::size_t n, T total = T(0)) {
  for (std::size_t i = 0; i < n; ++i) {
    const T x = in[i];
    out[i] = total;
    total += x;
  }
  return total;
}

// Algorithm 1 (Hillis and Steele 1986): log2(n) steps of n additions, in place. It starts from the last element, since a step
// must read the results of the previous step.
template <class T>
void hillis_steele_in_place(const T *in, T *out, std::size_t n) {
  out[0] = T(0);
  std::copy_n(in, n - 1, out + 1);
  for (std::size_t d = 1; d < n; d *= 2) {
    for (std::size_t i = n; i-- > d;) {
      out[i] += out[i - d];
    }
  }
}

// Algorithm 2: Algorithm 1 with two buffers.
template <class T>
void hillis_steele(const T *in, T *out, std::size_t n) {
  T buffers[2][kChunk];
  T *from = buffers[0], *to = buffers[1];
  from[0] = T(0);
  std::copy_n(in, n - 1, from + 1);
  for (std::size_t d = 1; d < n; d *= 2) {
    std::copy_n(from, d, to);
    for (std::size_t i = d; i < n; ++i) {
      to[i] = from[i] + from[i - d];
    }
    std::swap(from, to);
  }
  std::copy_n(from, n, out);
}

// Algorithms 3 and 4 (Blelloch 1990): sums of a tree from the leaves to the root, and prefixes back, with n additions each. n
// is a power of two.
template <class T>
void up_sweep(T *a, std::size_t n) {
  for (std::size_t d = 1; d < n; d *= 2) {
    for (std::size_t i = 0; i < n; i += 2 * d) {
      a[i + 2 * d - 1] += a[i + d - 1];
    }
  }
}
template <class T>
void down_sweep(T *a, std::size_t n) {
  a[n - 1] = T(0);
  for (std::size_t d = n / 2; d > 0; d /= 2) {
    for (std::size_t i = 0; i < n; i += 2 * d) {
      const T left = a[i + d - 1];
      a[i + d - 1] = a[i + 2 * d - 1];
      a[i + 2 * d - 1] += left;
    }
  }
}
template <class T>
void blelloch(const T *in, T *out, std::size_t n) {
  std::copy_n(in, n, out);
  up_sweep(out, n);
  down_sweep(out, n);
}

// Algorithms 5, 2 and 6 (Sengupta and others 2006): some steps of reduction, each to an array of half the size, a scan by
// Algorithm 2, and as many steps down.
template <std::size_t kSteps, class T>
void hybrid(const T *in, T *out, std::size_t n) {
  if constexpr (kSteps == 0) {
    hillis_steele(in, out, n);
  } else {
    T sums[kChunk / 2] = {}, before[kChunk / 2];
    for (std::size_t i = 0; i < n / 2; ++i) {
      sums[i] = in[2 * i] + in[2 * i + 1];
    }
    hybrid<kSteps - 1>(sums, before, n / 2);
    for (std::size_t i = 0; i < n / 2; ++i) {
      const T first = in[2 * i];
      out[2 * i] = before[i];
      out[2 * i + 1] = before[i] + first;
    }
  }
}

// Scans each chunk of kChunk elements separately; n is a multiple of kChunk.
template <class T, class ScanChunk>
void each_chunk(thread_pool &pool, const T *in, T *out, std::size_t n, ScanChunk scan) {
  constexpr std::size_t kTogether = 64;
  for_all(pool, (n / kChunk + kTogether - 1) / kTogether, [&](std::size_t piece) {
    for (std::size_t i = piece * kTogether * kChunk; i < std::min(n, (piece + 1) * kTogether * kChunk); i += kChunk) {
      scan(in + i, out + i, kChunk);
    }
  });
}

// Section 39.2.4: scans of blocks, a scan of their sums, and a uniform addition; everything is read and written twice.
template <class T>
void uniform_add(thread_pool &pool, const T *in, T *out, std::size_t n, std::size_t block = std::size_t(1) << 16) {
  const std::size_t blocks = (n + block - 1) / block;
  const auto size = [&](std::size_t b) { return std::min(block, n - b * block); };
  std::vector<T> sums(blocks);
  for_all(pool, blocks, [&](std::size_t b) { sums[b] = sequential(in + b * block, out + b * block, size(b)); });
  sequential(sums.data(), sums.data(), blocks);
  for_all(pool, blocks, [&](std::size_t b) {
    for (std::size_t i = b * block; i < b * block + size(b); ++i) {
      out[i] += sums[b];
    }
  });
}

// Reductions of blocks, a scan of their totals, and scans: everything is read twice and written once.
template <class T>
void reduce_then_scan(thread_pool &pool, const T *in, T *out, std::size_t n, std::size_t block = std::size_t(1) << 16) {
  const std::size_t blocks = (n + block - 1) / block;
  const auto size = [&](std::size_t b) { return std::min(block, n - b * block); };
  std::vector<T> sums(blocks);
  for_all(pool, blocks, [&](std::size_t b) {
    T lanes[16] = {};
    std::size_t i = 0;
    for (; i + 16 <= size(b); i += 16) {
      for (std::size_t lane = 0; lane < 16; ++lane) {
        lanes[lane] += in[b * block + i + lane];
      }
    }
    for (; i < size(b); ++i) {
      lanes[0] += in[b * block + i];
    }
    for (const T lane : lanes) {
      sums[b] += lane;
    }
  });
  sequential(sums.data(), sums.data(), blocks);
  for_all(pool, blocks, [&](std::size_t b) { sequential(in + b * block, out + b * block, size(b), sums[b]); });
}

}  // namespace ladder
