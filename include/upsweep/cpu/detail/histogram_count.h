// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of the pixels of an array, or of an image with gaps between rows, each with several samples. Each thread has its own
// tables.
#pragma once

#include <upsweep/cpu/detail/arguments.h>
#include <upsweep/cpu/detail/chunks.h>

#include <mutex>
#include <vector>

namespace upsweep::cpu::detail {

// With more bins, a table for a chunk is larger than the chunk, and successive samples seldom share a bin.
constexpr std::uint64_t kBinsOfFourTables = 4096;
// Sums of weights are kept for this number of parts, which are added in order, so that they do not depend on the number of
// threads.
constexpr std::uint64_t kPartsOfWeights = 64;
constexpr std::uint64_t kMostSumsOfWeights = std::uint64_t(1) << 24;

// Rows of `width` pixels, which begin `pitch` samples apart.
struct PixelRows {
  std::uint64_t width, rows, pitch;

  std::uint64_t pixels() const { return width * rows; }
  // Calls visit(sample, pixel) for the pixels from begin to end, with the place of the first sample of each.
  template <class Visit>
  void for_each(std::uint64_t begin, std::uint64_t end, std::uint64_t channels, const Visit &visit) const {
    for (std::uint64_t pixel = begin; pixel < end;) {
      const std::uint64_t row = pixel / width, x = pixel - row * width, count = std::min(width - x, end - pixel);
      const std::uint64_t first = row * pitch + x * channels;
      for (std::uint64_t i = 0; i < count; ++i, ++pixel) {
        visit(static_cast<std::ptrdiff_t>(first + i * channels), pixel);
      }
    }
  }
};

// counts[c * bins + b], for the first kCounted of the kChannels samples of each pixel.
template <int kChannels, int kCounted, class In, class Count, class Bins, class Executor>
void count_pixels(In in, Count *counts, const PixelRows &rows, std::uint64_t bins, const Bins &bin_of, Executor &executor) {
  constexpr std::uint64_t kTables = kCounted;
  const std::uint64_t table = bins + 1;  // the last count of a table is for samples without a bin
  Chunks chunks(rows.pixels(), sizeof(ValueOf<In>) * kChannels);
  // A chunk has at least as many pixels as there are bins to add, and fewer than a table's integers can count.
  chunks.size = std::min<std::uint64_t>(std::max(chunks.size, 4 * bins), std::uint64_t(1) << 31);
  // Four tables, since successive counts in the same bin would stall.
  const std::uint64_t copies = bins <= kBinsOfFourTables ? 4 : 1;
  std::mutex mutex;
  for_each_piece(executor, chunks.count(), [&](std::uint64_t chunk) {
    std::vector<std::uint32_t> own(copies * kTables * table);
    std::uint32_t *const to = own.data();
    rows.for_each(chunks.begin(chunk), chunks.end(chunk), kChannels, [&](std::ptrdiff_t sample, std::uint64_t pixel) {
      std::uint32_t *const of_pixel = to + (pixel & (copies - 1)) * kTables * table;
      for (int c = 0; c < kCounted; ++c) {
        ++of_pixel[static_cast<std::uint64_t>(c) * table + std::min<std::uint64_t>(bin_of(in[sample + c]), bins)];
      }
    });
    const std::lock_guard lock(mutex);
    for (std::uint64_t copy = 0; copy < copies; ++copy) {
      for (std::uint64_t c = 0; c < kTables; ++c) {
        for (std::uint64_t b = 0; b < bins; ++b) {
          Count &count = counts[c * bins + b];
          count = static_cast<Count>(count + own[(copy * kTables + c) * table + b]);
        }
      }
    }
  });
}

// The same, with each pixel counted by its weight.
template <int kChannels, int kCounted, class In, class Count, class Bins, class Weights, class Executor>
void weigh_pixels(In in, Count *counts, const PixelRows &rows, std::uint64_t bins, const Bins &bin_of, Weights weights,
                  Executor &executor) {
  using Sum = std::conditional_t<std::is_floating_point_v<Count>, double, std::uint64_t>;
  const std::uint64_t table = bins + 1, sums = kCounted * table;
  Chunks parts(rows.pixels(), sizeof(ValueOf<In>) * kChannels);
  const std::uint64_t most = std::clamp<std::uint64_t>(kMostSumsOfWeights / sums, 1, kPartsOfWeights);
  parts.size = std::max(parts.size, (rows.pixels() + most - 1) / most);
  std::vector<std::vector<Sum>> all(parts.count());
  for_each_piece(executor, parts.count(), [&](std::uint64_t part) {
    std::vector<Sum> own(sums);
    rows.for_each(parts.begin(part), parts.end(part), kChannels, [&](std::ptrdiff_t sample, std::uint64_t pixel) {
      const auto weight = static_cast<Sum>(weights[static_cast<std::ptrdiff_t>(pixel)]);
      for (int c = 0; c < kCounted; ++c) {
        own[static_cast<std::uint64_t>(c) * table + std::min<std::uint64_t>(bin_of(in[sample + c]), bins)] += weight;
      }
    });
    all[part] = std::move(own);
  });
  for (std::uint64_t c = 0; c < kCounted; ++c) {
    for (std::uint64_t b = 0; b < bins; ++b) {
      Sum sum(0);
      for (const std::vector<Sum> &part : all) {
        sum += part[c * table + b];
      }
      counts[c * bins + b] = static_cast<Count>(sum);
    }
  }
}

}  // namespace upsweep::cpu::detail
