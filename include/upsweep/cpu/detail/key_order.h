// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A key's place in the order of a sort, as an unsigned number: for integers, floating-point numbers, and structs by some of
// their members.
#pragma once

#include <upsweep/cpu/numbers.h>
#include <upsweep/cpu/options.h>

namespace upsweep::cpu {

namespace detail {

template <class Key, bool kDescending>
struct KeyOrder : common::number_order<Key, kDescending> {
  static_assert(is_number<Key> && common::number_order<Key, kDescending>::kIsKnown,
                "keys must be integers of up to 128 bits, half types, floats or doubles, or structs with by_members");
  using Bits = UnsignedOf<sizeof(Key)>;
  static Bits bits(const Key &key) {
    Bits bits;
    std::memcpy(&bits, &key, sizeof(bits));
    return KeyOrder::encode(bits);
  }
};

constexpr std::size_t power_of_two_from(std::size_t n) { return n <= 1 ? 1 : 2 * power_of_two_from((n + 1) / 2); }

// The concatenated bits of the members, with the first one in the highest bits.
template <class Key, bool kDescending, auto... kMembers>
struct MembersOrder {
  static_assert((std::is_same_v<Key, common::StructOf<kMembers>> && ...), "by_members names members of another struct");
  static_assert((is_number<common::MemberOf<kMembers>> && ...), "by_members names a member that is no number");
  static_assert(std::is_trivially_copyable_v<Key>, "structs that are sorted must be trivially copyable");
  static constexpr std::size_t kBytes = (std::size_t(0) + ... + sizeof(common::MemberOf<kMembers>));
  static_assert(kBytes >= 1 && kBytes <= 16, "the members of by_members must have 1 to 16 bytes together");
  using Bits = UnsignedOf<power_of_two_from(kBytes)>;
  static constexpr unsigned kBits = 8 * kBytes;

  static Bits bits(const Key &key) {
    Bits all = 0;
    unsigned end = kBits;
    const auto put = [&](const auto &member) {
      end -= static_cast<unsigned>(8 * sizeof(member));
      all = static_cast<Bits>(
          all | static_cast<Bits>(static_cast<Bits>(KeyOrder<std::decay_t<decltype(member)>, false>::bits(member)) << end));
    };
    (put(key.*kMembers), ...);
    return kDescending ? static_cast<Bits>(static_cast<Bits>(~all) << (8 * sizeof(Bits) - kBits)) >> (8 * sizeof(Bits) - kBits)
                       : all;
  }
};

// Whether a key comes before another one. Numbers are compared as numbers, except zeros and NaNs.
template <class Order>
struct LessByOrder {
  using OfKeys = Order;
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

// Whether keys that are alike have the same bits.
template <class Less>
inline constexpr bool is_order_of_bits = false;
template <class Key, bool kDescending>
inline constexpr bool is_order_of_bits<LessByOrder<KeyOrder<Key, kDescending>>> = true;

template <class Key, bool kDescending, class Option>
struct OrderByOption {
  using type = KeyOrder<Key, kDescending>;
};
template <class Key, bool kDescending, auto... kMembers>
struct OrderByOption<Key, kDescending, by_members<kMembers...>> {
  using type = MembersOrder<Key, kDescending, kMembers...>;
};

}  // namespace detail

}  // namespace upsweep::cpu
