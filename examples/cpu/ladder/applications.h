// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The textbooks' applications of a scan, by the library's scan and loops of one step each. They are compaction, a sort by
// splits, a merge sort of chunks, and the summed-area table of an image by rows and transposes.
#pragma once

#include "ladder.h"

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/scan.h>

#include <cstdint>

namespace ladder {

namespace cpu = upsweep::cpu;

constexpr std::size_t kPiece = std::size_t(1) << 16;

// for_all() in pieces large enough for a thread.
template <class Work>
void for_pieces(thread_pool &pool, std::size_t n, const Work &work) {
  for_all(pool, (n + kPiece - 1) / kPiece, [&](std::size_t piece) {
    for (std::size_t i = piece * kPiece; i < std::min(n, (piece + 1) * kPiece); ++i) {
      work(i);
    }
  });
}

// Section 39.3.1: flags, a scan of them, and a scatter to the resulting places. Returns the number of kept elements.
template <class T, class Predicate>
std::size_t compact(thread_pool &pool, const T *in, T *out, std::size_t n, const Predicate &predicate) {
  std::vector<std::uint32_t> flags(n), places(n + 1);
  for_pieces(pool, n, [&](std::size_t i) { flags[i] = predicate(in[i]) ? 1 : 0; });
  cpu::exclusive_sum(flags.data(), places.data(), n, pool, cpu::total_to(places.data() + n));
  for_pieces(pool, n, [&](std::size_t i) {
    if (flags[i] != 0) {
      out[places[i]] = in[i];
    }
  });
  return places[n];
}

// Section 39.3.3: keys whose bit is 0 go before the others, both in order; splits from the lowest bit on sort.
inline void split_sort(thread_pool &pool, const std::uint32_t *in, std::uint32_t *out, std::size_t n, unsigned bits = 32) {
  std::vector<std::uint32_t> keys(in, in + n), flags(n), places(n + 1);
  for (unsigned bit = 0; bit < bits; ++bit) {
    for_pieces(pool, n, [&](std::size_t i) { flags[i] = ~keys[i] >> bit & 1; });
    cpu::exclusive_sum(flags.data(), places.data(), n, pool, cpu::total_to(places.data() + n));
    for_pieces(pool, n, [&](std::size_t i) {
      const std::size_t falses = places[n];
      out[flags[i] != 0 ? places[i] : i - places[i] + falses] = keys[i];
    });
    std::copy_n(out, n, keys.data());
  }
}

// The same section: each thread sorts a chunk by splits, and chunks are merged in pairs.
inline void sort_chunks(thread_pool &pool, const std::uint32_t *in, std::uint32_t *out, std::size_t n) {
  std::vector<std::uint32_t> other(n);
  for_all(pool, (n + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    const std::size_t begin = chunk * kChunk, size = std::min(kChunk, n - begin);
    std::uint32_t buffers[2][kChunk];
    std::copy_n(in + begin, size, buffers[0]);
    for (unsigned bit = 0; bit < 32; ++bit) {
      const std::uint32_t *from = buffers[bit % 2];
      std::uint32_t *to = buffers[1 - bit % 2];
      std::size_t falses = 0, trues = 0;
      for (std::size_t i = 0; i < size; ++i) {
        falses += ~from[i] >> bit & 1;
      }
      for (std::size_t i = 0, f = 0; i < size; ++i) {
        const bool is_true = (from[i] >> bit & 1) != 0;
        to[is_true ? falses + trues++ : f++] = from[i];
      }
    }
    std::copy_n(buffers[0], size, out + begin);
  });
  std::uint32_t *from = out, *to = other.data();
  for (std::size_t length = kChunk; length < n; length *= 2) {
    for_all(pool, (n + 2 * length - 1) / (2 * length), [&](std::size_t pair) {
      const std::size_t begin = pair * 2 * length, middle = std::min(n, begin + length), end = std::min(n, begin + 2 * length);
      std::merge(from + begin, from + middle, from + middle, from + end, to + begin);
    });
    std::swap(from, to);
  }
  if (from != out) {
    std::copy_n(from, n, out);
  }
}

// Section 39.3.2: an RGB8 image becomes three planes, whose rows are scanned, transposed, scanned and transposed. Sums are
// inclusive.
inline void summed_area_of_planes(thread_pool &pool, const std::uint8_t *rgb, std::uint32_t *planes, std::size_t height,
                                  std::size_t width) {
  const std::size_t pixels = height * width;
  std::vector<std::uint32_t> turned(pixels);
  const auto transpose = [&](const std::uint32_t *from, std::uint32_t *to, std::size_t rows, std::size_t columns) {
    constexpr std::size_t kTile = 32;
    for_all(pool, (rows + kTile - 1) / kTile, [&](std::size_t band) {
      for (std::size_t x = 0; x < columns; x += kTile) {
        for (std::size_t i = band * kTile; i < std::min(rows, (band + 1) * kTile); ++i) {
          for (std::size_t k = x; k < std::min(columns, x + kTile); ++k) {
            to[k * rows + i] = from[i * columns + k];
          }
        }
      }
    });
  };
  for (std::size_t channel = 0; channel < 3; ++channel) {
    std::uint32_t *plane = planes + channel * pixels;
    for_pieces(pool, pixels, [&](std::size_t i) { plane[i] = rgb[3 * i + channel]; });
    cpu::inclusive_sum_of_axis(plane, plane, cpu::axis{height, width, 1, {}, {}}, pool);
    transpose(plane, turned.data(), height, width);
    cpu::inclusive_sum_of_axis(turned.data(), turned.data(), cpu::axis{width, height, 1, {}, {}}, pool);
    transpose(turned.data(), plane, width, height);
  }
}

}  // namespace ladder
