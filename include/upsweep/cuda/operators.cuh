// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The usual operators, for host and device, and the properties of an operator that the algorithms use: its identity, and
// whether its operands commute. A user's operators need neither; specialise `identity` to state an identity.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/common/operators.h>
#include <upsweep/cuda/detail/standard.cuh>
#include <upsweep/cuda/version.cuh>

// A program with half types includes cuda_fp16.h and cuda_bf16.h, which would add a quarter to these headers' compile time.
struct __half;
struct __nv_bfloat16;

namespace upsweep::common {

// CUDA's half types. Their values are made from bits, since this header has no conversions. Arithmetic uses the intrinsics,
// since programs may switch the headers' operators off.
template <class T, class Format>
struct CudaHalf : Format {
  static constexpr bool kHasIntrinsics = true;

  static __host__ __device__ T of_bits(std::uint16_t bits) {
    T value;
    std::memcpy(static_cast<void *>(&value), &bits, sizeof(value));
    return value;
  }
  static __host__ __device__ T add(const T &a, const T &b) { return __hadd(a, b); }
  static __host__ __device__ T multiply(const T &a, const T &b) { return __hmul(a, b); }
  static __host__ __device__ T lesser(const T &a, const T &b) { return __hmin(a, b); }
  static __host__ __device__ T greater(const T &a, const T &b) { return __hmax(a, b); }
};
template <>
struct half_format<__half> : CudaHalf<__half, binary16> {};
template <>
struct half_format<__nv_bfloat16> : CudaHalf<__nv_bfloat16, brain16> {};

}  // namespace upsweep::common

namespace upsweep::cuda {

using common::bit_and, common::bit_or, common::bit_xor, common::equal_to, common::maximum, common::minimum, common::minus,
    common::multiplies, common::plus;

namespace detail {

using common::is_arithmetic_operator, common::is_half, common::UnsignedOf;

// Bools count as integers here.
template <class T>
inline constexpr bool is_integer = common::is_integer<T> || std::is_same_v<T, bool>;

template <class Op, class T>
inline constexpr bool is_usual = common::is_usual<Op, std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>>;

}  // namespace detail

// identity<Op, T>::value() is the value that leaves every other value unchanged. Defined for the usual operators on numbers
// (common/operators.h); specialise it for others.
template <class Op, class T, class = void>
struct identity : common::usual_identity<Op, T, detail::is_usual<Op, T>> {};

// True if identity<Op, T> is known.
template <class Op, class T, class = void>
inline constexpr bool has_identity = false;
template <class Op, class T>
inline constexpr bool has_identity<Op, T, std::void_t<decltype(identity<Op, T>::value())>> = true;

// True if op(a, b) and op(b, a) are known to be equal, so that the order of operands is free.
template <class Op, class T>
inline constexpr bool is_commutative = detail::is_usual<Op, T>;

}  // namespace upsweep::cuda
#endif
