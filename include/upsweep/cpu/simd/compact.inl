// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks elements of a tile, and writes marked elements without gaps. Bit i % 64 of words[i / 64] is the mark of element i,
// with zeros behind the last. Part of targets.h.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

// Bit i is 1 where byte i of 64 is not 0.
UPSWEEP_CPU_INLINE std::uint64_t bits_of_bytes(const std::uint8_t *bytes) {
#if UPSWEEP_CPU_VECTOR_BYTES == 64
  const __m512i v = _mm512_loadu_si512(bytes);
  return _mm512_test_epi8_mask(v, v);
#elif UPSWEEP_CPU_VECTOR_BYTES == 32
  const auto half = [](const std::uint8_t *from) {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
    return static_cast<std::uint32_t>(~_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_setzero_si256())));
  };
  return half(bytes) | static_cast<std::uint64_t>(half(bytes + 32)) << 32;
#else
  std::uint64_t bits = 0;
  for (int i = 0; i < 4; ++i) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes) + i);
    const auto part = static_cast<std::uint16_t>(~_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128())));
    bits |= static_cast<std::uint64_t>(part) << (16 * i);
  }
  return bits;
#endif
}

// Marks element i where is_marked(i). Marks are bytes first, in loops that compilers vectorise (GCC only with a constant
// length), and become bits a KiB later, since small stores are not forwarded to a larger load. Each step prefetches the lines
// that lie kPrefetchBytes ahead of its 64 elements.
template <class T, class IsMarked>
UPSWEEP_CPU_INLINE void mark_where(const T *in, std::size_t n, std::uint64_t *words, const IsMarked &is_marked) {
  constexpr std::size_t kAtOnce = 1024;
  alignas(64) std::uint8_t bytes[kAtOnce];
  for (std::size_t begin = 0; begin < n / 64 * 64; begin += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, n / 64 * 64 - begin);
    for (std::size_t i = 0; i < count; i += 64) {
      prefetch(reinterpret_cast<const std::byte *>(in + begin + i) + kPrefetchBytes, 64 * sizeof(T));
      for (std::size_t k = 0; k < 64; ++k) {
        bytes[i + k] = is_marked(begin + i + k) ? 1 : 0;
      }
    }
    for (std::size_t i = 0; i < count; i += 64) {
      words[(begin + i) / 64] = bits_of_bytes(bytes + i);
    }
  }
  if (n % 64 != 0) {
    std::uint64_t word = 0;
    for (std::size_t i = n / 64 * 64; i < n; ++i) {
      word |= static_cast<std::uint64_t>(is_marked(i) ? 1 : 0) << (i % 64);
    }
    words[n / 64] = word;
  }
}

template <class T, class Predicate>
void mark_if(const T *in, std::size_t n, std::uint64_t *words, const Predicate &predicate) {
  mark_where(in, n, words, [&](std::size_t i) { return predicate(in[i]); });
}

// Marks elements that differ from their predecessor, and the array's first element. in[-1] is read unless in[0] is the first.
template <class T, class Equal>
void mark_changes(const T *in, std::size_t n, std::uint64_t *words, const Equal &equal, bool is_first) {
  if (!is_first) {
    mark_where(in, n, words, [&](std::size_t i) { return !equal(in[static_cast<std::ptrdiff_t>(i) - 1], in[i]); });
  } else if (n > 0) {
    // The first element has no predecessor and is always marked.
    mark_where(in, std::min<std::size_t>(n, 64), words, [&](std::size_t i) { return i == 0 || !equal(in[i - 1], in[i]); });
    if (n > 64) {
      mark_changes(in + 64, n - 64, words + 1, equal, false);
    }
  }
}

inline std::uint64_t count_marks(const std::uint64_t *words, std::size_t count) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    total += static_cast<std::uint64_t>(_mm_popcnt_u64(words[i]));
  }
  return total;
}

// Marks the elements without a mark.
inline void invert_marks(const std::uint64_t *words, std::size_t n, std::uint64_t *out) {
  for (std::size_t i = 0; i < n; i += 64) {
    out[i / 64] = ~words[i / 64];
  }
  if (n % 64 != 0) {
    out[n / 64] &= (std::uint64_t(1) << n % 64) - 1;
  }
}

// The places of the bits of a byte, in bytes from the lowest on, by the table of targets.h.
UPSWEEP_CPU_INLINE __m128i places_in_byte(std::uint64_t bits) {
  return _mm_loadl_epi64(reinterpret_cast<const __m128i *>(&kPlacesOfBits[bits & 255]));
}

// Compacts `kStep` elements by one shuffle; 0: elements of this size have none.
template <class T>
inline constexpr int kCompactStep = sizeof(T) == 1 || sizeof(T) == 2       ? 8
                                    : sizeof(T) == 4                       ? std::min(kVectorBytes / 4, 16)
                                    : sizeof(T) == 8 && kVectorBytes >= 32 ? kVectorBytes / 8
                                                                           : 0;

template <class T>
UPSWEEP_CPU_INLINE void compact_step(const T *in, std::uint64_t bits, T *out) {
  const auto *from = reinterpret_cast<const __m128i *>(in);
  [[maybe_unused]] auto *to = reinterpret_cast<__m128i *>(out);
  if constexpr (sizeof(T) == 1) {
    _mm_storel_epi64(to, _mm_shuffle_epi8(_mm_loadl_epi64(from), places_in_byte(bits)));
  } else if constexpr (sizeof(T) == 2) {
    const __m128i places = places_in_byte(bits), twice = _mm_add_epi8(places, places);
    const __m128i bytes = _mm_unpacklo_epi8(twice, _mm_add_epi8(twice, _mm_set1_epi8(1)));
    _mm_storeu_si128(to, _mm_shuffle_epi8(_mm_loadu_si128(from), bytes));
  }
#if UPSWEEP_CPU_VECTOR_BYTES == 64
  if constexpr (sizeof(T) == 4) {
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), _mm512_loadu_si512(in)));
  } else if constexpr (sizeof(T) == 8) {
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(static_cast<__mmask8>(bits), _mm512_loadu_si512(in)));
  }
#elif UPSWEEP_CPU_VECTOR_BYTES == 32
  if constexpr (sizeof(T) >= 4) {
    __m128i places = places_in_byte(sizeof(T) == 4 ? bits : bits & 15);
    if constexpr (sizeof(T) == 8) {  // as pairs of 4 bytes
      const __m128i twice = _mm_add_epi8(places, places);
      places = _mm_unpacklo_epi8(twice, _mm_add_epi8(twice, _mm_set1_epi8(1)));
    }
    const __m256i elements = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(in));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(out), _mm256_permutevar8x32_epi32(elements, _mm256_cvtepu8_epi32(places)));
  }
#else
  if constexpr (sizeof(T) == 4) {
    const __m128i each = _mm_shuffle_epi8(places_in_byte(bits & 15), _mm_set_epi32(0x03030303, 0x02020202, 0x01010101, 0));
    const __m128i bytes = _mm_add_epi8(_mm_slli_epi32(each, 2), _mm_set1_epi32(0x03020100));
    _mm_storeu_si128(to, _mm_shuffle_epi8(_mm_loadu_si128(from), bytes));
  }
#endif
}

// Writes the marked elements to `out` and returns their number; up to 64 bytes behind them are overwritten.
template <class T>
std::size_t compact(const T *in, const std::uint64_t *words, std::size_t n, T *out) {
  T *const begin = out;
  std::size_t i = 0;
  if constexpr (kCompactStep<T> > 0) {
    for (; i + 64 <= n; i += 64) {
      std::uint64_t bits = words[i / 64];
      for (int k = 0; k < 64; k += kCompactStep<T>) {
        constexpr std::uint64_t kMask = (std::uint64_t(1) << kCompactStep<T>)-1;
        compact_step(in + i + k, bits, out);
        out += _mm_popcnt_u64(bits & kMask);
        bits >>= kCompactStep<T>;
      }
    }
  }
  for (; i < n; i += 64) {
    for (std::uint64_t bits = words[i / 64]; bits != 0; bits &= bits - 1) {
      std::memcpy(static_cast<void *>(out++), in + i + __builtin_ctzll(bits), sizeof(T));
    }
  }
  return static_cast<std::size_t>(out - begin);
}

// Writes the indices of the marks and returns their number; up to 7 integers behind them are overwritten.
inline std::size_t places_of_marks(const std::uint64_t *words, std::size_t count, std::uint32_t *out) {
  std::uint32_t *const begin = out;
  for (std::size_t w = 0; w < count; ++w) {
    std::uint64_t bits = words[w];
    for (std::size_t k = 0; bits != 0; k += 8, bits >>= 8) {
      const auto base = _mm_set1_epi32(static_cast<int>(w * 64 + k));
      const __m128i places = places_in_byte(bits);
      auto *to = reinterpret_cast<__m128i *>(out);
      _mm_storeu_si128(to, _mm_add_epi32(base, _mm_cvtepu8_epi32(places)));
      _mm_storeu_si128(to + 1, _mm_add_epi32(base, _mm_cvtepu8_epi32(_mm_srli_si128(places, 4))));
      out += _mm_popcnt_u64(bits & 255);
    }
  }
  return static_cast<std::size_t>(out - begin);
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
