// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several rows of a summed-area table together: their additions overlap, and the sums above them are read and written once.
// Part of targets.h.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

// A pixel of 2 to 4 channels as a vector; with 3 channels it has an unused lane.
template <class T, std::size_t kChannels>
using Pixel = typename VectorOf<T, static_cast<int>(sizeof(T)) * (kChannels == 3 ? 4 : static_cast<int>(kChannels))>::type;

// Loads the first `count` lanes. Bytes use an instruction, since GCC 12 and 13 convert across sizes lane by lane.
template <std::size_t kChannels, class T, class In>
UPSWEEP_CPU_INLINE void load_pixel(const In *from, std::size_t count, Pixel<T, kChannels> &pixel) {
  if constexpr (sizeof(In) == 1 && std::is_integral_v<T> && sizeof(T) == 4 && sizeof(pixel) == 16) {
    std::int32_t bytes = 0;
    std::memcpy(&bytes, from, count);
    const __m128i narrow = _mm_cvtsi32_si128(bytes);
    pixel = Pixel<T, kChannels>(std::is_signed_v<In> ? _mm_cvtepi8_epi32(narrow) : _mm_cvtepu8_epi32(narrow));
  } else {
    Pixel<In, kChannels> lanes{};
    std::memcpy(&lanes, from, count * sizeof(In));
    pixel = __builtin_convertvector(lanes, Pixel<T, kChannels>);
  }
}

// Adds `n` elements, whole pixels, of each row. totals[row] continues over the row, sums[x] adds the totals of all rows, and
// out[row][x] is the sum after each row. An output may be its input.
template <class T, class In, std::size_t kRows>
void sum_rows(const In *const (&in)[kRows], T (&totals)[kRows], T *__restrict sums, T *const (&out)[kRows], std::size_t n) {
  T run[kRows];
  std::memcpy(run, totals, sizeof(run));
  for (std::size_t x = 0; x < n; ++x) {
    T sum = sums[x];
    for (std::size_t row = 0; row < kRows; ++row) {
      run[row] = plus()(run[row], static_cast<T>(in[row][x]));
      sum = plus()(sum, run[row]);
      out[row][x] = sum;
    }
    sums[x] = sum;
  }
  std::memcpy(totals, run, sizeof(run));
}

template <class T, class In, std::size_t kRows, std::size_t kChannels>
void sum_rows(const In *const (&in)[kRows], T (&totals)[kRows][kChannels], T *__restrict sums, T *const (&out)[kRows],
              std::size_t n) {
  using Vector = Pixel<T, kChannels>;
  Vector run[kRows];
  for (std::size_t row = 0; row < kRows; ++row) {
    load_pixel<kChannels, T>(totals[row], kChannels, run[row]);
  }
  // A pixel is loaded before the previous one is stored, since that store may overwrite one lane of it.
  Vector sum, pixels[kRows], results[kRows];
  const auto load = [&](std::size_t x, std::size_t count) {
    load_pixel<kChannels, T>(sums + x, count, sum);
    for (std::size_t row = 0; row < kRows; ++row) {
      load_pixel<kChannels, T>(in[row] + x, count, pixels[row]);
    }
  };
  const auto add = [&] {
    for (std::size_t row = 0; row < kRows; ++row) {
      run[row] += pixels[row];
      sum += run[row];
      results[row] = sum;
    }
  };
  const auto store = [&](std::size_t x, std::size_t count) {
    for (std::size_t row = 0; row < kRows; ++row) {
      std::memcpy(out[row] + x, &results[row], count * sizeof(T));
    }
    std::memcpy(sums + x, &results[kRows - 1], count * sizeof(T));
  };
  constexpr std::size_t kLanes = sizeof(Vector) / sizeof(T);
  std::size_t x = 0;
  load(x, kChannels);
  for (; x + kChannels + kLanes <= n; x += kChannels) {
    add();
    load(x + kChannels, kLanes);
    store(x, kLanes);
  }
  for (; x < n; x += kChannels) {
    add();
    if (x + kChannels < n) {
      load(x + kChannels, kChannels);
    }
    store(x, kChannels);
  }
  for (std::size_t row = 0; row < kRows; ++row) {
    std::memcpy(totals[row], &run[row], sizeof(totals[row]));
  }
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
