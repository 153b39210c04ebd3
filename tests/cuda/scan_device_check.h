// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random input and the check of a scan on the device, for arrays too large or calls too many for the host. A result is right
// if each element follows from the previous one, and the first from the initial value.
#pragma once

#include "scan_check.h"

namespace upsweep::test {

__host__ __device__ inline std::uint32_t hash(std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
  x ^= x >> 32;
  return static_cast<std::uint32_t>(x * 0xd6e8feb86659fd93u >> 32);
}

template <class T>
__global__ void fill_kernel(T *values, std::uint64_t n, std::uint32_t seed) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(blockDim.x) + threadIdx.x; i < n;
       i += std::uint64_t(gridDim.x) * blockDim.x) {
    T value;
    if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(hash(i * 2 + seed) * 0x100000001u);
    } else {
      value = {{hash(i * 4 + seed) | 1u}, {hash(i * 4 + seed + 1)}};
    }
    values[i] = value;
  }
}

template <class T>
__device__ bool are_same(const T &a, const T &b) {
  const auto *x = reinterpret_cast<const unsigned char *>(&a);
  const auto *y = reinterpret_cast<const unsigned char *>(&b);
  bool same = true;
  for (unsigned i = 0; i < sizeof(T); ++i) {
    same = same && x[i] == y[i];
  }
  return same;
}

enum class Kind { kInclusive, kExclusive, kBackward };

// Adds the number of wrong elements to *wrong. Elements with different marks are in different segments, if there are marks.
template <Kind kKind, class T, class Op>
__global__ void check_kernel(const T *in, const T *out, std::uint64_t n, Op op, T initial, const std::uint32_t *marks,
                             unsigned long long *wrong) {
  unsigned mine = 0;
  for (std::uint64_t i = blockIdx.x * std::uint64_t(blockDim.x) + threadIdx.x; i < n;
       i += std::uint64_t(gridDim.x) * blockDim.x) {
    const std::uint64_t here = kKind == Kind::kBackward ? n - 1 - i : i;
    const std::uint64_t before = kKind == Kind::kBackward ? here + 1 : here - 1;
    const bool starts = i == 0 || (marks != nullptr && marks[here] != marks[before]);
    T expected = in[here];
    if (kKind == Kind::kExclusive) {
      expected = starts ? initial : op(out[before], in[before]);
    } else if (!starts) {
      expected = op(out[before], in[here]);
    }
    mine += are_same(expected, out[here]) ? 0 : 1;
  }
  if (mine != 0) {
    atomicAdd(wrong, static_cast<unsigned long long>(mine));
  }
}

inline constexpr unsigned kCheckThreads = 256;
inline unsigned check_blocks(std::uint64_t n) {
  return static_cast<unsigned>(std::min<std::uint64_t>(n / kCheckThreads + 1, 2048));
}

}  // namespace upsweep::test
