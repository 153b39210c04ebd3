// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The consecutive elements of one thread: as 16-byte vectors in memory, as words in registers.
#pragma once

#include <cstring>
#include <type_traits>

namespace upsweep::cuda::detail {

constexpr int greatest_common_divisor(int a, int b) { return b == 0 ? a : greatest_common_divisor(b, a % b); }

// How many elements a thread takes: whole 16-byte vectors of the input and of the output, about `vectors` of each. Where it
// can be, the number of vectors is odd, so that the vectors of eight neighbouring threads lie in different banks.
constexpr int items_for(int bytes_in, int bytes_out, int vectors) {
  const int unit_in = 16 / greatest_common_divisor(bytes_in, 16);
  const int unit_out = 16 / greatest_common_divisor(bytes_out, 16);
  const int unit = unit_in > unit_out ? unit_in : unit_out;
  const int units = 2 * vectors * 16 / (unit * (bytes_in + bytes_out));
  return unit * (units | 1);
}

template <class T, int kItems>
class Slice {
  static_assert(kItems * sizeof(T) % 4 == 0);
  static constexpr int kWords = kItems * sizeof(T) / 4;

public:
  static constexpr int kBytes = kItems * sizeof(T);

  // From memory that is aligned to 16 bytes if the slice has whole vectors, and else to 4.
  __device__ __forceinline__ void load(const void *memory) {
    if constexpr (kBytes % 16 != 0) {
#pragma unroll
      for (int w = 0; w < kWords; ++w) {
        words_[w] = static_cast<const unsigned *>(memory)[w];
      }
      return;
    }
    const uint4 *vectors = static_cast<const uint4 *>(memory);
#pragma unroll
    for (int v = 0; v < kWords / 4; ++v) {
      const uint4 vector = vectors[v];
      words_[4 * v] = vector.x;
      words_[4 * v + 1] = vector.y;
      words_[4 * v + 2] = vector.z;
      words_[4 * v + 3] = vector.w;
    }
  }

  // Whole vectors alone.
  __device__ __forceinline__ void store(void *memory) const {
    static_assert(kBytes % 16 == 0);
    uint4 *vectors = static_cast<uint4 *>(memory);
#pragma unroll
    for (int v = 0; v < kWords / 4; ++v) {
      vectors[v] = make_uint4(words_[4 * v], words_[4 * v + 1], words_[4 * v + 2], words_[4 * v + 3]);
    }
  }

  // `i` must be a constant after unrolling; so must it be below.
  __device__ __forceinline__ T get(int i) const {
    T element;
    if constexpr (sizeof(T) < 4 && 4 % sizeof(T) == 0) {
      const int byte = i * static_cast<int>(sizeof(T));
      const unsigned word = words_[byte / 4] >> (8 * (byte % 4));
      std::memcpy(&element, &word, sizeof(T));
    } else {
      std::memcpy(&element, reinterpret_cast<const unsigned char *>(words_) + i * sizeof(T), sizeof(T));
    }
    return element;
  }

  // Elements are put in one after the other, either from the first on or from the last on.
  __device__ __forceinline__ void put(int i, const T &element) {
    if constexpr (sizeof(T) < 4 && 4 % sizeof(T) == 0) {
      const int byte = i * static_cast<int>(sizeof(T));
      unsigned word = 0;
      std::memcpy(&word, &element, sizeof(T));
      constexpr unsigned kMask = (1u << (8 * sizeof(T) % 32)) - 1;
      words_[byte / 4] = (words_[byte / 4] & ~(kMask << (8 * (byte % 4)))) | word << (8 * (byte % 4));
    } else {
      std::memcpy(reinterpret_cast<unsigned char *>(words_) + i * sizeof(T), &element, sizeof(T));
    }
  }

private:
  unsigned words_[kWords];
};

}  // namespace upsweep::cuda::detail
