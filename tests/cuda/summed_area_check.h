// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common tools of tests of summed-area tables: images with gaps, their sums on the host, and guards in the gaps.
#pragma once

#include "check.h"

#include <upsweep/cuda/summed_area.cuh>

#include <cstdint>
#include <string>

namespace upsweep::test {

struct Shape {
  cuda::image_shape of;
  bool is_exclusive = false;
  std::size_t in_offset = 0, out_offset = 0;  // elements before the first one, so that it is not aligned

  std::uint64_t row() const { return of.width * of.channels; }
  std::uint64_t out_height() const { return of.height + (is_exclusive ? 1 : 0); }
  std::uint64_t out_row() const { return row() + (is_exclusive ? of.channels : 0); }
  std::uint64_t in_pitch() const { return of.in_pitch == 0 ? row() : of.in_pitch; }
  std::uint64_t out_pitch() const { return of.out_pitch == 0 ? out_row() : of.out_pitch; }
  std::uint64_t in_stride() const { return of.in_stride == 0 ? of.height * in_pitch() : of.in_stride; }
  std::uint64_t out_stride() const { return of.out_stride == 0 ? out_height() * out_pitch() : of.out_stride; }
  std::uint64_t in_places() const { return in_offset + of.images * in_stride() + in_pitch(); }
  std::uint64_t out_places() const { return out_offset + of.images * out_stride() + out_pitch(); }

  std::string name() const {
    std::string text = is_exclusive ? "exclusive " : "";
    for (const std::uint64_t number : {of.images, of.height, of.width, of.channels, in_pitch(), out_pitch(),
                                       std::uint64_t(in_offset), std::uint64_t(out_offset)}) {
      text += std::to_string(number) + " ";
    }
    return text;
  }
};

inline std::uint64_t random_below(std::uint64_t end) {
  return std::uniform_int_distribution<std::uint64_t>(0, end - 1)(generator());
}

// For floats whole numbers whose sums are exact in images of up to some 10^5 pixels; for integers all bits.
template <class In>
In random_pixel() {
  if constexpr (std::is_integral_v<In>) {
    return static_cast<In>(generator()());
  } else {
    return static_cast<In>(static_cast<float>(static_cast<int>(generator()() % 9) - 4));
  }
}

// The specified computation: conversion first, and sums that wrap.
template <class Sum, class In>
Sum converted(const In &pixel) {
  if constexpr (std::is_arithmetic_v<In>) {
    return static_cast<Sum>(pixel);
  } else {
    return static_cast<Sum>(static_cast<float>(pixel));
  }
}
template <class Sum>
Sum wrapped_sum(Sum a, Sum b) {
  if constexpr (std::is_integral_v<Sum>) {
    using Bits = std::make_unsigned_t<Sum>;
    return static_cast<Sum>(static_cast<Bits>(a) + static_cast<Bits>(b));
  } else {
    return a + b;
  }
}

// Row by row, from the row's sum so far and the table above; gaps hold the poison of `out`.
template <class Sum, class In, class Transform>
std::vector<Sum> summed_on_host(const Shape &shape, const std::vector<In> &in, Transform transform) {
  std::vector<Sum> out(shape.out_places());
  std::memset(out.data(), kPoison, out.size() * sizeof(Sum));
  const std::uint64_t before = shape.is_exclusive ? 1 : 0, channels = shape.of.channels;
  for (std::uint64_t k = 0; k < shape.of.images; ++k) {
    Sum *const table = out.data() + shape.out_offset + k * shape.out_stride();
    const In *const image = in.data() + shape.in_offset + k * shape.in_stride();
    for (std::uint64_t y = 0; y < shape.out_height(); ++y) {
      for (std::uint64_t e = 0; e < shape.out_row(); ++e) {
        table[y * shape.out_pitch() + e] = Sum(0);
      }
    }
    for (std::uint64_t y = 0; y < shape.of.height; ++y) {
      std::vector<Sum> sums(channels, Sum(0));
      for (std::uint64_t e = 0; e < shape.row(); ++e) {
        Sum &sum = sums[e % channels];
        sum = wrapped_sum(sum, converted<Sum>(transform(image[y * shape.in_pitch() + e])));
        const std::uint64_t to = (y + before) * shape.out_pitch() + e + before * channels;
        const Sum above = y > 0 ? table[to - shape.out_pitch()] : Sum(0);
        table[to] = wrapped_sum(above, sum);
      }
    }
  }
  return out;
}

template <class T>
void check_same(const std::vector<T> &found, const std::vector<T> &expected, const std::string &what) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!same(found[i], expected[i])) {
      report(__FILE__, __LINE__, (what + ": wrong at " + std::to_string(i)).c_str());
      return;
    }
  }
}

template <class Sum, class In, class... Options>
cudaError_t sum_as(const Shape &shape, const cuda::workspace &space, const In *in, Sum *out, Options... options) {
  return shape.is_exclusive ? cuda::exclusive_summed_area_table(space, in, out, shape.of, options...)
                            : cuda::summed_area_table(space, in, out, shape.of, options...);
}

struct Same {
  template <class T>
  __host__ __device__ T operator()(const T &value) const {
    return value;
  }
};

// One workspace for all calls of a test, so that each call finds words of earlier calls.
class AreaSpace {
public:
  explicit AreaSpace(std::size_t bytes) : memory_(bytes), space_{memory_.data(), bytes} {
    UPSWEEP_CUDA(cuda::initialise(space_));
  }
  const cuda::workspace &get() const { return space_; }

private:
  DeviceArray<unsigned char> memory_;
  cuda::workspace space_;
};

template <class In, class Sum, class Transform = Same, class... Options>
void check_table(const AreaSpace &space, const Shape &shape, Transform transform = Transform(), Options... options) {
  std::vector<In> pixels(shape.in_places());
  for (In &pixel : pixels) {
    pixel = random_pixel<In>();
  }
  DeviceArray<In> in(pixels);
  DeviceArray<Sum> out(shape.out_places());
  UPSWEEP_CHECK(cuda::summed_area_workspace_bytes<Sum>(shape.of) <= space.get().bytes);
  UPSWEEP_CUDA(sum_as(shape, space.get(), in.data() + shape.in_offset, out.data() + shape.out_offset, options...));
  check_same(out.download(), summed_on_host<Sum>(shape, pixels, transform), shape.name());
  UPSWEEP_CHECK(out.end_is_intact());
  check_same(in.download(), pixels, "input of " + shape.name());
}

}  // namespace upsweep::test
