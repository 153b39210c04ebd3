// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A byte as the operators of operators.cuh take it: in one byte of a register whose other bytes may hold anything. So
// neighbouring bytes need not be cleared, which took half of the instructions of a scan of bytes.
#pragma once

#include <upsweep/cuda/device/values.cuh>
#include <upsweep/cuda/operators.cuh>

#include <type_traits>

namespace upsweep::cuda::detail {

// Sums, products and bits depend on no higher bits: the byte is the lowest one. The larger of two registers has the larger
// highest byte.
template <class Op>
inline constexpr bool takes_lowest_byte =
    std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies> || std::is_same_v<Op, bit_and> || std::is_same_v<Op, bit_or> ||
    std::is_same_v<Op, bit_xor>;
template <class Op>
inline constexpr bool takes_highest_byte = std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum>;

template <class T, class Op>
inline constexpr bool may_be_byte_register =
    sizeof(T) == 1 && std::is_integral_v<T> && !std::is_same_v<T, bool> && (takes_lowest_byte<Op> || takes_highest_byte<Op>);

template <class T, class Op>
class ByteRegister {
  static constexpr bool kHighest = takes_highest_byte<Op>;
  using Bits = std::conditional_t<kHighest && std::is_signed_v<T>, int, unsigned>;

public:
  ByteRegister() = default;
  __device__ __forceinline__ explicit ByteRegister(T value)
      : bits_(kHighest ? static_cast<unsigned>(value) << 24 : static_cast<unsigned>(value)) {}
  // Byte `i` of a word of four.
  __device__ __forceinline__ static ByteRegister of_word(unsigned word, int i) {
    ByteRegister byte;
    byte.bits_ = kHighest ? word << (24 - 8 * i) : word >> (8 * i);
    return byte;
  }

  __device__ __forceinline__ T value() const { return static_cast<T>(kHighest ? bits_ >> 24 : bits_); }
  // The word with this as its byte `i`, which must be a constant after unrolling.
  __device__ __forceinline__ unsigned put_into(unsigned word, int i) const {
    constexpr unsigned kByte = kHighest ? 7 : 4;
    const unsigned others = 0x3210 & ~(0xfu << (4 * i));
    return __byte_perm(word, bits_, others | kByte << (4 * i));
  }

  __device__ __forceinline__ friend ByteRegister combined(const ByteRegister &before, const ByteRegister &more, Op op) {
    ByteRegister sum;
    sum.bits_ = static_cast<unsigned>(op(static_cast<Bits>(before.bits_), static_cast<Bits>(more.bits_)));
    return sum;
  }

private:
  unsigned bits_;
};

}  // namespace upsweep::cuda::detail
