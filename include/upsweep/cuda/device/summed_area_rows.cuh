// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loads and stores of a tile of a summed-area table, row by row.
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>
#include <upsweep/cuda/device/slice.cuh>
#include <upsweep/cuda/device/summed_area_problem.cuh>

namespace upsweep::cuda::detail {

template <std::size_t kBytes>
struct VectorOf;
template <>
struct VectorOf<2> {
  using type = unsigned short;
};
template <>
struct VectorOf<4> {
  using type = unsigned;
};
template <>
struct VectorOf<8> {
  using type = uint2;
};
template <>
struct VectorOf<16> {
  using type = uint4;
};

__device__ __forceinline__ void forget_word(unsigned short &word) { asm volatile("" : "+h"(word)); }
__device__ __forceinline__ void forget_word(unsigned &word) { asm volatile("" : "+r"(word)); }
__device__ __forceinline__ void forget_word(uint2 &words) { asm volatile("" : "+r"(words.x), "+r"(words.y)); }
__device__ __forceinline__ void forget_word(uint4 &words) {
  asm volatile("" : "+r"(words.x), "+r"(words.y), "+r"(words.z), "+r"(words.w));
}

// Neighbouring elements, in vectors of up to 16 bytes, which are read once or written once.
template <class T, int kItems>
struct RowVectors {
  static constexpr std::size_t kBytes = kItems * sizeof(T);
  static constexpr std::size_t kVectorBytes = kBytes < 16 ? kBytes : 16;
  static constexpr int kVectors = static_cast<int>(kBytes / kVectorBytes);
  using Vector = typename VectorOf<kVectorBytes>::type;

  Vector vectors[kVectors];

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      vectors[v] = Vector{};
    }
  }
  __device__ __forceinline__ void load(const T *from) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      vectors[v] = load_once(reinterpret_cast<const Vector *>(from) + v);
    }
  }
  // Loads `count` elements from any address.
  __device__ __forceinline__ void load(const T *from, int count) {
    T elements[kItems];
    clear();
    get(elements);
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (i < count) {
        elements[i] = from[i];
      }
    }
    put(elements);
  }
  // Stores `count` elements to the place of a whole vector.
  __device__ __forceinline__ void store(T *to, int count) const {
    if (count >= kItems) {
#pragma unroll
      for (int v = 0; v < kVectors; ++v) {
        store_once(reinterpret_cast<Vector *>(to) + v, vectors[v]);
      }
    } else {
      T elements[kItems];
      get(elements);
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (i < count) {
          to[i] = elements[i];
        }
      }
    }
  }
  // Otherwise the compiler would keep values computed from the elements in registers, rather than compute them again.
  __device__ __forceinline__ void forget() {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      forget_word(vectors[v]);
    }
  }
  __device__ __forceinline__ void get(T (&elements)[kItems]) const { std::memcpy(elements, vectors, kBytes); }
  __device__ __forceinline__ void put(const T (&elements)[kItems]) { std::memcpy(vectors, elements, kBytes); }
};

// Stores `columns` elements of a row that need not begin at a whole vector. They pass through the warp's `staging`, so that the
// warp writes neighbouring elements together.
template <class Sum, int kVector>
__device__ __forceinline__ void store_moved_row(Sum *row, int columns, Sum *staging, const Sum (&sums)[kVector]) {
  __syncwarp();
#pragma unroll
  for (int i = 0; i < kVector; ++i) {
    staging[lane_id() * kVector + i] = sums[i];
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < kVector; ++i) {
    const int column = i * 32 + lane_id();
    if (column < columns) {
      row[column] = staging[column];
    }
  }
}

}  // namespace upsweep::cuda::detail
