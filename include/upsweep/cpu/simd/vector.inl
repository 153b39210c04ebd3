// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of the level's width, and groups of them. A group has 64 bytes at every level, so that all levels have the same
// brackets and the same bits of floating-point results. Part of targets.h.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

constexpr int kVectorBytes = UPSWEEP_CPU_VECTOR_BYTES;
constexpr int kGroupBytes = 64;
constexpr int kGroupVectors = kGroupBytes / kVectorBytes;

template <class T, int kBytes = kVectorBytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(kBytes)));  // NOLINT(modernize-use-using): GCC takes the attribute here alone
};
template <class T>
using Vector = typename VectorOf<T>::type;

template <class T>
inline constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));
template <class T>
inline constexpr int kGroupLanes = kGroupBytes / static_cast<int>(sizeof(T));

template <class T>
UPSWEEP_CPU_INLINE Vector<T> load(const T *from) {
  Vector<T> v;
  std::memcpy(&v, from, sizeof(v));
  return v;
}

template <class T>
UPSWEEP_CPU_INLINE void store(T *to, Vector<T> v) {
  std::memcpy(to, &v, sizeof(v));
}

// Writes a line of 64 bytes to an aligned address, past the caches.
UPSWEEP_CPU_INLINE void stream_line(std::byte *to, const std::byte *from) {
#if UPSWEEP_CPU_VECTOR_BYTES == 64
  _mm512_stream_si512(reinterpret_cast<__m512i *>(to), _mm512_loadu_si512(from));
#elif UPSWEEP_CPU_VECTOR_BYTES == 32
  for (int i = 0; i < 2; ++i) {
    _mm256_stream_si256(reinterpret_cast<__m256i *>(to) + i, _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from) + i));
  }
#else
  for (int i = 0; i < 4; ++i) {
    _mm_stream_si128(reinterpret_cast<__m128i *>(to) + i, _mm_loadu_si128(reinterpret_cast<const __m128i *>(from) + i));
  }
#endif
}

inline void stream_lines(std::byte *to, const std::byte *from, std::size_t lines) {
  for (std::size_t i = 0; i < lines * 64; i += 64) {
    stream_line(to + i, from + i);
  }
}

#if UPSWEEP_CPU_VECTOR_BYTES == 64
#define UPSWEEP_CPU_WIDEN(conversion) _mm512_##conversion
#elif UPSWEEP_CPU_VECTOR_BYTES == 32
#define UPSWEEP_CPU_WIDEN(conversion) _mm256_##conversion
#else
#define UPSWEEP_CPU_WIDEN(conversion) _mm_##conversion
#endif

// The first kBytes bytes of a vector, from memory.
template <int kBytes>
UPSWEEP_CPU_INLINE auto load_bytes(const void *from) {
  if constexpr (kBytes == 2) {
    std::uint16_t bits;
    std::memcpy(&bits, from, 2);
    return _mm_cvtsi32_si128(bits);
  } else if constexpr (kBytes == 4) {
    std::int32_t bits;
    std::memcpy(&bits, from, 4);
    return _mm_cvtsi32_si128(bits);
  } else if constexpr (kBytes == 8) {
    return _mm_loadl_epi64(static_cast<const __m128i *>(from));
  } else if constexpr (kBytes == 16) {
    return _mm_loadu_si128(static_cast<const __m128i *>(from));
#if UPSWEEP_CPU_VECTOR_BYTES == 64
  } else {
    return _mm256_loadu_si256(static_cast<const __m256i *>(from));
#endif
  }
}

// Widens the integers at the begin of `narrow`. It uses instructions, since GCC 12 and 13 convert across sizes element by
// element.
template <class T, class In, class Narrow>
UPSWEEP_CPU_INLINE Vector<T> widen(Narrow narrow) {
  constexpr bool kIsSigned = std::is_signed_v<In>;
  constexpr int kSizes = 10 * static_cast<int>(sizeof(In)) + static_cast<int>(sizeof(T));
  if constexpr (kSizes == 12) {
    return Vector<T>(kIsSigned ? UPSWEEP_CPU_WIDEN(cvtepi8_epi16)(narrow) : UPSWEEP_CPU_WIDEN(cvtepu8_epi16)(narrow));
  } else if constexpr (kSizes == 14) {
    return Vector<T>(kIsSigned ? UPSWEEP_CPU_WIDEN(cvtepi8_epi32)(narrow) : UPSWEEP_CPU_WIDEN(cvtepu8_epi32)(narrow));
  } else if constexpr (kSizes == 18) {
    return Vector<T>(kIsSigned ? UPSWEEP_CPU_WIDEN(cvtepi8_epi64)(narrow) : UPSWEEP_CPU_WIDEN(cvtepu8_epi64)(narrow));
  } else if constexpr (kSizes == 24) {
    return Vector<T>(kIsSigned ? UPSWEEP_CPU_WIDEN(cvtepi16_epi32)(narrow) : UPSWEEP_CPU_WIDEN(cvtepu16_epi32)(narrow));
  } else if constexpr (kSizes == 28) {
    return Vector<T>(kIsSigned ? UPSWEEP_CPU_WIDEN(cvtepi16_epi64)(narrow) : UPSWEEP_CPU_WIDEN(cvtepu16_epi64)(narrow));
  } else {
    return Vector<T>(kIsSigned ? UPSWEEP_CPU_WIDEN(cvtepi32_epi64)(narrow) : UPSWEEP_CPU_WIDEN(cvtepu32_epi64)(narrow));
  }
}
#undef UPSWEEP_CPU_WIDEN

// Loads elements of a narrower type as Ts.
template <class T, class In>
UPSWEEP_CPU_INLINE Vector<T> load_as(const In *from) {
  if constexpr (std::is_same_v<T, In>) {
    return load(from);
  } else if constexpr (sizeof(T) == sizeof(In) && std::is_integral_v<T> && std::is_integral_v<In>) {
    Vector<T> v;
    std::memcpy(&v, from, sizeof(v));
    return v;
  } else if constexpr (std::is_integral_v<T> && std::is_integral_v<In>) {
    return widen<T, In>(load_bytes<kLanes<T> *static_cast<int>(sizeof(In))>(from));
  } else {
    typename VectorOf<In, kLanes<T> *static_cast<int>(sizeof(In))>::type v;
    std::memcpy(&v, from, sizeof(v));
    return __builtin_convertvector(v, Vector<T>);
  }
}

template <class T>
UPSWEEP_CPU_INLINE Vector<T> broadcast(T value) {
  Vector<T> v{};
  for (int lane = 0; lane < kLanes<T>; ++lane) {
    v[lane] = value;
  }
  return v;
}

template <class T, class Map, std::size_t... kLane>
UPSWEEP_CPU_INLINE Vector<T> permute(Vector<T> a, Vector<T> b, std::index_sequence<kLane...>) {
  return __builtin_shufflevector(a, b, Map::from(static_cast<int>(kLane))...);
}

// Lane l of the result is lane Map::from(l) of a, or lane Map::from(l) - kLanes<T> of b.
template <class T, class Map>
UPSWEEP_CPU_INLINE Vector<T> permute(Vector<T> a, Vector<T> b) {
  return permute<T, Map>(a, b, std::make_index_sequence<kLanes<T>>());
}

// In each block of 16 bytes, the lanes move up by kDistance; the first ones come from b.
template <class T, int kDistance>
struct UpInBlock {
  static constexpr int kBlock = 16 / static_cast<int>(sizeof(T));
  static constexpr int from(int lane) { return lane % kBlock < kDistance ? kLanes<T> + lane : lane - kDistance; }
};

// Each lane of every second run of kBlocks blocks takes the last lane before the run, all others come from b.
template <class T, int kBlocks>
struct LastBeforeBlocks {
  static constexpr int kRun = kBlocks * 16 / static_cast<int>(sizeof(T));
  static constexpr int from(int lane) { return lane / kRun % 2 == 1 ? lane / kRun * kRun - 1 : kLanes<T> + lane; }
};

template <class T>
struct LastLane {
  static constexpr int from(int) { return kLanes<T> - 1; }
};

// The upper half moves down, the rest does not matter.
template <class T, int kWidth>
struct UpperHalf {
  static constexpr int from(int lane) { return lane < kWidth / 2 ? lane + kWidth / 2 : lane; }
};

template <class T>
UPSWEEP_CPU_INLINE Vector<T> last_lane(Vector<T> v) {
  return permute<T, LastLane<T>>(v, v);
}

template <class V>
UPSWEEP_CPU_INLINE V apply(plus, V a, V b) {
  return a + b;
}
template <class V>
UPSWEEP_CPU_INLINE V apply(multiplies, V a, V b) {
  return a * b;
}
template <class V>
UPSWEEP_CPU_INLINE V apply(bit_and, V a, V b) {
  return a & b;
}
template <class V>
UPSWEEP_CPU_INLINE V apply(bit_or, V a, V b) {
  return a | b;
}
template <class V>
UPSWEEP_CPU_INLINE V apply(bit_xor, V a, V b) {
  return a ^ b;
}

template <class V>
UPSWEEP_CPU_INLINE auto is_nan_mask(V v) {
  return v != v;  // NOLINT(misc-redundant-expression)
}

// As the scalar operators in operators.h: of a number and a NaN the number.
template <class V>
UPSWEEP_CPU_INLINE V apply(minimum, V a, V b) {
  if constexpr (std::is_floating_point_v<std::decay_t<decltype(a[0])>>) {
    return ((b < a) | is_nan_mask(a)) ? b : a;
  } else {
    return b < a ? b : a;
  }
}
template <class V>
UPSWEEP_CPU_INLINE V apply(maximum, V a, V b) {
  if constexpr (std::is_floating_point_v<std::decay_t<decltype(a[0])>>) {
    return ((a < b) | is_nan_mask(a)) ? b : a;
  } else {
    return a < b ? b : a;
  }
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
