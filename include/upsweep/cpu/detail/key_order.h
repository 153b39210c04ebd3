// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A key's place in the order of a sort as an unsigned number: of integers, floating-point numbers, and structs by some of their
// members.
#pragma once

#include <upsweep/cpu/numbers.h>

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace upsweep::cpu {

// An option of sorts of structs: by_members<&Particle::cell, &Particle::energy>{}. The first one counts most.
template <auto... kMembers>
struct by_members {};

namespace detail {

// -0 is before 0, and every NaN last.
template <class Number>
UnsignedOf<sizeof(Number)> ordered_bits(const Number &number) {
  using Bits = UnsignedOf<sizeof(Number)>;
  constexpr unsigned kBits = 8 * sizeof(Number);
  constexpr Bits kSign = static_cast<Bits>(Bits(1) << (kBits - 1));
  Bits bits;
  std::memcpy(&bits, &number, sizeof(bits));
  if constexpr (is_float<Number>) {
    // Negative numbers in reverse, below the positive ones. That puts NaNs with a sign before all numbers; less how many of
    // them there are, they are behind all others.
    constexpr Bits kNaNs = static_cast<Bits>((Bits(1) << mantissa_bits<Number>()) - 1);
    const Bits negative = static_cast<Bits>(Bits(0) - static_cast<Bits>(bits >> (kBits - 1)));
    return static_cast<Bits>((bits ^ (negative | kSign)) - kNaNs);
  } else if constexpr (is_signed<Number>) {
    return static_cast<Bits>(bits ^ kSign);
  } else {
    return bits;
  }
}

template <class Key, bool kDescending>
struct KeyOrder {
  static_assert((is_integer<Key> || is_float<Key>) && !std::is_void_v<UnsignedOf<sizeof(Key)>>,
                "keys are integers of up to 128 bits, half types, floats or doubles, or structs with by_members");
  using Bits = UnsignedOf<sizeof(Key)>;
  static constexpr unsigned kBits = 8 * sizeof(Key);
  static constexpr bool kIsDescending = kDescending;
  static Bits bits(const Key &key) {
    const Bits ordered = ordered_bits(key);
    return kDescending ? static_cast<Bits>(~ordered) : ordered;
  }
};

template <class Member>
struct MemberTraits;
template <class Struct, class Type>
struct MemberTraits<Type Struct::*> {
  using Of = Struct;
  using Member = Type;
};
template <auto kMember>
using TraitsOf = MemberTraits<std::remove_cv_t<decltype(kMember)>>;

constexpr std::size_t power_of_two_from(std::size_t n) { return n <= 1 ? 1 : 2 * power_of_two_from((n + 1) / 2); }

// The members side by side, the first one in the highest bits.
template <class Key, bool kDescending, auto... kMembers>
struct MembersOrder {
  static_assert((std::is_same_v<Key, typename TraitsOf<kMembers>::Of> && ...), "by_members names members of another struct");
  static_assert((is_number<typename TraitsOf<kMembers>::Member> && ...), "by_members names a member that is no number");
  static_assert(std::is_trivially_copyable_v<Key>, "structs that are sorted are trivially copyable");
  static constexpr std::size_t kBytes = (std::size_t(0) + ... + sizeof(typename TraitsOf<kMembers>::Member));
  static_assert(kBytes >= 1 && kBytes <= 16, "the members of by_members have 1 to 16 bytes together");
  using Bits = UnsignedOf<power_of_two_from(kBytes)>;
  static constexpr unsigned kBits = 8 * kBytes;

  static Bits bits(const Key &key) {
    Bits all = 0;
    unsigned end = kBits;
    const auto put = [&](const auto &member) {
      end -= static_cast<unsigned>(8 * sizeof(member));
      all = static_cast<Bits>(all | static_cast<Bits>(static_cast<Bits>(ordered_bits(member)) << end));
    };
    (put(key.*kMembers), ...);
    return kDescending ? static_cast<Bits>(static_cast<Bits>(~all) << (8 * sizeof(Bits) - kBits)) >> (8 * sizeof(Bits) - kBits)
                       : all;
  }
};

// Whether a key comes before another one. Numbers are compared as such, but for zeros and NaNs.
template <class Order>
struct LessByOrder {
  template <class Key>
  bool operator()(const Key &x, const Key &y) const {
    if constexpr (std::is_same_v<Key, float> || std::is_same_v<Key, double>) {
      if (__builtin_expect(!__builtin_isunordered(x, y) && !(x == 0 && y == 0), 1)) {
        return Order::kIsDescending ? y < x : x < y;
      }
    }
    return Order::bits(x) < Order::bits(y);
  }
};

template <class Key, bool kDescending, class Option>
struct OrderByOption {
  using type = KeyOrder<Key, kDescending>;
};
template <class Key, bool kDescending, auto... kMembers>
struct OrderByOption<Key, kDescending, by_members<kMembers...>> {
  using type = MembersOrder<Key, kDescending, kMembers...>;
};

template <class T>
inline constexpr bool is_by_members = false;
template <auto... kMembers>
inline constexpr bool is_by_members<by_members<kMembers...>> = true;

template <class Default>
Default members_option(const Default &otherwise) {
  return otherwise;
}
template <class Default, class First, class... Rest>
auto members_option(const Default &otherwise, const First &first, const Rest &...rest) {
  if constexpr (is_by_members<First>) {
    return first;
  } else {
    return members_option(otherwise, rest...);
  }
}

}  // namespace detail

}  // namespace upsweep::cpu
