// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits signed keys into keys up to a pivot and keys above it, in place. Part of targets.h.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

// The keys that are above the pivot as bits.
template <class T>
UPSWEEP_CPU_INLINE unsigned bits_above(Vector<T> v, Vector<T> pivot) {
#if UPSWEEP_CPU_VECTOR_BYTES == 64
  if constexpr (sizeof(T) == 4) {
    return _mm512_cmpgt_epi32_mask(__m512i(v), __m512i(pivot));
  } else {
    return _mm512_cmpgt_epi64_mask(__m512i(v), __m512i(pivot));
  }
#elif UPSWEEP_CPU_VECTOR_BYTES == 32
  if constexpr (sizeof(T) == 4) {
    return static_cast<unsigned>(_mm256_movemask_ps(__m256(v > pivot)));
  } else {
    return static_cast<unsigned>(_mm256_movemask_pd(__m256d(v > pivot)));
  }
#else
  if constexpr (sizeof(T) == 4) {
    return static_cast<unsigned>(_mm_movemask_ps(__m128(v > pivot)));
  } else {
    return static_cast<unsigned>(_mm_movemask_pd(__m128d(v > pivot)));
  }
#endif
}

// The lanes without a bit in `above`, followed by the lanes with one.
template <class T>
UPSWEEP_CPU_INLINE Vector<T> split_lanes(Vector<T> v, unsigned above) {
#if UPSWEEP_CPU_VECTOR_BYTES == 64
  if constexpr (sizeof(T) == 4) {
    const auto bits = static_cast<__mmask16>(above), rest = static_cast<__mmask16>(~above);
    const auto behind = static_cast<__mmask16>(0xffffU << __builtin_popcount(rest));
    return Vector<T>(_mm512_mask_expand_epi32(_mm512_maskz_compress_epi32(rest, __m512i(v)), behind,
                                              _mm512_maskz_compress_epi32(bits, __m512i(v))));
  } else {
    const auto bits = static_cast<__mmask8>(above), rest = static_cast<__mmask8>(~above);
    const auto behind = static_cast<__mmask8>(0xffU << __builtin_popcount(rest));
    return Vector<T>(_mm512_mask_expand_epi64(_mm512_maskz_compress_epi64(rest, __m512i(v)), behind,
                                              _mm512_maskz_compress_epi64(bits, __m512i(v))));
  }
#elif UPSWEEP_CPU_VECTOR_BYTES == 32
  const auto *const words = kSplitOfLanes<kLanes<T>, sizeof(T) / 4>[above].data();
  const __m256i places = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(words)));
  return Vector<T>(_mm256_permutevar8x32_epi32(__m256i(v), places));
#else
  const auto *const bytes = kSplitOfLanes<kLanes<T>, sizeof(T)>[above].data();
  return Vector<T>(_mm_shuffle_epi8(__m128i(v), _mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes))));
#endif
}

// Up to this many bytes of keys move through a buffer.
constexpr std::size_t kSplitBufferBytes = 8192;

// Keys above the pivot go to a buffer, from its end on, and then behind the others. Returns the number of the others.
template <class T>
std::size_t split_by_buffer(T *keys, std::size_t n, T pivot) {
  constexpr std::size_t kL = kLanes<T>;
  T buffer[kSplitBufferBytes / sizeof(T) + kL];
  T *const end = buffer + sizeof(buffer) / sizeof(T);
  T *above = end, *below = keys;
  std::size_t i = 0;
  for (; i < n % kL; ++i) {
    const T key = keys[i];
    *below = key;
    above[-1] = key;
    const std::size_t is_above = key > pivot ? 1 : 0;
    above -= is_above;
    below += 1 - is_above;
  }
  const Vector<T> pivots = broadcast(pivot);
  for (; i < n; i += kL) {
    const Vector<T> v = load(keys + i);
    const unsigned bits = bits_above<T>(v, pivots);
    const Vector<T> parts = split_lanes<T>(v, bits);
    const auto count = static_cast<std::size_t>(_mm_popcnt_u32(bits));
    store(below, parts);
    store(above - kL, parts);
    above -= count;
    below += kL - count;
  }
  std::memcpy(below, above, static_cast<std::size_t>(end - above) * sizeof(T));
  return static_cast<std::size_t>(below - keys);
}

// The first and the last vectors are read at the start. Then each step reads vectors from the side with less room between its
// unread keys and its results, and writes to both (Bramas 2017, "A Novel Hybrid Quicksort Algorithm Vectorized using AVX-512").
template <class T>
std::size_t split(T *keys, std::size_t n, T pivot) {
  constexpr std::size_t kL = kLanes<T>, kStep = 4 * kL;
  if (n <= kSplitBufferBytes / sizeof(T)) {
    return split_by_buffer(keys, n, pivot);
  }
  // The first step's keys, the last step's, and a rest that makes the others a multiple of a step.
  alignas(64) T held[3 * kStep];
  const std::size_t rest = n % kStep, num_held = 2 * kStep + rest;
  std::memcpy(held, keys, kStep * sizeof(T));
  std::memcpy(held + kStep, keys + (n - kStep - rest), (kStep + rest) * sizeof(T));
  const T *first = keys + kStep, *last = keys + (n - kStep - rest);
  T *below = keys, *above = keys + n;
  const Vector<T> pivots = broadcast(pivot);
  while (first != last) {
    const bool is_left = first - below <= above - last;
    const T *const from = is_left ? first : last - kStep;
    first += is_left ? kStep : 0;
    last -= is_left ? 0 : kStep;
    Vector<T> v[4];
    unrolled<4>([&](auto i) __attribute__((always_inline)) { v[i] = load(from + i * kL); });
    unrolled<4>([&](auto i) __attribute__((always_inline)) {
      const unsigned bits = bits_above<T>(v[i], pivots);
      const Vector<T> parts = split_lanes<T>(v[i], bits);
      const auto count = static_cast<std::size_t>(_mm_popcnt_u32(bits));
      store(below, parts);
      store(above - kL, parts);
      above -= count;
      below += kL - count;
    });
  }
  const std::size_t held_below = split_by_buffer(held, num_held, pivot);
  std::memcpy(below, held, held_below * sizeof(T));
  std::memcpy(below + held_below, held + held_below, (num_held - held_below) * sizeof(T));
  return static_cast<std::size_t>(below - keys) + held_below;
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
