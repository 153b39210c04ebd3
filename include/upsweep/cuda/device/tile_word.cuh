// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How thread blocks tell each other the totals of their tiles: value and tag change in one atomic word, so that no fence is
// needed; the tag is the number of the call, so that nothing has to be cleared between calls.
#pragma once

#include <upsweep/cuda/version.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace upsweep::cuda::detail {

// The published form of a T: 64-bit words, each with 4 bytes of T and the tag. Each word is whole on its own; two are read
// at once where there are as many.
template <class T>
class TileWord {
  static constexpr int kWords = (sizeof(T) + 3) / 4 == 1 ? 1 : ((sizeof(T) + 3) / 4 + 1) / 2 * 2;

public:
  __device__ __forceinline__ void publish(const T &value, std::uint32_t tag) {
    std::uint32_t payloads[kWords] = {};
    std::memcpy(payloads, &value, sizeof(T));
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      const std::uint64_t word = static_cast<std::uint64_t>(tag) << 32 | payloads[i];
      asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(&words_[i])), "l"(word) : "memory");
    }
  }

  // Reads the present word, which may be of an older call; the copy does not change. Its tag is compared later, so that other
  // work can go on while the load is under way.
  __device__ __forceinline__ TileWord load() const {
    TileWord loaded;
    if constexpr (kWords == 1) {
      asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                   : "=l"(loaded.words_[0])
                   : "l"(__cvta_generic_to_global(words_))
                   : "memory");
    } else {
#pragma unroll
      for (int i = 0; i < kWords; i += 2) {
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(loaded.words_[i]), "=l"(loaded.words_[i + 1])
                     : "l"(__cvta_generic_to_global(words_ + i))
                     : "memory");
      }
    }
    return loaded;
  }

  __device__ __forceinline__ bool is_of(std::uint32_t tag) const { return difference_to(tag) == 0; }

  // 0 if the tag is this one.
  __device__ __forceinline__ std::uint32_t difference_to(std::uint32_t tag) const {
    std::uint32_t difference = 0;
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      difference |= static_cast<std::uint32_t>(words_[i] >> 32) ^ tag;
    }
    return difference;
  }

  // Gives the copy a tag, and no value.
  __device__ __forceinline__ void mark(std::uint32_t tag) {
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      words_[i] = static_cast<std::uint64_t>(tag) << 32;
    }
  }

  __device__ __forceinline__ T value() const {
    std::uint32_t payloads[kWords];
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      payloads[i] = static_cast<std::uint32_t>(words_[i]);
    }
    T value;
    std::memcpy(&value, payloads, sizeof(T));
    return value;
  }

private:
  alignas(kWords == 1 ? 8 : 16) std::uint64_t words_[kWords];
};

}  // namespace upsweep::cuda::detail
