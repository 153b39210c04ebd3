// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs as sort keys, in the order of some of their members: the first member is the most significant.
#pragma once

#include <upsweep/cuda/device/merge_path.cuh>
#include <upsweep/cuda/device/sort_order.cuh>
#include <upsweep/cuda/options.cuh>

#include <cstddef>

namespace upsweep::cuda {

namespace detail {

using common::MemberOf;

// The highest bits hold the members, each as an unsigned integer of its order. The lowest bits hold the other bytes in their
// order; the sort ignores them.
template <class Key, bool kDescending, auto... kMembers>
struct MembersOrder {
  using Bits = UnsignedOf<sizeof(Key)>;
  static_assert((std::is_same_v<Key, common::StructOf<kMembers>> && ...),
                "upsweep: by_members names members of another struct");
  static_assert(std::is_trivially_copyable_v<Key> && sizeof(Bits) == sizeof(Key),
                "upsweep: structs that are sorted by their members have 1, 2, 4, 8 or 16 bytes");
  static constexpr bool kIsIdentity = false;
  static constexpr int kMemberBits = 8 * (0 + ... + static_cast<int>(sizeof(MemberOf<kMembers>)));
  static constexpr int kOtherBits = 8 * static_cast<int>(sizeof(Key)) - kMemberBits;
  static_assert(kOtherBits >= 0, "upsweep: by_members names a member twice");

  __device__ __forceinline__ static Bits encode(Bits bits) {
    Room<Key> key;
    std::memcpy(&key, &bits, sizeof bits);
    Bits encoded = 0;
    int end = 8 * static_cast<int>(sizeof(Key));
    (put<kMembers>(key.value, encoded, end), ...);
    return encoded | others(bits, [](Bits all, int from, int to) {
             return static_cast<Bits>(static_cast<Bits>(all >> from & 0xff) << to);
           });
  }
  __device__ __forceinline__ static Bits decode(Bits encoded) {
    const Bits bytes = others(
        encoded, [](Bits all, int from, int to) { return static_cast<Bits>(static_cast<Bits>(all >> to & 0xff) << from); });
    Room<Key> key;
    std::memcpy(&key, &bytes, sizeof bytes);
    int end = 8 * static_cast<int>(sizeof(Key));
    (take<kMembers>(key.value, encoded, end), ...);
    Bits bits;
    std::memcpy(&bits, &key, sizeof bits);
    return bits;
  }

private:
  template <auto kMember>
  using OrderOf = KeyOrder<MemberOf<kMember>, kDescending>;

  template <auto kMember>
  __device__ __forceinline__ static void put(const Key &key, Bits &encoded, int &end) {
    typename OrderOf<kMember>::Bits bits;
    std::memcpy(&bits, &(key.*kMember), sizeof bits);
    end -= 8 * static_cast<int>(sizeof bits);
    encoded |= static_cast<Bits>(static_cast<Bits>(OrderOf<kMember>::encode(bits)) << end);
  }
  template <auto kMember>
  __device__ __forceinline__ static void take(Key &key, Bits encoded, int &end) {
    end -= 8 * static_cast<int>(sizeof(MemberOf<kMember>));
    const auto bits = OrderOf<kMember>::decode(static_cast<typename OrderOf<kMember>::Bits>(encoded >> end));
    std::memcpy(&(key.*kMember), &bits, sizeof bits);
  }
  template <auto kMember>
  __device__ __forceinline__ static bool has(const Room<Key> &key, int byte) {
    const auto begin =
        reinterpret_cast<const unsigned char *>(&(key.value.*kMember)) - reinterpret_cast<const unsigned char *>(&key);
    return byte >= begin && byte < begin + static_cast<int>(sizeof(MemberOf<kMember>));
  }
  // Visits the bytes outside the members: move(all, its bit in the struct, its bit behind the members).
  template <class Move>
  __device__ __forceinline__ static Bits others(Bits all, const Move &move) {
    Bits moved = 0;
    if constexpr (kOtherBits > 0) {
      const Room<Key> key;
      int to = 0;
#pragma unroll
      for (int byte = 0; byte < static_cast<int>(sizeof(Key)); ++byte) {
        if (!(has<kMembers>(key, byte) || ...)) {
          moved |= move(all, 8 * byte, to);
          to += 8;
        }
      }
    }
    return moved;
  }
};

// The order of a call's keys: of numbers, or of the members that an option names (common::members_of).
template <class Key, bool kDescending, class Members>
struct OrderByOption {
  using type = KeyOrder<Key, kDescending>;
};
template <class Key, bool kDescending, auto... kMembers>
struct OrderByOption<Key, kDescending, by_members<kMembers...>> {
  using type = MembersOrder<Key, kDescending, kMembers...>;
};

}  // namespace detail

}  // namespace upsweep::cuda
