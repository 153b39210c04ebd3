// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a checked box filter: an exclusive summed-area table in the workspace, and then the means.
#pragma once

#include <upsweep/cuda/device/box_filter_kernel.cuh>
#include <upsweep/cuda/device/call.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/summed_area_launch.cuh>

namespace upsweep::cuda {

namespace detail {

// The type of a table's sums in the workspace. Differences that wrap are right if a box's sum fits this type.
template <class In>
inline constexpr bool may_sum_in_32_bits = std::is_integral_v<In> && sizeof(In) <= 2;
template <class In>
using WideSum = std::conditional_t<std::is_integral_v<In>, std::uint64_t, double>;
// Boxes of 64-bit integers have sums of 128 bits, as two tables.
template <class In>
inline constexpr bool has_halves = std::is_integral_v<In> && sizeof(In) == 8;
template <class In, class Sum, bool = has_halves<In>>
struct TotalOf {
  using type = std::conditional_t<std::is_signed_v<In>, std::make_signed_t<Sum>, Sum>;
};
template <class In>
struct TotalOf<In, double, false> {
  using type = double;
};
template <class In, class Sum>
struct TotalOf<In, Sum, true> {
  using type = std::conditional_t<std::is_signed_v<In>, __int128, unsigned __int128>;
};

struct LowerHalf {
  template <class T>
  __host__ __device__ __forceinline__ std::uint64_t operator()(const T &x) const {
    return static_cast<std::uint64_t>(x) & 0xffffffffu;
  }
};
// The upper half of a 64-bit integer, with its sign.
struct UpperHalf {
  template <class T>
  __host__ __device__ __forceinline__ std::uint64_t operator()(const T &x) const {
    return static_cast<std::uint64_t>(x >> 32);
  }
};

// The table's place in the workspace, behind the words of its call. The first pixel's sum is at a vector's begin, and rows are
// a whole number of vectors apart.
template <class Sum>
struct BoxTable {
  image_shape of;            // with the table as its output
  std::size_t words, bytes;  // bytes of the words, and of the whole workspace
  std::size_t first;         // elements before the table
  std::size_t sums;          // elements from a table to the next one

  BoxTable(const image_shape &image, unsigned tables) : of(image) {
    constexpr std::uint64_t kVector = 16 / sizeof(Sum);
    of.out_pitch = ((of.width + 1) * of.channels + kVector - 1) / kVector * kVector;
    of.out_stride = (of.height + 1) * of.out_pitch;
    words = (area_workspace_bytes<Sum>(of) + 15) / 16 * 16;
    first = kVector - of.channels % kVector;
    sums = of.images * of.out_stride;
    bytes = kOwnDataAt + words + (tables * sums + kVector) * sizeof(Sum);
  }
  workspace words_in(const workspace &space) const { return {static_cast<unsigned char *>(space.data) + kOwnDataAt, words}; }
  Sum *at(const workspace &space) const {
    return reinterpret_cast<Sum *>(static_cast<unsigned char *>(space.data) + kOwnDataAt + words) + first;
  }
};

// Whether the image has channels, and its table may fit a workspace.
inline bool is_box_image(const image_shape &of) {
  std::uint64_t elements = 0;
  return of.channels >= 1 && of.channels <= 4 && of.width <= kMostElements && of.height <= kMostElements &&
         multiply(of.width + 1, of.height + 1, kMostElements, elements) &&
         multiply(elements, of.images, kMostElements, elements);
}

// The workspace for any radius; 0 for an invalid image.
template <class In, class Out = In>
std::size_t box_workspace_bytes(const image_shape &of) {
  const auto bytes = [&](auto sum, bool are_halves) { return BoxTable<decltype(sum)>(of, are_halves ? 2 : 1).bytes; };
  return is_box_image(of) ? std::max(bytes(WideSum<In>(), has_halves<In>), bytes(WideSum<Out>(), has_halves<Out>)) : 0;
}

template <class In, class Sum, class Out, class Radius>
cudaError_t filter_boxes_in(const workspace &space, const In *in, Out *out, const image_shape &of, const ImageLayout &to,
                            const Radius &radius, cudaStream_t stream) {
  const BoxTable<Sum> table(of, has_halves<In> ? 2 : 1);
  Sum *const sums = table.at(space), *const upper = sums + table.sums;
  const workspace words = table.words_in(space);
  cudaError_t error = initialise(words, stream);
  if (error == cudaSuccess) {
    if constexpr (has_halves<In>) {
      error = sum_areas<AreaKind::kExclusive>(words, in, sums, table.of, LowerHalf{}, stream);
      if (error == cudaSuccess) {
        error = sum_areas<AreaKind::kExclusive>(words, in, upper, table.of, UpperHalf{}, stream);
      }
    } else {
      error = sum_areas<AreaKind::kExclusive>(words, in, sums, table.of, Unchanged{}, stream);
    }
  }
  if (error != cudaSuccess) {
    return error;
  }
  return with_area_tile<Sum>(of.channels, [&](auto tile) {
    constexpr int kChannels = decltype(tile)::kChannels;
    constexpr std::uint64_t kRows = kBoxRows * kBoxSteps;
    const std::uint64_t across = (of.width - 1) / kBoxColumns + 1, down = (of.height - 1) / kRows + 1;
    std::uint64_t blocks = 0;
    if (!multiply(across, down, (1u << 31) - 1, blocks) || !multiply(blocks, of.images, (1u << 31) - 1, blocks)) {
      return cudaErrorInvalidValue;
    }
    using Total = typename TotalOf<In, Sum>::type;
    const BoxProblem<Sum, Total, Out, Radius, kChannels> problem{sums,
                                                                 upper,
                                                                 out,
                                                                 radius,
                                                                 of.height,
                                                                 of.width,
                                                                 table.of.out_pitch,
                                                                 table.of.out_stride,
                                                                 to.pitch,
                                                                 to.stride,
                                                                 static_cast<std::uint32_t>(across),
                                                                 static_cast<std::uint32_t>(down),
                                                                 static_cast<ScanState *>(space.data)};
    return launch(box_filter_kernel<std::decay_t<decltype(problem)>>, static_cast<unsigned>(blocks), kBoxColumns * kBoxRows, 0,
                  stream, problem);
  });
}

template <class In, class Out, class Radius>
cudaError_t filter_boxes_once(const workspace &space, const In *in, Out *out, const image_shape &of, const ImageLayout &to,
                              const Radius &radius, cudaStream_t stream) {
  if constexpr (may_sum_in_32_bits<In>) {
    const std::uint64_t reach = std::min(radius.most, of.height + of.width) * 2 + 1;
    if (std::min(reach, of.height) * std::min(reach, of.width) <= std::uint64_t(1) << (32 - 8 * sizeof(In))) {
      return filter_boxes_in<In, std::uint32_t>(space, in, out, of, to, radius, stream);
    }
  }
  return filter_boxes_in<In, WideSum<In>>(space, in, out, of, to, radius, stream);
}

template <class In, class Out, class Radius>
cudaError_t filter_boxes(const workspace &space, const In *in, Out *out, const image_shape &of, const Radius &radius,
                         unsigned times, cudaStream_t stream) {
  if (of.channels < 1 || of.channels > 4 || times == 0) {
    return cudaErrorInvalidValue;
  }
  if (of.images == 0 || of.height == 0 || of.width == 0) {
    return cudaSuccess;
  }
  const std::uint64_t row = of.width * of.channels;
  ImageLayout from{of.in_pitch, of.in_stride, false}, to{of.out_pitch, of.out_stride, false};
  std::uint64_t extent;
  if (!is_box_image(of) || in == nullptr || out == nullptr ||
      !extent_of_images(of.images, of.height, row, from.pitch, from.stride, extent) ||
      !extent_of_images(of.images, of.height, row, to.pitch, to.stride, extent)) {
    return cudaErrorInvalidValue;
  }
  const std::size_t needed = box_workspace_bytes<In, Out>(of);
  return with_workspace<false>(space, needed, stream, [&](const workspace &own) {
    image_shape again = of;
    again.in_pitch = to.pitch;
    again.in_stride = to.stride;
    cudaError_t error = filter_boxes_once(own, in, out, of, to, radius, stream);
    for (unsigned time = 1; time < times && error == cudaSuccess; ++time) {
      error = filter_boxes_once(own, static_cast<const Out *>(out), out, again, to, radius, stream);
    }
    return error;
  });
}

// The forms of a radius: a number, a device pointer to one for each pixel, or a functor with a member `most`.
template <class Radius>
auto radius_of(const Radius &radius) {
  if constexpr (std::is_integral_v<Radius>) {
    static_assert(!std::is_same_v<Radius, bool>, "upsweep: a radius is an integer");
    return RadiusOfAll{static_cast<std::uint64_t>(radius)};
  } else if constexpr (std::is_pointer_v<Unwrapped<Radius>>) {
    using Element = ElementOf<Unwrapped<Radius>>;
    static_assert(std::is_integral_v<Element>, "upsweep: radii are integers");
    return RadiusOfEach<Element>{const_pointer(radius), ~std::uint64_t(0)};
  } else {
    return radius;
  }
}
template <class Functor>
bool is_null_radius(const Functor &) {
  return false;
}
template <class Radius>
bool is_null_radius(const RadiusOfEach<Radius> &radius) {
  return radius.radii == nullptr;
}
template <class Depth>
bool is_null_radius(const circle_of_confusion<Depth> &radius) {
  return radius.depth == nullptr;
}

}  // namespace detail

}  // namespace upsweep::cuda
