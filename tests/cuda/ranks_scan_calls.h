// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random scans, reductions, selections and histograms over GPUs.
#pragma once

#include "ranks_check.h"

#include <upsweep/distributed/cuda/histogram.cuh>
#include <upsweep/distributed/cuda/reduce.cuh>
#include <upsweep/distributed/cuda/scan.cuh>
#include <upsweep/distributed/cuda/select.cuh>

namespace upsweep::test {

struct SameKey {
  __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
};
inline constexpr auto kAdd = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };
inline constexpr auto kGreater = [](auto a, auto b) { return a < b ? b : a; };

template <class C>
void check_sums(C &ranks, std::uint32_t seed, std::uint64_t most) {
  World world(ranks.size(), ranks.rank(), seed, most);
  const auto x = world.whole([](std::uint32_t r) { return static_cast<int>(r); });
  DeviceArray<int> in(world.part(x)), out(world.n()), total(1);
  over::inclusive_sum(ranks, in.data(), out.data(), world.n(), cuda::total_to(total.data()));
  DeviceArray<int> in_place(world.part(x));
  over::exclusive_sum(ranks, in_place.data(), in_place.data(), world.n());
  DeviceArray<int> maxima(world.n()), initial(std::vector<int>{-5});
  over::exclusive_scan(ranks, in.data(), maxima.data(), world.n(), cuda::maximum{}, cuda::initial_at(initial.data()));
  DeviceArray<std::int64_t> wide(world.n());
  over::inclusive_sum(ranks, in.data(), wide.data(), world.n());
  ranks.wait();
  const int zero = 0, minus = -5;
  expect_part("inclusive_sum", seed, out, world.part(scanned(x, kAdd)));
  expect_part("exclusive_sum", seed, in_place, world.part(scanned(x, kAdd, {}, &zero)));
  expect_part("exclusive_scan", seed, maxima, world.part(scanned(x, kGreater, {}, &minus)));
  expect_part("inclusive_sum to 64 bits", seed, wide, world.part(scanned(std::vector<std::int64_t>(x.begin(), x.end()), kAdd)));
  if (!x.empty()) {
    expect_same("total_to", seed, total.download(), {scanned(x, kAdd).back()});
  }
}

template <class C>
void check_operators(C &ranks, std::uint32_t seed, std::uint64_t most) {
  World world(ranks.size(), ranks.rank(), seed, most);
  const auto x = world.whole([](std::uint32_t r) { return Affine{r | 1, r >> 3}; });
  DeviceArray<Affine> in(world.part(x)), out(world.n()), back(world.n()), product(1);
  over::inclusive_scan(ranks, in.data(), out.data(), world.n(), Compose());
  over::inclusive_scan(ranks, in.data(), back.data(), world.n(), Compose(), cuda::backward);
  over::reduce(ranks, in.data(), product.data(), world.n(), Compose(), Affine{3, 4});
  const auto floats = world.whole([](std::uint32_t r) { return static_cast<float>(static_cast<int>(r % 2000) - 1000); });
  DeviceArray<float> from(world.part(floats)), maxima(world.n());
  over::inclusive_scan(ranks, from.data(), maxima.data(), world.n(), cuda::maximum{});
  // A number of elements that the device knows.
  DeviceArray<std::uint64_t> count(std::vector<std::uint64_t>{world.n()});
  DeviceArray<float> counted(world.n() + 7), sum(1);
  over::inclusive_sum(ranks, from.data(), counted.data(), cuda::count_at(count.data(), world.n()));
  over::sum(ranks, from.data(), sum.data(), cuda::count_at(count.data(), world.n()));
  DeviceArray<cuda::indexed<float>> least(1);
  over::arg_min(ranks, from.data(), least.data(), world.n());
  ranks.wait();
  expect_part("inclusive_scan", seed, out, world.part(scanned(x, Compose())));
  auto reversed = x;
  std::reverse(reversed.begin(), reversed.end());
  reversed = scanned(reversed, Compose());
  std::reverse(reversed.begin(), reversed.end());
  expect_part("backward inclusive_scan", seed, back, world.part(reversed));
  expect_same("reduce", seed, product.download(),
              {std::accumulate(x.begin(), x.end(), Affine{3, 4}, [](Affine a, Affine b) { return Compose()(a, b); })});
  expect_part("inclusive_scan by maximum", seed, maxima, world.part(scanned(floats, kGreater)));
  expect_same("inclusive_sum of a count", seed, counted.download(), world.part(scanned(floats, kAdd)));
  expect_same("sum", seed, sum.download(), {std::accumulate(floats.begin(), floats.end(), 0.0F)});
  if (!x.empty()) {
    const auto at = std::min_element(floats.begin(), floats.end());
    const auto found = least.download()[0];
    UPSWEEP_CHECK(found.value == *at && found.index == static_cast<std::uint64_t>(at - floats.begin()));
  }
}

template <class C>
void check_segments(C &ranks, std::uint32_t seed, std::uint64_t most) {
  World world(ranks.size(), ranks.rank(), seed, most);
  const auto keys = world.keys(1 + world.number(most + 2));
  const auto x = world.whole([](std::uint32_t r) { return r; });
  const auto y = world.whole([](std::uint32_t r) { return Affine{r | 1, r >> 3}; });
  std::vector<bool> by_key(keys.size()), by_flag(keys.size());
  std::vector<unsigned char> flags(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    by_key[i] = i == 0 || keys[i] != keys[i - 1];
    flags[i] = world.number(7) == 0 ? 3 : 0;
    by_flag[i] = flags[i] != 0;
  }
  DeviceArray<std::uint32_t> k(world.part(keys)), in(world.part(x)), sums(world.n()), before(world.n());
  DeviceArray<unsigned char> f(world.part(flags));
  DeviceArray<Affine> functions(world.part(y)), composed(world.n()), exclusive(world.n());
  over::inclusive_scan_by_key(ranks, k.data(), in.data(), sums.data(), world.n(), cuda::plus{});
  over::exclusive_scan_by_flag(ranks, f.data(), in.data(), before.data(), world.n(), cuda::plus{}, 9U);
  over::inclusive_scan_by_flag(ranks, f.data(), functions.data(), composed.data(), world.n(), Compose());
  over::exclusive_scan_by_key(ranks, k.data(), functions.data(), exclusive.data(), world.n(), Compose(), Affine{5, 6},
                              SameKey());
  ranks.wait();
  const std::uint32_t nine = 9;
  const Affine first{5, 6};
  expect_part("inclusive_scan_by_key", seed, sums, world.part(scanned(x, kAdd, by_key)));
  expect_part("exclusive_scan_by_flag", seed, before, world.part(scanned(x, kAdd, by_flag, &nine)));
  expect_part("inclusive_scan_by_flag", seed, composed, world.part(scanned(y, Compose(), by_flag)));
  expect_part("exclusive_scan_by_key", seed, exclusive, world.part(scanned(y, Compose(), by_key, &first)));
}

template <class C>
void check_selections(C &ranks, std::uint32_t seed, std::uint64_t most) {
  World world(ranks.size(), ranks.rank(), seed, most);
  const auto keys = world.keys(1 + world.number(40));
  const auto x = world.whole([](std::uint32_t r) { return r % 1000; });
  DeviceArray<std::uint32_t> k(world.part(keys)), in(world.part(x)), odd(world.n()), heads(world.n()), of_heads(world.n()),
      values(world.n());
  DeviceArray<std::uint64_t> kept(3), all(3), counts(10);
  over::select_if(ranks, in.data(), odd.data(), kept.data(), world.n(), IsOdd(), cuda::total_to(all.data()));
  over::unique(ranks, k.data(), heads.data(), kept.data() + 1, world.n(), cuda::total_to(all.data() + 1));
#ifndef UPSWEEP_EMULATED  // two results do not fit the shared memory of an old GPU
  over::unique_by_key(ranks, k.data(), in.data(), of_heads.data(), values.data(), kept.data() + 2, world.n(),
                      cuda::total_to(all.data() + 2));
#endif
  over::histogram_even(ranks, in.data(), counts.data(), world.n(), 10, 0U, 1000U);
  ranks.wait();
  std::vector<std::uint32_t> wanted[3];
  std::vector<std::uint64_t> bins(10), numbers(3);
  for (std::uint64_t i = 0; i < world.all(); ++i) {
    const bool is_own = i >= world.begin() && i < world.begin() + world.n();
    ++bins[x[i] / 100];
    const bool is_head = i == 0 || keys[i] != keys[i - 1];
    numbers[0] += x[i] % 2;
    numbers[1] += is_head ? 1 : 0;
    if (is_own && x[i] % 2 != 0) {
      wanted[0].push_back(x[i]);
    }
    if (is_own && is_head) {
      wanted[1].push_back(keys[i]);
      wanted[2].push_back(x[i]);
    }
  }
  numbers[2] = numbers[1];
  std::vector<std::uint64_t> own = {wanted[0].size(), wanted[1].size(), wanted[2].size()};
#ifdef UPSWEEP_EMULATED
  own.pop_back();
  numbers.pop_back();
#else
  expect_same("unique_by_key", seed, of_heads.download(), wanted[1]);
  expect_same("unique_by_key", seed, values.download(), wanted[2]);
#endif
  expect_same("select_if", seed, odd.download(), wanted[0]);
  expect_same("unique", seed, heads.download(), wanted[1]);
  expect_same("kept", seed, kept.download(), own);
  expect_same("total_to", seed, all.download(), numbers);
  expect_same("histogram_even", seed, counts.download(), bins);
}

}  // namespace upsweep::test
