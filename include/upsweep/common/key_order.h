// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of sort keys as unsigned numbers, and the members by which structs are sorted. opencl/kernels/keys.cl has the same
// order. C++17.
#pragma once

#include <upsweep/common/numbers.h>

namespace upsweep::common {

// Numbers are in ascending order, -0 before 0, and NaNs last: first the NaNs without a sign, from the least bits on, and then
// the NaNs with a sign, from the greatest bits on. Descending is the reverse of that.
template <class Number, bool kDescending>
struct number_order {
  using Bits = UnsignedOf<sizeof(Number)>;
  static constexpr bool kIsFloat = is_float<Number>, kIsSigned = is_signed<Number> && !kIsFloat;
  static constexpr bool kIsKnown = (is_number<Number> || std::is_same_v<Number, bool>) && sizeof(Bits) == sizeof(Number);
  static constexpr bool kIsDescending = kDescending;
  static constexpr bool kIsIdentity = !kIsFloat && !kIsSigned && !kDescending;
  static constexpr unsigned kBits = 8 * sizeof(Number);
  static constexpr Bits kTop = static_cast<Bits>(Bits(1) << (kBits - 1));
  static constexpr Bits kNaNs = static_cast<Bits>((Bits(1) << mantissa_bits<Number>()) - 1);  // of one sign

  UPSWEEP_HOST_DEVICE static constexpr Bits encode(Bits bits) {
    if constexpr (kIsFloat) {
      // Negative numbers are reversed, below the positive ones. NaNs with a sign would come first; subtracting their number
      // wraps them to the end.
      const Bits negative = static_cast<Bits>(Bits(0) - static_cast<Bits>(bits >> (kBits - 1)));
      bits = static_cast<Bits>((bits ^ (negative | kTop)) - kNaNs);
    } else if constexpr (kIsSigned) {
      bits = static_cast<Bits>(bits ^ kTop);
    }
    return kDescending ? static_cast<Bits>(~bits) : bits;
  }
  UPSWEEP_HOST_DEVICE static constexpr Bits decode(Bits bits) {
    bits = kDescending ? static_cast<Bits>(~bits) : bits;
    if constexpr (kIsFloat) {
      bits = static_cast<Bits>(bits + kNaNs);
      const Bits negative = static_cast<Bits>(static_cast<Bits>(bits >> (kBits - 1)) - Bits(1));
      bits = static_cast<Bits>(bits ^ (negative | kTop));
    } else if constexpr (kIsSigned) {
      bits = static_cast<Bits>(bits ^ kTop);
    }
    return bits;
  }
};

// An option of sorts of structs: by_members<&Particle::cell, &Particle::energy>{}. The first member is the most significant.
template <auto... kMembers>
struct by_members {};

// The by_members among the options of a call, or void.
template <class... Options>
struct members_option {
  using type = void;
};
template <class First, class... Rest>
struct members_option<First, Rest...> : members_option<Rest...> {};
template <auto... kMembers, class... Rest>
struct members_option<by_members<kMembers...>, Rest...> {
  static_assert(sizeof...(kMembers) > 0, "upsweep: by_members names no member");
  using type = by_members<kMembers...>;
};
template <class... Options>
using members_of = typename members_option<std::decay_t<Options>...>::type;
template <class... Options>
inline constexpr bool has_members = !std::is_void_v<members_of<Options...>>;

template <class Member>
struct member_traits;
template <class Struct, class Type>
struct member_traits<Type Struct::*> {
  using Of = Struct;
  using Member = Type;
};
template <auto kMember>
using StructOf = typename member_traits<std::remove_cv_t<decltype(kMember)>>::Of;
template <auto kMember>
using MemberOf = typename member_traits<std::remove_cv_t<decltype(kMember)>>::Member;

}  // namespace upsweep::common
