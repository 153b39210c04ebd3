// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of a tile are kept, and these side by side. Part of targets.h.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

// marks[i] = 1 or 0. Loops that compilers make vectors of.
template <class T, class Predicate>
void mark_if(const T *in, std::size_t n, std::uint8_t *marks, const Predicate &predicate) {
  for (std::size_t i = 0; i < n; ++i) {
    marks[i] = predicate(in[i]) ? 1 : 0;
  }
}

// Where neighbours differ; in[-1] is read.
template <class T, class Equal>
void mark_changes(const T *in, std::size_t n, std::uint8_t *marks, const Equal &equal) {
  for (std::size_t i = 0; i < n; ++i) {
    marks[i] = equal(in[static_cast<std::ptrdiff_t>(i) - 1], in[i]) ? 0 : 1;
  }
}

inline std::size_t count_marks(const std::uint8_t *marks, std::size_t n) {
  std::size_t total = 0;
  for (std::size_t begin = 0; begin < n;) {
    std::uint8_t part = 0;  // of up to 255 marks, so that it does not overflow
    for (const std::size_t end = begin + std::min<std::size_t>(n - begin, 192); begin < end; ++begin) {
      part = static_cast<std::uint8_t>(part + marks[begin]);
    }
    total += part;
  }
  return total;
}

inline void invert_marks(std::uint8_t *marks, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    marks[i] ^= 1;
  }
}

// Writes the marked elements to `out` and returns how many there are; up to 64 bytes behind them are overwritten.
template <class T>
std::size_t compact(const T *in, const std::uint8_t *marks, std::size_t n, T *out) {
  T *const begin = out;
  std::size_t i = 0;
#if UPSWEEP_CPU_VECTOR_BYTES == 64
  if constexpr (sizeof(T) == 4) {
    for (; i + 16 <= n; i += 16) {
      const __m128i mark = _mm_loadu_si128(reinterpret_cast<const __m128i *>(marks + i));
      const __mmask16 kept = _mm_test_epi8_mask(mark, mark);
      _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(kept, _mm512_loadu_si512(in + i)));
      out += _mm_popcnt_u32(kept);
    }
  }
  if constexpr (sizeof(T) == 8) {
    for (; i + 8 <= n; i += 8) {
      const __m128i mark = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(marks + i));
      const auto kept = static_cast<__mmask8>(_mm_test_epi8_mask(mark, mark));
      _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(kept, _mm512_loadu_si512(in + i)));
      out += _mm_popcnt_u32(kept);
    }
  }
#endif
#if UPSWEEP_CPU_VECTOR_BYTES >= 32
  // Elements by bit extraction (pext): of 8 marks each becomes 8 bits of a mask.
  if constexpr (sizeof(T) == 1) {
    for (; i + 8 <= n; i += 8) {
      std::uint64_t kept, bytes;
      std::memcpy(&kept, marks + i, 8);
      std::memcpy(&bytes, in + i, 8);
      bytes = _pext_u64(bytes, kept * 0xff);
      std::memcpy(out, &bytes, 8);
      out += _mm_popcnt_u64(kept);
    }
  }
  if constexpr (sizeof(T) == 2) {
    for (; i + 4 <= n; i += 4) {
      std::uint32_t four;
      std::uint64_t elements;
      std::memcpy(&four, marks + i, 4);
      std::memcpy(&elements, in + i, 8);
      const std::uint64_t kept = _pdep_u64(_pext_u64(four, 0x01010101), 0x0001000100010001) * 0xffff;
      elements = _pext_u64(elements, kept);
      std::memcpy(out, &elements, 8);
      out += _mm_popcnt_u32(four);
    }
  }
  if constexpr (sizeof(T) == 4 && kVectorBytes == 32) {
    for (; i + 8 <= n; i += 8) {
      std::uint64_t kept;
      std::memcpy(&kept, marks + i, 8);
      const std::uint64_t lanes = _pext_u64(0x0706050403020100, kept * 0xff);
      const __m256i from = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(lanes)));
      const __m256i elements = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(in + i));
      _mm256_storeu_si256(reinterpret_cast<__m256i *>(out), _mm256_permutevar8x32_epi32(elements, from));
      out += _mm_popcnt_u64(kept);
    }
  }
#endif
  for (; i < n; ++i) {
    std::memcpy(static_cast<void *>(out), in + i, sizeof(T));
    out += marks[i];
  }
  return static_cast<std::size_t>(out - begin);
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
