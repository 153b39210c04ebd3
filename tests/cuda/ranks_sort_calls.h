// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random sorts over GPUs.
#pragma once

#include "ranks_check.h"

#include <upsweep/distributed/cuda/sort.cuh>

namespace upsweep::test {

// The numbers of results that the ranks ask for: other parts of the same sum.
inline std::vector<std::uint64_t> wanted_parts(World &world) {
  std::vector<std::uint64_t> wanted = world.lengths;
  for (std::size_t r = 1; r < wanted.size(); ++r) {
    const std::uint64_t moved = world.number(wanted[r - 1] + 1);
    wanted[r - 1] -= moved;
    wanted[r] += moved;
  }
  return wanted;
}

// Keys of random values, of few values, of one value, sorted or reversed.
inline std::uint32_t key_of(std::uint32_t r, std::uint64_t kind, std::uint32_t &counter) {
  switch (kind) {
  case 0: return r % 4;
  case 1: return 7;
  case 2: return counter++;
  case 3: return ~counter++;
  default: return r;
  }
}

struct ByLowByte {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return a % 256 < b % 256; }
};

template <class C>
void check_sorts(C &ranks, std::uint32_t seed, std::uint64_t most) {
  World world(ranks.size(), ranks.rank(), seed, most);
  const std::uint64_t kind = world.number(7);
  std::uint32_t counter = 0;
  const auto keys = world.whole([&](std::uint32_t r) { return key_of(r, kind, counter); });
  std::vector<std::uint32_t> places(keys.size());
  std::iota(places.begin(), places.end(), 0U);
  const auto wanted = wanted_parts(world);
  DeviceArray<std::uint32_t> in(world.part(keys)), values(world.part(places)), out(wanted[ranks.rank()]), by_less(world.n()),
      pairs(world.n()), moved(world.n());
  over::sort_keys(ranks, in.data(), out.data(), world.n(), over::part_of(wanted[ranks.rank()]));
  over::sort_pairs(ranks, in.data(), pairs.data(), values.data(), moved.data(), world.n(), cuda::descending);
  over::merge_sort(ranks, in.data(), by_less.data(), world.n(), ByLowByte());
  ranks.wait();
  auto sorted = keys;
  std::stable_sort(sorted.begin(), sorted.end());
  auto by_low = keys;
  std::stable_sort(by_low.begin(), by_low.end(), ByLowByte());
  std::vector<std::uint32_t> order = places;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] > keys[b]; });
  std::vector<std::uint32_t> of_order;
  for (const std::uint32_t at : order) {
    of_order.push_back(keys[at]);
  }
  World divided = world;
  divided.lengths = wanted;
  expect_part("sort_keys", seed, out, divided.part(sorted));
  expect_part("sort_pairs, keys", seed, pairs, world.part(of_order));
  expect_part("sort_pairs, values", seed, moved, world.part(order));
  expect_part("merge_sort", seed, by_less, world.part(by_low));
}

template <class C>
void check_sorts_of_floats(C &ranks, std::uint32_t seed, std::uint64_t most) {
  World world(ranks.size(), ranks.rank(), seed, most);
  const auto keys = world.whole([&](std::uint32_t r) {
    return r % 50 == 0 ? -0.0 : r % 50 == 1 ? 0.0 : r % 50 == 2 ? __builtin_nan("") : static_cast<double>(static_cast<int>(r));
  });
  const auto words = world.whole([&](std::uint32_t r) { return static_cast<std::int64_t>(static_cast<int>(r)) * 1000003; });
  DeviceArray<double> in(world.part(keys));
  DeviceArray<std::int64_t> integers(world.part(words)), by_bits(world.n());
  over::sort_keys(ranks, in.data(), in.data(), world.n());  // in place
  over::sort_keys(ranks, integers.data(), by_bits.data(), world.n(), cuda::key_bits(8, 20));
  ranks.wait();
  auto sorted = keys;
  std::stable_sort(sorted.begin(), sorted.end(), [](double a, double b) {
    const auto rank = [](double x) { return x != x ? 2 : x == 0 && std::signbit(x) ? 0 : 1; };
    return a != a || b != b ? rank(a) < rank(b) : a < b || (a == b && rank(a) < rank(b));
  });
  auto by_some = words;
  std::stable_sort(by_some.begin(), by_some.end(), [](std::int64_t a, std::int64_t b) {
    return (static_cast<std::uint64_t>(a) >> 8) % 4096 < (static_cast<std::uint64_t>(b) >> 8) % 4096;
  });
  expect_part("sort_keys of doubles", seed, in, world.part(sorted));
  expect_part("sort_keys by bits", seed, by_bits, world.part(by_some));
}

}  // namespace upsweep::test
