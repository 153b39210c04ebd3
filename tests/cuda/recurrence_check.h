// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common tools of tests of linear recurrences: exact numbers, and a sequential recurrence.
#pragma once

#include "scan_check.h"

#include <upsweep/cuda/recurrence.cuh>

namespace upsweep::test {

// Matrices of two rows, modulo 2^32 or 2^64: products do not commute.
template <class T>
struct Matrix {
  T at[4];
};
template <class T>
__host__ __device__ Matrix<T> operator*(const Matrix<T> &a, const Matrix<T> &b) {
  return {{a.at[0] * b.at[0] + a.at[1] * b.at[2], a.at[0] * b.at[1] + a.at[1] * b.at[3], a.at[2] * b.at[0] + a.at[3] * b.at[2],
           a.at[2] * b.at[1] + a.at[3] * b.at[3]}};
}
template <class T>
__host__ __device__ Matrix<T> operator+(const Matrix<T> &a, const Matrix<T> &b) {
  return {{a.at[0] + b.at[0], a.at[1] + b.at[1], a.at[2] + b.at[2], a.at[3] + b.at[3]}};
}

// Three numbers of one byte each.
struct Bytes3 {
  unsigned char at[3];
};
__host__ __device__ inline Bytes3 operator*(const Bytes3 &a, const Bytes3 &b) {
  return {{static_cast<unsigned char>(a.at[0] * b.at[0]), static_cast<unsigned char>(a.at[1] * b.at[1]),
           static_cast<unsigned char>(a.at[2] * b.at[2])}};
}
__host__ __device__ inline Bytes3 operator+(const Bytes3 &a, const Bytes3 &b) {
  return {{static_cast<unsigned char>(a.at[0] + b.at[0]), static_cast<unsigned char>(a.at[1] + b.at[1]),
           static_cast<unsigned char>(a.at[2] + b.at[2])}};
}

// Odd coefficients are invertible, so that no information is lost.
template <class T>
std::vector<T> random_numbers(std::size_t n, bool are_odd) {
  std::vector<T> values(n);
  for (T &value : values) {
    auto *bytes = reinterpret_cast<unsigned char *>(&value);
    for (std::size_t i = 0; i < sizeof(T); i += 4) {
      const std::uint32_t word = generator()();
      std::memcpy(bytes + i, &word, std::min<std::size_t>(4, sizeof(T) - i));
    }
    if (are_odd) {
      bytes[0] |= 1;
    }
  }
  return values;
}

inline std::size_t place_of(const cuda::axis &of, const cuda::axis_strides &strides, std::size_t b, std::size_t l,
                            std::size_t i) {
  const std::size_t along = strides.along != 0 ? strides.along : of.inner;
  return b * (strides.batch != 0 ? strides.batch : of.length * along) + l * along + i;
}
inline std::size_t extent_of(const cuda::axis &of, const cuda::axis_strides &strides) {
  return place_of(of, strides, of.batches - 1, of.length - 1, of.inner - 1) + 1;
}

// Results go into `x`, so that gaps keep their values; `lasts` are the final states.
template <class T, class A, class B, class Out>
void run_recurrence(const cuda::axis &of, bool is_backward, const std::vector<A> &a, const std::vector<B> &b,
                    const std::vector<T> &initials, std::vector<Out> &x, std::vector<T> &lasts) {
  using Arithmetic = cuda::recurrence_arithmetic<T>;
  lasts = initials.empty() ? std::vector<T>(of.batches * of.inner, T{}) : initials;
  for (std::size_t batch = 0; batch < of.batches; ++batch) {
    T *const states = lasts.data() + batch * of.inner;
    for (std::size_t step = 0; step < of.length; ++step) {
      const std::size_t l = is_backward ? of.length - 1 - step : step;
      const std::size_t from = place_of(of, of.in, batch, l, 0), to = place_of(of, of.out, batch, l, 0);
      for (std::size_t i = 0; i < of.inner; ++i) {
        states[i] = Arithmetic::multiply_add(static_cast<T>(a[from + i]), states[i], static_cast<T>(b[from + i]));
        x[to + i] = static_cast<Out>(states[i]);
      }
    }
  }
}

inline std::string text_of(const cuda::axis &of) {
  return std::to_string(of.batches) + " x " + std::to_string(of.length) + " x " + std::to_string(of.inner);
}

}  // namespace upsweep::test
