// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of up to a few hundred keys in the registers of a warp, or of a part of one.
//
// Source: Batcher 1968, "Sorting Networks and Their Applications"; each merge begins with a comparison of mirrored places, so
// that all comparisons go upward.
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>
#include <upsweep/cuda/device/sort_order.cuh>

namespace upsweep::cuda::detail {

// Sorts keys of 8 or 16 bytes.
template <class Bits>
struct WidePlaced {
  Bits key;
  std::uint32_t place;
};

// A key, and its place if kPlaced: then all items differ, and their order is a stable sort's.
template <class Bits, bool kPlaced>
struct NetworkItems {
  static constexpr bool kIsWide = kPlaced && sizeof(Bits) > 4;
  static constexpr int kShift = kPlaced ? (sizeof(Bits) <= 2 ? 16 : 32) : 0;
  using Word = std::conditional_t<kPlaced && sizeof(Bits) == 4, std::uint64_t,
                                  std::conditional_t<sizeof(Bits) <= 4, std::uint32_t, Bits>>;
  using Item = std::conditional_t<kIsWide, WidePlaced<Bits>, Word>;

  __device__ __forceinline__ static Item of(Bits key, std::uint32_t place) {
    if constexpr (kIsWide) {
      return {key, place};
    } else if constexpr (kPlaced) {
      return static_cast<Word>(key) << kShift | place;
    } else {
      return key;
    }
  }
  __device__ __forceinline__ static Bits key(const Item &item) {
    if constexpr (kIsWide) {
      return item.key;
    } else {
      return static_cast<Bits>(item >> kShift);
    }
  }
  __device__ __forceinline__ static std::uint32_t place(const Item &item) {
    if constexpr (kIsWide) {
      return item.place;
    } else {
      return static_cast<std::uint32_t>(item & ((Word(1) << kShift) - 1));
    }
  }
};

template <class Item>
__device__ __forceinline__ bool is_item_before(const Item &a, const Item &b) {
  return a < b;
}
template <class Bits>
__device__ __forceinline__ bool is_item_before(const WidePlaced<Bits> &a, const WidePlaced<Bits> &b) {
  return a.key < b.key || (a.key == b.key && a.place < b.place);
}

template <class Item>
__device__ __forceinline__ void put_in_order(Item &a, Item &b) {
  if constexpr (std::is_same_v<Item, std::uint32_t>) {
    const Item least = min(a, b);
    b = max(a, b);
    a = least;
  } else {
    const bool is_right = is_item_before(a, b);
    const Item least = is_right ? a : b;
    b = is_right ? b : a;
    a = least;
  }
}

// The item, of two, that the upper or the lower of two lanes keeps.
template <class Item>
__device__ __forceinline__ Item kept_item(const Item &own, const Item &other, bool is_upper) {
  if constexpr (std::is_same_v<Item, std::uint32_t>) {
    return is_upper ? max(own, other) : min(own, other);
  } else {
    return is_item_before(own, other) != is_upper ? own : other;
  }
}

template <class Item>
__device__ __forceinline__ Item item_of_lane(const Item &item, int lane) {
  return shuffle_from(item, lane);
}
template <class Bits>
__device__ __forceinline__ WidePlaced<Bits> item_of_lane(const WidePlaced<Bits> &item, int lane) {
  return {shuffle_from(item.key, lane), shuffle_from(item.place, lane)};
}

// Sorts the items of each kLanes lanes. A lane has kItems adjacent items. All lanes of the warp call.
template <int kLanes, int kItems, class Item>
__device__ __forceinline__ void sort_by_network(Item (&items)[kItems]) {
  const int lane = lane_id();
#pragma unroll
  for (int width = 2; width <= kLanes * kItems; width *= 2) {
    if (width <= kItems) {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if ((i & width / 2) == 0) {
          put_in_order(items[i], items[i ^ (width - 1)]);
        }
      }
    } else {
      const int lanes = width / kItems;
      const bool is_upper = (lane & lanes / 2) != 0;
#pragma unroll
      for (int i = 0; i < (kItems + 1) / 2; ++i) {
        const int mirrored = kItems - 1 - i;
        const Item first = item_of_lane(items[mirrored], lane ^ (lanes - 1));
        const Item last = item_of_lane(items[i], lane ^ (lanes - 1));
        items[i] = kept_item(items[i], first, is_upper);
        items[mirrored] = kept_item(items[mirrored], last, is_upper);
      }
    }
#pragma unroll
    for (int distance = width / 4; distance > 0; distance /= 2) {
      if (distance >= kItems) {
        const bool is_upper = (lane & distance / kItems) != 0;
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
          items[i] = kept_item(items[i], item_of_lane(items[i], lane ^ distance / kItems), is_upper);
        }
      } else {
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
          if ((i & distance) == 0) {
            put_in_order(items[i], items[i ^ distance]);
          }
        }
      }
    }
  }
}

}  // namespace upsweep::cuda::detail
