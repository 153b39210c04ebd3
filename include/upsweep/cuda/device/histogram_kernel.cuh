// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of histograms: each block counts its samples in shared memory, and adds its counts to those in memory.
#pragma once

#include <upsweep/cuda/device/histogram_bins.cuh>
#include <upsweep/cuda/device/histogram_table.cuh>
#include <upsweep/cuda/device/iterators.cuh>
#include <upsweep/cuda/device/kernel_before.cuh>
#include <upsweep/cuda/device/slice.cuh>
#include <upsweep/cuda/device/values.cuh>

namespace upsweep::cuda::detail {

inline constexpr int kHistogramThreads = 1024;
// Samples of one byte are counted by their value, and the 256 values are mapped to bins at the end.
inline constexpr int kByteValues = 256;

// Rows of pixels of kChannels samples each.
template <class Input, int kChannels_>
struct Pixels {
  using Sample = ElementOf<Input>;
  static constexpr int kChannels = kChannels_;
  Input samples;
  Later<std::uint64_t> width;  // pixels of a row
  std::uint64_t rows;
  std::uint64_t pitch;  // bytes from row to row
};

template <class Input_, int kChannels_, int kCounted_, class Bins_, class Counter_, class Weights_, class Weight_>
struct HistogramProblem {
  using Input = Input_;
  using Sample = ElementOf<Input>;
  using Bins = Bins_;
  using Counter = Counter_;
  using Weights = Weights_;
  using Weight = Weight_;
  using Sum = BinSum<Counter, Weight>;
  static constexpr int kChannels = kChannels_;
  static constexpr int kCounted = kCounted_;
  static constexpr bool kWeighted = !std::is_same_v<Weight, NoWeight>;
  // Whether samples load as whole vectors. With weights they do not, since the weights' vectors have other offsets.
  static constexpr bool kVectors =
      std::is_pointer_v<Input> && !kWeighted && sizeof(Sample) <= 8 && alignof(Sample) == sizeof(Sample);
  static constexpr bool kBytes = kVectors && sizeof(Sample) == 1;

  Pixels<Input, kChannels> pixels;
  Bins bins;
  Weights weights;
  Counter *counts;
  std::uint32_t bins_counted;
  // For tables of columns, which blocks take round robin. For a cache: `range` bins from `begin` on, and log_columns is the
  // logarithm of its places.
  std::uint32_t begin, range, ranges, log_columns;
  std::uint32_t levels_at;  // the offset of the levels' guide in shared memory, in bytes; 0: none
  bool clears;              // the counts: there is one block, and no earlier kernel cleared them
};

// The samples of rows in memory, which a warp loads as vectors of 16 bytes.
template <class Problem, int kVectorsAtOnce>
struct VectorLoop {
  using Sample = typename Problem::Sample;
  static constexpr int kItems = 16 / static_cast<int>(sizeof(Sample));
  static constexpr int kTileItems = 32 * kVectorsAtOnce * kItems;
  static constexpr int kChannels = Problem::kChannels;

  // count(channel, sample) for each sample of a channel that is counted.
  template <class Count>
  __device__ __forceinline__ static void run(const Problem &problem, unsigned block, unsigned blocks, const Count &count) {
    const auto &pixels = problem.pixels;
    const std::uint64_t length = pixels.width.get() * kChannels;
    const std::uint64_t tiles = (length + kItems - 1 + kTileItems - 1) / kTileItems;  // of a row, wherever it begins
    const std::uint64_t warp = block * std::uint64_t(kHistogramThreads / 32) + threadIdx.x / 32;
    const std::uint64_t warps = blocks * std::uint64_t(kHistogramThreads / 32);
    if (length == 0) {
      return;
    }
    if (pixels.rows == 1) {
      for (std::uint64_t tile = warp; tile < tiles; tile += warps) {
        add_tile(pixels.samples, length, tile, count);
      }
      return;
    }
    std::uint64_t row = warp / tiles, tile = warp % tiles;
    const std::uint64_t row_step = warps / tiles, tile_step = warps % tiles;
    while (row < pixels.rows) {
      const auto *const bytes = reinterpret_cast<const unsigned char *>(pixels.samples) + row * pixels.pitch;
      add_tile(reinterpret_cast<const Sample *>(bytes), length, tile, count);
      row += row_step;
      tile += tile_step;
      if (tile >= tiles) {
        tile -= tiles;
        ++row;
      }
    }
  }

private:
  template <class Count>
  __device__ __forceinline__ static void add_tile(const Sample *samples, std::uint64_t length, std::uint64_t tile,
                                                  const Count &count) {
    // Places of samples are counted from the vector on in which the row begins.
    const int lead = static_cast<int>(reinterpret_cast<std::uintptr_t>(samples) % 16 / sizeof(Sample));
    const std::uint64_t end = length + lead;
    const std::uint64_t first = tile * kTileItems + lane_id() * kItems;
    if ((tile > 0 || lead == 0) && (tile + 1) * kTileItems <= end) {
      const unsigned phase = kChannels == 1 ? 0 : static_cast<unsigned>((first - lead) % kChannels);
      uint4 vectors[kVectorsAtOnce];
#pragma unroll
      for (int v = 0; v < kVectorsAtOnce; ++v) {
        vectors[v] = load_once(reinterpret_cast<const uint4 *>(samples - lead + first + v * 32 * kItems));
      }
#pragma unroll
      for (int v = 0; v < kVectorsAtOnce; ++v) {
        add_vector(vectors[v], (phase + v * 32 * kItems) % kChannels, count);
      }
    } else {
#pragma unroll 1
      for (int v = 0; v < kVectorsAtOnce; ++v) {
        const std::uint64_t begin = first + v * 32 * kItems;
#pragma unroll 1
        for (std::uint64_t at = begin; at < min(begin + kItems, end); ++at) {
          if (at >= static_cast<std::uint64_t>(lead)) {
            const std::uint64_t i = at - lead;
            add_sample(static_cast<unsigned>(i % kChannels), samples[i], count);
          }
        }
      }
    }
  }

  template <class Count>
  __device__ __forceinline__ static void add_vector(const uint4 &vector, unsigned phase, const Count &count) {
    unsigned channels[kChannels];
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
      channels[c] = phase + c < kChannels ? phase + c : phase + c - kChannels;
    }
    const std::uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      Sample sample;
      if constexpr (sizeof(Sample) == 8) {
        const std::uint64_t bits = words[2 * i] | std::uint64_t(words[2 * i + 1]) << 32;
        memcpy(&sample, &bits, sizeof(Sample));
      } else {
        const auto bits =
            static_cast<UnsignedOf<sizeof(Sample)>>(words[i * sizeof(Sample) / 4] >> (i * 8 * sizeof(Sample) % 32));
        memcpy(&sample, &bits, sizeof(Sample));
      }
      add_sample(channels[i % kChannels], sample, count);
    }
  }

  template <class Count>
  __device__ __forceinline__ static void add_sample(unsigned channel, const Sample &sample, const Count &count) {
    if (Problem::kCounted == kChannels || channel < Problem::kCounted) {
      count(channel, sample, NoWeight{});
    }
  }
};

// The same for any iterator and with weights: a thread takes one pixel after the other.
template <class Problem>
struct ElementLoop {
  static constexpr int kAtOnce = 4;

  template <class Count>
  __device__ __forceinline__ static void run(const Problem &problem, unsigned block, unsigned blocks, const Count &count) {
    const std::uint64_t length = problem.pixels.width.get(), step = blocks * std::uint64_t(kHistogramThreads);
    std::uint64_t i = block * std::uint64_t(kHistogramThreads) + threadIdx.x;
    for (; i + (kAtOnce - 1) * step < length; i += kAtOnce * step) {
      add<kAtOnce>(problem, i, step, count);
    }
    for (; i < length; i += step) {
      add<1>(problem, i, step, count);
    }
  }

private:
  template <int kPixels, class Count>
  __device__ __forceinline__ static void add(const Problem &problem, std::uint64_t first, std::uint64_t step,
                                             const Count &count) {
    typename Problem::Sample samples[kPixels][Problem::kCounted];
    typename Problem::Weight weights[kPixels];
#pragma unroll
    for (int p = 0; p < kPixels; ++p) {
      const std::uint64_t i = first + p * step;
      if constexpr (Problem::kWeighted) {
        weights[p] = problem.weights[i];
      }
#pragma unroll
      for (int c = 0; c < Problem::kCounted; ++c) {
        samples[p][c] = problem.pixels.samples[i * Problem::kChannels + c];
      }
    }
#pragma unroll
    for (int p = 0; p < kPixels; ++p) {
#pragma unroll
      for (int c = 0; c < Problem::kCounted; ++c) {
        count(static_cast<unsigned>(c), samples[p][c], weights[p]);
      }
    }
  }
};

inline constexpr int kVectorsOfWarp = 4;

#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200))
inline constexpr int kHistogramBlocksOfBytes = 2;
#else
inline constexpr int kHistogramBlocksOfBytes = 1;  // those GPUs have no room for more threads on a multiprocessor
#endif

// Where a block counts. kGuidedTable: with room for levels and their guide.
enum class HistogramWay { kTable, kGuidedTable, kCache };

// The bin of each sample.
template <class Problem, HistogramWay kWay>
struct BinOf {
  const Problem &problem;
  __device__ __forceinline__ explicit BinOf(const Problem &p, std::uint32_t *) : problem(p) {}
  __device__ __forceinline__ unsigned operator()(const typename Problem::Sample &sample) const {
    return problem.bins.of(sample);
  }
};
template <class Problem>
struct BinOf<Problem, HistogramWay::kGuidedTable> {
  const Problem &problem;
  LevelGuide<typename Problem::Bins> guide;
  __device__ __forceinline__ explicit BinOf(const Problem &p, std::uint32_t *memory)
      : problem(p), guide(p.bins, reinterpret_cast<unsigned char *>(memory) + p.levels_at) {}
  __device__ __forceinline__ unsigned operator()(const typename Problem::Sample &sample) const {
    return guide.of(problem.bins, sample);
  }
};

template <class Sample>
__device__ __forceinline__ Sample byte_as(unsigned value) {
  const auto bits = static_cast<std::uint8_t>(value);
  Sample sample;
  memcpy(&sample, &bits, 1);
  return sample;
}

template <class Problem, HistogramWay kWay>
__global__ void __launch_bounds__(kHistogramThreads, Problem::kBytes ? kHistogramBlocksOfBytes : 1)
    histogram_kernel(const __grid_constant__ Problem problem) {
  using Sum = typename Problem::Sum;
  using Counter = typename Problem::Counter;
  using Sample = typename Problem::Sample;
  constexpr bool kCached = kWay == HistogramWay::kCache;
  using Table = std::conditional_t<kCached, BinCache<Sum, Counter>, ColumnTable<Sum, Counter, !Problem::kBytes>>;
  using Loop = std::conditional_t<Problem::kVectors, VectorLoop<Problem, kVectorsOfWarp>, ElementLoop<Problem>>;
  extern __shared__ __align__(16) std::uint32_t memory[];
  Table table(problem, memory);
  const BinOf<Problem, kWay> bin_of(problem, memory);
  if (problem.clears) {
    for (unsigned i = threadIdx.x; i < problem.bins_counted * Problem::kCounted; i += kHistogramThreads) {
      problem.counts[i] = Counter(0);
    }
  }
  if constexpr (kCached) {
    wait_for_kernel_before();
  }
  __syncthreads();
  Loop::run(problem, blockIdx.x / problem.ranges, gridDim.x / problem.ranges,
            [&](unsigned channel, const Sample &sample, const typename Problem::Weight &weight) {
              if constexpr (Problem::kBytes) {
                std::uint8_t value;
                memcpy(&value, &sample, 1);
                table.add(channel, value, weight);
              } else {
                table.add(channel, bin_of(sample), weight);
              }
            });
  if constexpr (!kCached) {
    wait_for_kernel_before();
  }
  __syncthreads();
  table.for_each(Problem::kCounted, [&](unsigned channel, unsigned place, typename Sum::Total total) {
    unsigned bin = place;
    if constexpr (Problem::kBytes) {
      bin = bin_of(byte_as<Sample>(place));
    }
    if (kCached || bin < problem.bins_counted) {
      Sum::add_to_memory(&problem.counts[std::uint64_t(channel) * problem.bins_counted + bin], total);
    }
  });
}

template <class Counter>
__global__ void clear_counts_kernel(Counter *counts, std::uint64_t count) {
  let_next_kernel_begin();
  for (std::uint64_t i = blockIdx.x * std::uint64_t(blockDim.x) + threadIdx.x; i < count;
       i += std::uint64_t(gridDim.x) * blockDim.x) {
    counts[i] = Counter(0);
  }
}

}  // namespace upsweep::cuda::detail
