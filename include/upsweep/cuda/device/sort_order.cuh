// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sort keys as unsigned integers of the same order.
#pragma once

#include <upsweep/cuda/version.cuh>

#include <cuda_runtime.h>

#include <climits>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

struct __half;
struct __nv_bfloat16;

namespace upsweep::cuda::detail {

// What the bits of a key mean. kMantissa: of a floating-point number, whose highest bit is the sign.
enum class KeyKind { kUnsigned, kSigned, kFloat, kOther };
template <class Key>
struct KeyTraits {
  static constexpr KeyKind kKind = std::is_same_v<Key, __int128>            ? KeyKind::kSigned
                                   : std::is_same_v<Key, unsigned __int128> ? KeyKind::kUnsigned
                                   : std::is_integral_v<Key> ? std::is_signed_v<Key> ? KeyKind::kSigned : KeyKind::kUnsigned
                                   : std::is_floating_point_v<Key> ? KeyKind::kFloat
                                                                   : KeyKind::kOther;
  static constexpr int kMantissa = std::is_floating_point_v<Key> ? std::numeric_limits<Key>::digits - 1 : 0;
};
template <>
struct KeyTraits<__half> {
  static constexpr KeyKind kKind = KeyKind::kFloat;
  static constexpr int kMantissa = 10;
};
template <>
struct KeyTraits<__nv_bfloat16> {
  static constexpr KeyKind kKind = KeyKind::kFloat;
  static constexpr int kMantissa = 7;
};

template <std::size_t kBytes>
using UnsignedOf = std::conditional_t<
    kBytes == 1, std::uint8_t,
    std::conditional_t<
        kBytes == 2, std::uint16_t,
        std::conditional_t<kBytes == 4, std::uint32_t, std::conditional_t<kBytes == 8, std::uint64_t, unsigned __int128>>>>;

// Numbers are in ascending order, -0 before 0, and NaNs are last: those with a positive sign from the least bits on, and then
// those with a negative one from the greatest on. Descending is the reverse of that.
template <class Key, bool kDescending>
struct KeyOrder {
  using Traits = KeyTraits<Key>;
  using Bits = UnsignedOf<sizeof(Key)>;
  static_assert(Traits::kKind != KeyKind::kOther && sizeof(Bits) == sizeof(Key),
                "sort keys are integers of 8 to 128 bits, half, __nv_bfloat16, float or double");
  static constexpr int kBits = CHAR_BIT * static_cast<int>(sizeof(Key));
  static constexpr int kOtherBits = 0;  // of an encoded key, from the lowest one on, that do not count
  static constexpr bool kIsIdentity = Traits::kKind == KeyKind::kUnsigned && !kDescending;
  static constexpr Bits kTop = static_cast<Bits>(Bits(1) << (kBits - 1));
  static constexpr Bits kNaNs = static_cast<Bits>((Bits(1) << Traits::kMantissa) - 1);  // of one sign

  __host__ __device__ __forceinline__ static Bits encode(Bits bits) {
    if constexpr (Traits::kKind == KeyKind::kSigned) {
      bits ^= kTop;
    } else if constexpr (Traits::kKind == KeyKind::kFloat) {
      // From the negative NaN of all ones up to the positive one; then those below -infinity go to the end.
      bits = static_cast<Bits>((bits & kTop) != 0 ? ~bits : bits | kTop);
      bits = static_cast<Bits>(bits - kNaNs);
    }
    return kDescending ? static_cast<Bits>(~bits) : bits;
  }
  __host__ __device__ __forceinline__ static Bits decode(Bits bits) {
    bits = kDescending ? static_cast<Bits>(~bits) : bits;
    if constexpr (Traits::kKind == KeyKind::kSigned) {
      bits ^= kTop;
    } else if constexpr (Traits::kKind == KeyKind::kFloat) {
      bits = static_cast<Bits>(bits + kNaNs);
      bits = static_cast<Bits>((bits & kTop) != 0 ? bits ^ kTop : ~bits);
    }
    return bits;
  }
};

}  // namespace upsweep::cuda::detail
