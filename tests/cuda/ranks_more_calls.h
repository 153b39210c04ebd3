// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random runs, first elements and divisions over GPUs.
#pragma once

#include "ranks_sort_calls.h"

#include <upsweep/distributed/cuda/place.cuh>
#include <upsweep/distributed/cuda/run_length.cuh>
#include <upsweep/distributed/cuda/top_k.cuh>

namespace upsweep::test {

template <class C>
void check_runs(C &ranks, std::uint32_t seed, std::uint64_t most) {
  World world(ranks.size(), ranks.rank(), seed, most);
  const auto keys = world.keys(1 + world.number(most + 2));
  const auto x = world.whole([](std::uint32_t r) { return Affine{r | 1, r >> 3}; });
  DeviceArray<std::uint32_t> k(world.part(keys)), values(world.n()), lengths(world.n()), of_totals(world.n());
  DeviceArray<Affine> in(world.part(x)), totals(world.n());
  DeviceArray<std::uint64_t> runs(2);
  over::run_length_encode(ranks, k.data(), values.data(), lengths.data(), runs.data(), world.n());
#ifndef UPSWEEP_EMULATED  // two results do not fit the shared memory of an old GPU
  over::reduce_by_key(ranks, k.data(), in.data(), of_totals.data(), totals.data(), runs.data() + 1, world.n(), Compose());
#endif
  ranks.wait();
  std::vector<std::uint32_t> own_keys, own_lengths;
  std::vector<Affine> own_totals;
  bool is_own = false;
  for (std::uint64_t i = 0; i < world.all(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      is_own = i >= world.begin() && i < world.begin() + world.n();
      if (is_own) {
        own_keys.push_back(keys[i]);
        own_lengths.push_back(1);
        own_totals.push_back(x[i]);
      }
    } else if (is_own) {
      ++own_lengths.back();
      own_totals.back() = Compose()(own_totals.back(), x[i]);
    }
  }
  expect_same("run_length_encode", seed, values.download(), own_keys);
  expect_same("run_length_encode, lengths", seed, lengths.download(), own_lengths);
  std::vector<std::uint64_t> numbers(2, own_keys.size());
#ifdef UPSWEEP_EMULATED
  numbers.pop_back();
#else
  expect_same("reduce_by_key, keys", seed, of_totals.download(), own_keys);
  expect_same("reduce_by_key", seed, totals.download(), own_totals);
#endif
  expect_same("runs", seed, runs.download(), numbers);
}

template <class C>
void check_first_elements(C &ranks, std::uint32_t seed, std::uint64_t most) {
  World world(ranks.size(), ranks.rank(), seed, most);
  const auto keys = world.whole([&](std::uint32_t r) { return r % 300; });
  std::vector<std::uint32_t> places(keys.size());
  std::iota(places.begin(), places.end(), 0U);
  const std::uint64_t k = std::min<std::uint64_t>(world.all(), world.number(60));
  DeviceArray<std::uint32_t> in(world.part(keys)), values(world.part(places)), least(k), largest(k), moved(k);
  over::top_k_keys(ranks, in.data(), least.data(), world.n(), k);
  over::top_k_pairs(ranks, in.data(), largest.data(), values.data(), moved.data(), world.n(), k, cuda::descending);
  ranks.wait();
  auto sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  sorted.resize(k);
  std::vector<std::uint32_t> order = places, of_order;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] > keys[b]; });
  order.resize(k);
  for (const std::uint32_t at : order) {
    of_order.push_back(keys[at]);
  }
  expect_part("top_k_keys", seed, least, sorted);
  expect_part("top_k_pairs, keys", seed, largest, of_order);
  expect_part("top_k_pairs, values", seed, moved, order);
}

template <class C>
void check_divisions(C &ranks, std::uint32_t seed, std::uint64_t most) {
  World world(ranks.size(), ranks.rank(), seed, most);
  const auto x = world.whole([](std::uint32_t r) { return r; });
  World divided = world;
  for (unsigned r = 0; r < ranks.size(); ++r) {
    divided.lengths[r] = world.all() / ranks.size() + (r < world.all() % ranks.size() ? 1 : 0);
  }
  DeviceArray<std::uint32_t> in(world.part(x)), out(divided.n());
  UPSWEEP_CHECK(over::equal_part(ranks, world.n()) == divided.n());
  UPSWEEP_CHECK(over::place_of(ranks, world.n()).begin == world.begin());
  over::rebalance(ranks, in.data(), out.data(), world.n(), divided.n());
  ranks.wait();
  expect_part("rebalance", seed, out, divided.part(x));
}

}  // namespace upsweep::test
