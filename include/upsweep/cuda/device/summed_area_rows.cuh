// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loads and stores of a tile of a summed-area table, row by row.
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>
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

// Neighbouring elements, in vectors of up to 16 bytes, which are read once or written once.
template <class T, int kItems>
struct RowVectors {
  static constexpr std::size_t kBytes = kItems * sizeof(T);
  static constexpr std::size_t kVectorBytes = kBytes < 16 ? kBytes : 16;
  static constexpr int kVectors = static_cast<int>(kBytes / kVectorBytes);
  using Vector = typename VectorOf<kVectorBytes>::type;

  Vector vectors[kVectors];

  __device__ __forceinline__ void load(const T *from) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      vectors[v] = __ldcs(reinterpret_cast<const Vector *>(from) + v);
    }
  }
  __device__ __forceinline__ void store(T *to) const {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      __stcs(reinterpret_cast<Vector *>(to) + v, vectors[v]);
    }
  }
  __device__ __forceinline__ void get(T (&elements)[kItems]) const { std::memcpy(elements, vectors, kBytes); }
  __device__ __forceinline__ void put(const T (&elements)[kItems]) { std::memcpy(vectors, elements, kBytes); }
};

// A lane's elements of a row, `valid` of which there are; the others are 0.
template <class Problem, int kVector>
__device__ __forceinline__ void load_row(const Problem &problem, const typename Problem::In *from, int valid,
                                         typename Problem::Sum (&sums)[kVector]) {
  using In = typename Problem::In;
  In elements[kVector];
  if (valid == kVector && problem.in.is_vector) {
    RowVectors<In, kVector> pack;
    pack.load(from);
    pack.get(elements);
  } else {
#pragma unroll
    for (int i = 0; i < kVector; ++i) {
      if (i < valid) {
        elements[i] = from[i];
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kVector; ++i) {
    sums[i] = i < valid ? problem.sum_of(elements[i]) : typename Problem::Sum(0);
  }
}

// The same for stores; rows that do not begin at whole vectors go through `staging`, the warp's, so that a warp writes
// neighbouring elements at once. `left` elements of the row begin at the tile.
template <class Sum, int kVector>
__device__ __forceinline__ void store_row(const ImageLayout &layout, Sum *row, std::uint64_t left, Sum *staging,
                                          const Sum (&sums)[kVector]) {
  const int first = lane_id() * kVector;
  if (layout.is_vector) {
    if (first + kVector <= left) {
      RowVectors<Sum, kVector> pack;
      pack.put(sums);
      pack.store(row + first);
    } else {
#pragma unroll
      for (int i = 0; i < kVector; ++i) {
        if (first + i < left) {
          row[first + i] = sums[i];
        }
      }
    }
    return;
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < kVector; ++i) {
    staging[first + i] = sums[i];
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < kVector; ++i) {
    const int column = i * 32 + lane_id();
    if (column < left) {
      row[column] = staging[column];
    }
  }
}

}  // namespace upsweep::cuda::detail
