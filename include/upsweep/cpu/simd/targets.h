// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector code for each level of instructions, independent of the program's compiler options, and the choice among them at
// run time. The files *.inl do not state a width. This header includes them three times, each time in a level's namespace,
// between pragmas that enable the level's instructions. docs/decisions/cpu-library.md says why it does not use Google Highway.
#pragma once

#include <upsweep/cpu/instructions.h>
#include <upsweep/cpu/operators.h>
#include <upsweep/cpu/simd/sort_tables.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <immintrin.h>

#define UPSWEEP_CPU_PRAGMA(...) _Pragma(#__VA_ARGS__)
#ifdef __clang__
#define UPSWEEP_CPU_BEGIN(features)                                                                                            \
  UPSWEEP_CPU_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define UPSWEEP_CPU_END _Pragma("clang attribute pop")
#else
#define UPSWEEP_CPU_BEGIN(features) _Pragma("GCC push_options") UPSWEEP_CPU_PRAGMA(GCC target(features))
#define UPSWEEP_CPU_END _Pragma("GCC pop_options")
#endif

namespace upsweep::cpu::detail {

// Results are streamed this many bytes behind their stores to the buffer, so that these have left the store buffer.
constexpr std::size_t kStreamLag = 512;

// The distance of prefetches ahead of a read: more lines than the processor prefetches without them.
constexpr std::size_t kPrefetchBytes = 4096;

// Prefetches into the second-level cache.
inline void prefetch(const void *from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 64) {
    _mm_prefetch(static_cast<const char *>(from) + i, _MM_HINT_T1);
  }
}

// The places of the bits of each byte, from the lowest on, followed by zeros.
inline constexpr auto kPlacesOfBits = [] {
  std::array<std::uint64_t, 256> places{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned found = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1) != 0) {
        places[byte] |= std::uint64_t(bit) << (8 * found++);
      }
    }
  }
  return places;
}();

// The side work of a scan: it prefetches the next elements, and streams the lines of the buffer into which it writes. Bursts
// of stores past the caches without other work between them would stall.
struct Side {
  const void *ahead;               // prefetched
  std::byte *stream_to = nullptr;  // aligned
  const std::byte *stream_from = nullptr;
  std::size_t first_streamed = ~std::size_t(0);  // kStreamLag, or never
};

}  // namespace upsweep::cpu::detail

// For functions of *.inl that are called in loops: a real call would pass vectors through memory.
#define UPSWEEP_CPU_INLINE inline __attribute__((always_inline))

#define UPSWEEP_CPU_TARGET sse4
#define UPSWEEP_CPU_VECTOR_BYTES 16
UPSWEEP_CPU_BEGIN("sse4.2,popcnt")
#include <upsweep/cpu/simd/kernels.inl>
UPSWEEP_CPU_END
#undef UPSWEEP_CPU_TARGET
#undef UPSWEEP_CPU_VECTOR_BYTES

#define UPSWEEP_CPU_TARGET avx2
#define UPSWEEP_CPU_VECTOR_BYTES 32
UPSWEEP_CPU_BEGIN("avx2,f16c,bmi,bmi2,popcnt,lzcnt")
#include <upsweep/cpu/simd/kernels.inl>
UPSWEEP_CPU_END
#undef UPSWEEP_CPU_TARGET
#undef UPSWEEP_CPU_VECTOR_BYTES

#define UPSWEEP_CPU_TARGET avx512
#define UPSWEEP_CPU_VECTOR_BYTES 64
UPSWEEP_CPU_BEGIN("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,f16c,bmi,bmi2,popcnt,lzcnt")
#include <upsweep/cpu/simd/kernels.inl>
UPSWEEP_CPU_END
#undef UPSWEEP_CPU_TARGET
#undef UPSWEEP_CPU_VECTOR_BYTES

// Calls `function` of the namespace of the instructions in use.
#define UPSWEEP_CPU_DISPATCH(function, ...)                                                                                    \
  [&]() -> decltype(auto) {                                                                                                    \
    switch (::upsweep::cpu::detail::instructions_in_use().load(std::memory_order_relaxed)) {                                   \
    case ::upsweep::cpu::instructions::avx512: return ::upsweep::cpu::detail::avx512::function(__VA_ARGS__);                   \
    case ::upsweep::cpu::instructions::avx2: return ::upsweep::cpu::detail::avx2::function(__VA_ARGS__);                       \
    case ::upsweep::cpu::instructions::sse4: break;                                                                            \
    }                                                                                                                          \
    return ::upsweep::cpu::detail::sse4::function(__VA_ARGS__);                                                                \
  }()

// The same for loops over a user's operator, limited to 32 bytes. With AVX-512 compilers fuse the operator's products and
// sums, so that results would depend on the instructions.
#define UPSWEEP_CPU_DISPATCH_UNFUSED(function, ...)                                                                            \
  [&]() -> decltype(auto) {                                                                                                    \
    if (::upsweep::cpu::detail::instructions_in_use().load(std::memory_order_relaxed) != ::upsweep::cpu::instructions::sse4) { \
      return ::upsweep::cpu::detail::avx2::function(__VA_ARGS__);                                                              \
    }                                                                                                                          \
    return ::upsweep::cpu::detail::sse4::function(__VA_ARGS__);                                                                \
  }()
