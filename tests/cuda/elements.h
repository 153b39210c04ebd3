// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types and operators that find faults which sums of ints hide: swapped operands, lost words, types without a default
// constructor. All are exact, so that results can be compared bit by bit.
#pragma once

#include "check.h"

#include <upsweep/cuda/operators.cuh>

#include <cstdint>

namespace upsweep::test {

// kMaps maps x -> a x + b modulo 2^32: 8 bytes each. Composition is associative, and does not commute.
template <int kMaps>
struct Affine {
  std::uint32_t a[kMaps];
  std::uint32_t b[kMaps];
};
struct Compose {
  template <int kMaps>
  __host__ __device__ Affine<kMaps> operator()(const Affine<kMaps> &first, const Affine<kMaps> &then) const {
    Affine<kMaps> both = {};
    for (int i = 0; i < kMaps; ++i) {
      both.a[i] = first.a[i] * then.a[i];
      both.b[i] = then.a[i] * first.b[i] + then.b[i];
    }
    return both;
  }
};

// Three bytes, without a default constructor; the last non-zero element wins.
struct Letter {
  unsigned char text[3];
  __host__ __device__ explicit Letter(unsigned char c) : text{c, c, c} {}
};
struct LastLetter {
  __host__ __device__ Letter operator()(const Letter &a, const Letter &b) const { return b.text[1] != 0 ? b : a; }
};

template <class T>
T random_element() {
  const std::uint32_t bits = generator()();
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(static_cast<int>(bits % 65) - 32);  // whole numbers, whose sums are exact
  } else if constexpr (std::is_same_v<T, Letter>) {
    return Letter(static_cast<unsigned char>(bits % 4 == 0 ? bits >> 8 : 0));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(bits) * 0x9e3779b97f4a7c15u >> 13);
  } else {
    T element = {};
    for (std::uint32_t &a : element.a) {
      a = generator()() | 1u;  // odd maps are invertible, so that no information is lost
    }
    for (std::uint32_t &b : element.b) {
      b = generator()();
    }
    return element;
  }
}

template <class T>
std::vector<T> random_elements(std::size_t count) {
  std::vector<T> values;
  values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(random_element<T>());
  }
  return values;
}

// Heads that start segments of about `length`.
inline std::vector<unsigned char> random_heads(std::size_t count, unsigned length) {
  std::vector<unsigned char> heads(count);
  for (unsigned char &head : heads) {
    head = generator()() % length == 0;
  }
  return heads;
}

// The result of a segmented scan of values[first...first + count); `carried` is the open segment's total so far.
template <class T>
struct SegmentedScan {
  std::vector<T> inclusive;
  std::vector<T> exclusive;
};
template <class T, class Op>
SegmentedScan<T> reference_scan(const std::vector<T> &values, const std::vector<unsigned char> &heads, Op op, T initial) {
  SegmentedScan<T> result;
  T total = initial;
  T seeded = initial;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool starts = i == 0 || heads[i] != 0;
    total = starts ? values[i] : op(total, values[i]);
    seeded = starts ? initial : seeded;
    result.inclusive.push_back(total);
    result.exclusive.push_back(seeded);
    seeded = op(seeded, values[i]);
  }
  return result;
}

}  // namespace upsweep::test

// Lets Compose be used where an identity is needed, as a user would.
template <int kMaps>
struct upsweep::cuda::identity<upsweep::test::Compose, upsweep::test::Affine<kMaps>> {
  static __host__ __device__ upsweep::test::Affine<kMaps> value() {
    upsweep::test::Affine<kMaps> unchanged = {};
    for (std::uint32_t &a : unchanged.a) {
      a = 1;
    }
    return unchanged;
  }
};
