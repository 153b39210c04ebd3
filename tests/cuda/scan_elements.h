// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More element types for device-wide scans, and values whose scans are exact in whatever order they are combined.
#pragma once

#include "elements.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace upsweep::test {

// Three bytes; the last non-zero element wins.
struct Triple {
  unsigned char text[3];
};
struct LastTriple {
  __host__ __device__ Triple operator()(const Triple &a, const Triple &b) const { return b.text[1] != 0 ? b : a; }
};

// The upper triangular matrices with ones in the diagonal, modulo 2^32: 12 bytes, whose product does not commute.
struct Heisenberg {
  std::uint32_t x, y, z;
};
struct HeisenbergProduct {
  __host__ __device__ Heisenberg operator()(const Heisenberg &a, const Heisenberg &b) const {
    return {a.x + b.x, a.y + b.y, a.z + b.z + a.x * b.y};
  }
};

struct ComplexProduct {
  // Adding 0 turns -0 into +0; otherwise the order of products would decide the sign of zeros.
  __host__ __device__ float2 operator()(const float2 &a, const float2 &b) const {
    return {a.x * b.x - a.y * b.y + 0.0f, a.x * b.y + a.y * b.x + 0.0f};
  }
};

// The sums of a walk within [-kMost, kMost] and of all its parts are exact in types of few bits.
template <class T, int kMost>
std::vector<T> bounded_walk(std::size_t count) {
  std::vector<T> values;
  values.reserve(count);
  int at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const int next = static_cast<int>(generator()() % (2 * kMost + 1)) - kMost;
    values.push_back(T(static_cast<float>(next - at)));
    at = next;
  }
  return values;
}

template <class T>
std::vector<T> scan_values(std::size_t count) {
  if constexpr (std::is_same_v<T, __half>) {
    return bounded_walk<T, 250>(count);  // with an initial value: sums of up to 4 times that are whole up to 2048
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return bounded_walk<T, 30>(count);  // up to 256
  } else {
    std::vector<T> values(count);
    for (T &value : values) {
      if constexpr (std::is_same_v<T, Triple>) {
        value = {};
        if (generator()() % 4 == 0) {
          std::fill(std::begin(value.text), std::end(value.text), static_cast<unsigned char>(generator()()));
        }
      } else if constexpr (std::is_same_v<T, Heisenberg>) {
        value = {std::uint32_t(generator()()), std::uint32_t(generator()()), std::uint32_t(generator()())};
      } else if constexpr (std::is_same_v<T, float2>) {
        // 1, i, -1 or -i: products and sums are exact.
        const unsigned bits = generator()();
        const float sign = bits % 2 == 0 ? 1.0f : -1.0f;
        value = bits / 2 % 2 == 0 ? float2{sign, 0.0f} : float2{0.0f, sign};
      } else if constexpr (common::is_int128<T>) {
        for (int i = 0; i < 4; ++i) {
          value = value << 32 | generator()();
        }
      } else {
        value = random_element<T>();
      }
    }
    return values;
  }
}

}  // namespace upsweep::test
