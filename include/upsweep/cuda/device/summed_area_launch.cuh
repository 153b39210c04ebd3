// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a checked summed-area table.
#pragma once

#include <upsweep/common/shape.h>
#include <upsweep/cuda/device/arguments.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/summed_area_kernel.cuh>

namespace upsweep::cuda {

// The library takes images of 1 to 4 channels.
using common::image_shape;

namespace detail {

enum class AreaKind { kInclusive, kExclusive };

inline bool multiply(std::uint64_t a, std::uint64_t b, std::uint64_t most, std::uint64_t &product) {
  if (a > 0 && b > most / a) {
    return false;
  }
  product = a * b;
  return true;
}

// Finds the number of elements from the first to the last of images of height x row. False if rows or images overlap, or are
// too far apart.
inline bool extent_of_images(std::uint64_t images, std::uint64_t height, std::uint64_t row, std::uint64_t &pitch,
                             std::uint64_t &stride, std::uint64_t &extent) {
  const common::image_extent found = common::extent_of_images(images, height, row, 1, pitch, stride, kFarthestElement);
  pitch = found.pitch;
  stride = found.stride;
  extent = found.all;
  return height == 0 || row == 0 || found.is == common::fault::none;
}

// Whether all rows begin at multiples of `bytes`.
template <class T>
bool begins_at_vectors(const T *first, const ImageLayout &layout, std::uint64_t images, std::uint64_t height,
                       std::uint64_t bytes) {
  return reinterpret_cast<std::uintptr_t>(first) % bytes == 0 && (height <= 1 || layout.pitch * sizeof(T) % bytes == 0) &&
         (images <= 1 || layout.stride * sizeof(T) % bytes == 0);
}

// The number of tiles of all images. If a launch cannot have so many, the result exceeds the limit of launches.
template <class Tile>
std::uint64_t area_tiles(const image_shape &of) {
  constexpr std::uint64_t kMost = (1u << 31) - 1;
  std::uint64_t tiles = 0;
  const bool fits = of.width <= kMostElements && of.height <= kMostElements &&
                    multiply(Tile::across(of.width * of.channels), Tile::down(of.height), kMost, tiles) &&
                    multiply(tiles, of.images, kMost, tiles);
  return fits ? tiles : ~std::uint64_t(0);
}

// An invalid number of channels counts as 4, the maximum.
template <class Sum, class Call>
auto with_area_tile(std::uint64_t channels, const Call &call) {
  switch (channels) {
  case 1: return call(AreaTile<Sum, 1>());
  case 2: return call(AreaTile<Sum, 2>());
  case 3: return call(AreaTile<Sum, 3>());
  default: return call(AreaTile<Sum, 4>());
  }
}

template <class Sum>
std::size_t area_workspace_bytes(const image_shape &of) {
  const std::size_t words = with_area_tile<Sum>(of.channels, [&](auto tile) -> std::size_t {
    using Tile = decltype(tile);
    const std::uint64_t tiles = area_tiles<Tile>(of);
    return tiles == ~std::uint64_t(0) ? 0 : tiles * Tile::kWordsBytes;
  });
  return kStateBytes + words;
}

template <class Problem>
cudaError_t launch_area(Problem problem, const image_shape &of, unsigned char *words, std::size_t bytes, cudaStream_t stream) {
  using Tile = AreaTile<typename Problem::Sum, Problem::kChannels>;
  const std::uint64_t tiles = area_tiles<Tile>(of);
  problem.tiles_across = static_cast<std::uint32_t>(Tile::across(problem.row));
  problem.tiles_down = static_cast<std::uint32_t>(Tile::down(problem.height));
  problem.tiles = static_cast<std::uint32_t>(tiles);
  problem.words = reinterpret_cast<TileWord<typename Problem::Sum> *>(words);
  problem.words_bytes = bytes;
  problem.in.is_vector = begins_at_vectors(problem.input, problem.in, of.images, of.height,
                                           std::min<std::size_t>(16, Tile::kVector * sizeof(typename Problem::In)));
  problem.out.is_vector = begins_at_vectors(problem.output, problem.out, of.images, of.height, 16);
  return launch(summed_area_kernel<Problem>, problem.tiles, Tile::kThreads, 0, stream, problem);
}

template <AreaKind kKind, class In, class Sum, class Transform>
cudaError_t sum_areas(const workspace &space, const In *in, Sum *out, const image_shape &of, Transform transform,
                      cudaStream_t stream) {
  constexpr bool kExclusive = kKind == AreaKind::kExclusive;
  const std::uint64_t more = kExclusive ? 1 : 0;
  if (of.channels < 1 || of.channels > 4) {
    return cudaErrorInvalidValue;
  }
  if (of.images == 0 || (!kExclusive && (of.height == 0 || of.width == 0))) {
    return cudaSuccess;
  }
  const std::size_t needed = area_workspace_bytes<Sum>(of);
  const std::uint64_t row = of.width * of.channels;
  ImageLayout from{of.in_pitch, of.in_stride, false}, to{of.out_pitch, of.out_stride, false};
  std::uint64_t in_extent, out_extent;
  const bool has_tiles = needed > kStateBytes;
  if (!has_tiles || !extent_of_images(of.images, of.height, row, from.pitch, from.stride, in_extent) ||
      !extent_of_images(of.images, of.height + more, row + more * of.channels, to.pitch, to.stride, out_extent)) {
    return cudaErrorInvalidValue;
  }
  const bool is_same = static_cast<const void *>(in) == static_cast<const void *>(out) && sizeof(In) == sizeof(Sum) &&
                       !kExclusive && from.pitch == to.pitch && (of.images == 1 || from.stride == to.stride);
  if ((in == nullptr && in_extent > 0) || out == nullptr ||
      (!is_same && in_extent > 0 && overlap(in, in_extent * sizeof(In), out, out_extent * sizeof(Sum)))) {
    return cudaErrorInvalidValue;
  }
  return with_workspace(space, needed, stream, [&](const workspace &own) {
    auto *const bytes = static_cast<unsigned char *>(own.data);
    return with_area_tile<Sum>(of.channels, [&](auto tile) {
      constexpr int kChannels = decltype(tile)::kChannels;
      SummedAreaProblem<In, Sum, Transform, kChannels> problem{};
      problem.input = in;
      problem.output = out + (kExclusive ? to.pitch + kChannels : 0);
      problem.transform = transform;
      problem.height = of.height;
      problem.row = row;
      problem.in = from;
      problem.out = to;
      problem.has_zeros = kExclusive;
      problem.state = reinterpret_cast<ScanState *>(bytes);
      return launch_area(problem, of, bytes + kStateBytes, own.bytes - kStateBytes, stream);
    });
  });
}

}  // namespace detail

}  // namespace upsweep::cuda
