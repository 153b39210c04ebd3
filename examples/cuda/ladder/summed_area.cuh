// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An application of the scans: the summed-area table of an RGB8 image, from which four reads give the sum of any box. The
// channels are separated into arrays of floats. The rows of each are scanned, the result is transposed, and its rows, the
// image's columns, are scanned. Then the channels are combined again. The table stays transposed: a reader swaps the
// coordinates.
// Source: GPU Gems 3, chapter 39, section 39.3.2 (after Crow 1984).
#pragma once

#include "block_from_warps.cuh"

namespace upsweep::cuda::ladder {

inline constexpr int kAreaThreads = 256;
inline constexpr int kTransposeSide = 32;  // of a tile

// Bytes that summed_area_rgb8 needs: each channel twice.
constexpr std::size_t summed_area_rgb8_workspace(std::size_t height, std::size_t width) {
  return 6 * height * width * sizeof(float);
}

namespace detail {

template <class T>
__global__ void take_apart_kernel(const unsigned char *in, T *channels, std::size_t pixels) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < pixels;
       i += std::size_t(gridDim.x) * blockDim.x) {
    for (int k = 0; k < 3; ++k) {
      channels[k * pixels + i] = in[3 * i + k];
    }
  }
}

template <class T>
__global__ void put_together_kernel(const T *channels, float4 *out, std::size_t pixels) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < pixels;
       i += std::size_t(gridDim.x) * blockDim.x) {
    out[i] = make_float4(channels[i], channels[pixels + i], channels[2 * pixels + i], 0);
  }
}

// A block for each row, in place: it scans chunk by chunk, with the total so far.
template <class T>
__global__ void __launch_bounds__(kAreaThreads) scan_rows_kernel(T *rows, std::size_t width) {
  T *const row = rows + blockIdx.x * width;
  T before = 0;
  for (std::size_t first = 0; first < width; first += kAreaThreads) {
    const std::size_t i = first + threadIdx.x;
    const T value = i < width ? row[i] : 0;
    T total = 0;
    const T in_chunk = scan_block_from_warps(value, plus{}, total);
    if (i < width) {
      row[i] = before + in_chunk + value;
    }
    before += total;
    __syncthreads();
  }
}

// Transposes through shared memory, so that neighbours read and write neighbours. The tile has an additional column, so that a
// column's elements are in different banks.
template <class T>
__global__ void transpose_kernel(const T *in, T *out, std::size_t height, std::size_t width, std::size_t tiles_down,
                                 std::size_t tiles_across) {
  __shared__ T tile[kTransposeSide][kTransposeSide + 1];
  const std::size_t image = blockIdx.x / (tiles_across * tiles_down), rank = blockIdx.x % (tiles_across * tiles_down);
  const std::size_t top = rank / tiles_across * kTransposeSide, left = rank % tiles_across * kTransposeSide;
  const std::size_t lane = threadIdx.x % kTransposeSide;
  in += image * height * width;
  out += image * height * width;
  for (std::size_t y = threadIdx.x / kTransposeSide; y < kTransposeSide; y += kAreaThreads / kTransposeSide) {
    if (top + y < height && left + lane < width) {
      tile[y][lane] = in[(top + y) * width + left + lane];
    }
  }
  __syncthreads();
  for (std::size_t x = threadIdx.x / kTransposeSide; x < kTransposeSide; x += kAreaThreads / kTransposeSide) {
    if (left + x < width && top + lane < height) {
      out[(left + x) * height + top + lane] = tile[lane][x];
    }
  }
}

}  // namespace detail

// in         height x width pixels of 3 bytes
// out        width x height elements. out[x * height + y] has the sums of red, green and blue over in(v, u) with v <= y and
//            u <= x, and 0.
//            Aligned to 16 bytes. Floats are exact up to 2^24
// workspace  aligned to 16 bytes. See arguments.cuh for the errors
inline cudaError_t summed_area_rgb8(const unsigned char *in, float4 *out, std::size_t height, std::size_t width,
                                    cudaStream_t stream, void *workspace, std::size_t workspace_bytes) {
  constexpr std::size_t kMostBlocks = 0x7fffffff;
  if (height == 0 || width == 0) {
    return cudaSuccess;
  }
  const std::size_t tiles_across = detail::divide_up(width, kTransposeSide),
                    tiles_down = detail::divide_up(height, kTransposeSide);
  if (in == nullptr || out == nullptr || height > kMostBlocks / 3 || width > kMostBlocks / 3 ||
      tiles_across > kMostBlocks / 3 / tiles_down ||
      detail::check_workspace(workspace, workspace_bytes, summed_area_rgb8_workspace(height, width)) != cudaSuccess) {
    return cudaErrorInvalidValue;
  }
  const std::size_t pixels = height * width;
  auto *const channels = static_cast<float *>(workspace), *const transposed = channels + 3 * pixels;
  constexpr unsigned kBlocks = 1024;  // of loops over all pixels
  detail::take_apart_kernel<<<kBlocks, kAreaThreads, 0, stream>>>(in, channels, pixels);
  detail::scan_rows_kernel<<<static_cast<unsigned>(3 * height), kAreaThreads, 0, stream>>>(channels, width);
  detail::transpose_kernel<<<static_cast<unsigned>(3 * tiles_across * tiles_down), kAreaThreads, 0, stream>>>(
      channels, transposed, height, width, tiles_down, tiles_across);
  detail::scan_rows_kernel<<<static_cast<unsigned>(3 * width), kAreaThreads, 0, stream>>>(transposed, height);
  detail::put_together_kernel<<<kBlocks, kAreaThreads, 0, stream>>>(transposed, out, pixels);
  return cudaPeekAtLastError();
}

}  // namespace upsweep::cuda::ladder
