// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The consecutive elements of one thread: as 16-byte vectors in memory, as words in registers.
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>

#include <cstring>
#include <type_traits>

namespace upsweep::cuda::detail {

constexpr int greatest_common_divisor(int a, int b) { return b == 0 ? a : greatest_common_divisor(b, a % b); }

// The number of elements of a thread: whole 16-byte vectors of the input and of the output, about `vectors` of each. The number
// of vectors is odd where possible, so that eight neighbouring threads' vectors are in different banks.
constexpr int items_for(int bytes_in, int bytes_out, int vectors) {
  const int unit_in = 16 / greatest_common_divisor(bytes_in, 16);
  const int unit_out = 16 / greatest_common_divisor(bytes_out, 16);
  const int unit = unit_in > unit_out ? unit_in : unit_out;
  const int units = 2 * vectors * 16 / (unit * (bytes_in + bytes_out));
  return unit * (units | 1);
}

// A load, and a store, of memory that is not used again. Clang's host pass has no such intrinsics.
template <class Vector>
__device__ __forceinline__ Vector load_once(const Vector *from) {
#ifdef __CUDA_ARCH__
  return __ldcs(from);
#else
  return *from;
#endif
}
template <class Vector>
__device__ __forceinline__ void store_once(Vector *to, const Vector &vector) {
#ifdef __CUDA_ARCH__
  __stcs(to, vector);
#else
  *to = vector;
#endif
}

template <class T, int kItems>
class Slice {
  static_assert(kItems * sizeof(T) % 4 == 0);
  static constexpr int kWords = kItems * sizeof(T) / 4;

public:
  static constexpr int kBytes = kItems * sizeof(T);

  // Loads from memory that is aligned to 16 bytes if the slice has whole vectors, else to 4 bytes.
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

  // `i` must be a constant after unrolling, here and below.
  __device__ __forceinline__ unsigned word(int i) const { return words_[i]; }
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

  // The same of a byte as a ByteRegister (byte_register.cuh).
  template <class Byte>
  __device__ __forceinline__ Byte get_byte(int i) const {
    return Byte::of_word(words_[i / 4], i % 4);
  }
  template <class Byte>
  __device__ __forceinline__ void put_byte(int i, const Byte &byte) {
    words_[i / 4] = byte.put_into(words_[i / 4], i % 4);
  }

  // Elements are stored in order, either from the first on or from the last back.
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

  // The slices of a warp's lanes follow each other. Stores all of them at `memory`, moved to the front by `bytes`, which are
  // whole elements and less than 128. Vectors that would begin before `memory` go to `front`: first the unchanged first vector,
  // then the moved vectors without their first `bytes % 16` bytes. The same number of bytes behind the last element is
  // unspecified.
  __device__ __forceinline__ void store_moved(unsigned char *memory, unsigned char *front, unsigned bytes) const {
    unsigned words[kWords + 4];
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      words[w] = words_[w];
    }
    // The next lane's vector. After this, all lanes have read the vectors that are overwritten here.
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      words[kWords + w] = shuffle_down(words_[w], 1);
    }
    __syncwarp();
    if (lane_id() == 0) {
      *reinterpret_cast<uint4 *>(front) = make_uint4(words[0], words[1], words[2], words[3]);
    }
    const int vectors = static_cast<int>(bytes / 16);
    switch (bytes / 4 % 4) {
    case 0: store_from<0>(words, memory, front, vectors, bytes); break;
    case 1: store_from<1>(words, memory, front, vectors, bytes); break;
    case 2: store_from<2>(words, memory, front, vectors, bytes); break;
    default: store_from<3>(words, memory, front, vectors, bytes); break;
    }
  }

  // Rotates a vector: its words from the word of byte `bytes` on, and then the words before.
  __device__ __forceinline__ Slice turned(unsigned bytes) const {
    static_assert(kBytes == 16);
    Slice by_two, turned;
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      by_two.words_[w] = (bytes & 8) != 0 ? words_[(w + 2) % 4] : words_[w];
    }
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      turned.words_[w] = (bytes & 4) != 0 ? by_two.words_[(w + 1) % 4] : by_two.words_[w];
    }
    return turned;
  }

  // Called by all lanes with rotated vectors: returns 16 bytes of memory from byte `bytes` of this vector on. The rest comes
  // from the next lane's vector (for the last lane, the first lane's). That vector is behind this vector, or before it if
  // kBefore.
  template <bool kBefore>
  __device__ __forceinline__ Slice joined_with_next(const Slice &sent, unsigned bytes) const {
    const int lower_words = 4 - static_cast<int>(bytes / 4);
    unsigned next[kWords], words[kWords + 1];
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      next[w] = words_[w];
      // Elements of 8 bytes are two words away, and never others.
      if (sizeof(T) < 8 || (w < 2) == kBefore) {
        next[w] = shuffle_from(sent.words_[w], (lane_id() + 1) & 31);
      }
      words[w] = (w < lower_words) == kBefore ? next[w] : words_[w];
    }
    words[kWords] = kBefore ? words_[0] : next[0];
    Slice joined;
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      joined.words_[w] = sizeof(T) < 4 ? __funnelshift_r(words[w], words[w + 1], bytes % 4 * 8) : words[w];
    }
    return joined;
  }

private:
  template <int kFirst>
  __device__ __forceinline__ static void store_from(const unsigned (&words)[kWords + 4], unsigned char *memory,
                                                    unsigned char *front, int vectors, unsigned bytes) {
    if constexpr (kFirst * 4 % sizeof(T) == 0 || sizeof(T) < 4) {
      const auto word = [&](int w) {
        return sizeof(T) < 4 ? __funnelshift_r(words[w], words[w + 1], bytes % 4 * 8) : words[w];
      };
      const int first = lane_id() * (kWords / 4);
#pragma unroll
      for (int v = 0; v < kWords / 4; ++v) {
        unsigned char *const place = first + v < vectors ? front + 16 : memory - vectors * 16;
        const int w = 4 * v + kFirst;
        reinterpret_cast<uint4 *>(place)[first + v] = make_uint4(word(w), word(w + 1), word(w + 2), word(w + 3));
      }
    }
  }

  unsigned words_[kWords];
};

}  // namespace upsweep::cuda::detail
