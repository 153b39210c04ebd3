// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words by which blocks publish their tiles' totals. Value and tag change in one atomic word, so no fence is needed. The
// tag is the number of the call, so no word is cleared between calls.
#pragma once

#include <upsweep/cuda/workspace.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace upsweep::cuda::detail {

// The published form of a T: 64-bit words, each with 4 bytes of T and the tag. Each word is atomic on its own. Two words are
// read together where possible.
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
  // work overlaps with the load.
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

inline constexpr int kGroup = 128;              // tiles that are added as a tree
inline constexpr int kLaneTiles = kGroup / 32;  // of which a lane adds this many in order

// The places of the tiles' words, at distances of kStep: lane i adds tiles 4 i to 4 i + 3 of a group, and neighbouring lanes
// read neighbouring words. With a distance above one, blocks that publish at the same time do not collide in a sector of the
// cache.
template <int kStep>
struct TileWords {
  static constexpr int kLaneStep = kStep, kTileStep = 32 * kStep, kGroupStep = kGroup * kStep;

  __host__ __device__ __forceinline__ static constexpr std::uint32_t place(std::uint32_t tile) {
    return tile / kGroup * kGroupStep + tile % kLaneTiles * kTileStep + tile / kLaneTiles % 32 * kLaneStep;
  }
};

// A word for each tile of at least two warps.
constexpr std::size_t words_workspace_bytes(std::uint64_t n, std::size_t total, std::size_t largest) {
  const std::uint64_t tiles = n / (2 * fewest_warp_items(largest)) + 1;
  const std::uint64_t groups = (tiles + kGroup - 1) / kGroup;
  return kStateBytes + groups * kGroup * word_bytes(total);
}

}  // namespace upsweep::cuda::detail
