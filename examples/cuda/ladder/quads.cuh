// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four elements in one access: a float4 for any type.
#pragma once

#include "arguments.cuh"

namespace upsweep::cuda::ladder::detail {

// Aligned to its size, if that is a power of two, up to the 16 bytes that an instruction moves.
template <class T>
constexpr std::size_t quad_alignment() {
  const bool power_of_two = (sizeof(T) & (sizeof(T) - 1)) == 0;
  return power_of_two ? (sizeof(T) >= 4 ? 16 : 4 * sizeof(T)) : alignof(T);
}
template <class T>
struct alignas(quad_alignment<T>()) quad {
  T values[4];
};

template <class T>
bool has_quads(const T *in, const T *out) {
  const auto addresses = reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out);
  return addresses % alignof(quad<T>) == 0;
}

// Elements 4 * q to 4 * q + 3 of n; `missing` after the last element.
template <class T>
__device__ __forceinline__ quad<T> load_quad(const T *in, std::size_t n, std::size_t q, bool aligned, const T &missing) {
  if (aligned && 4 * q + 4 <= n) {
    return reinterpret_cast<const quad<T> *>(in)[q];
  }
  quad<T> result;
  for (int i = 0; i < 4; ++i) {
    result.values[i] = 4 * q + i < n ? in[4 * q + i] : missing;
  }
  return result;
}

template <class T>
__device__ __forceinline__ void store_quad(T *out, std::size_t n, std::size_t q, bool aligned, const quad<T> &result) {
  if (aligned && 4 * q + 4 <= n) {
    reinterpret_cast<quad<T> *>(out)[q] = result;
    return;
  }
  for (int i = 0; i < 4; ++i) {
    if (4 * q + i < n) {
      out[4 * q + i] = result.values[i];
    }
  }
}

}  // namespace upsweep::cuda::ladder::detail
