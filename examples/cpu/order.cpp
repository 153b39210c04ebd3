// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of rows and segments, first elements, merges, selections of rows, arrays by index and segments as pairs.
#include "expect.h"

#include <upsweep/cpu/gather.h>
#include <upsweep/cpu/merge.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/segment.h>
#include <upsweep/cpu/segmented_sort.h>
#include <upsweep/cpu/select_of_rows.h>
#include <upsweep/cpu/top_k.h>

#include <cstdint>
#include <vector>

namespace cpu = upsweep::cpu;

struct Particle {
  std::int32_t cell;
  float energy;
};

int main() {
  const std::vector<int> keys = {5, 2, 9, 1, 8, 3};
  const std::vector<std::uint32_t> offsets = {0, 2, 6};
  const std::vector<char> values = {'a', 'b', 'c', 'd', 'e', 'f'};
  std::vector<int> out(6);
  std::vector<char> moved(6);
  std::vector<std::uint32_t> indices(6);

  cpu::sort_keys_of_segments(keys.data(), out.data(), 6, offsets.data(), 2);
  expect(out, {2, 5, 1, 3, 8, 9});
  cpu::sort_pairs_of_segments(keys.data(), out.data(), values.data(), moved.data(), 6, offsets.data(), 2, cpu::descending);
  expect(moved, {'a', 'b', 'c', 'e', 'f', 'd'});
  cpu::arg_sort_of_segments(keys.data(), out.data(), indices.data(), 6, offsets.data(), 2);
  expect(indices, {1U, 0U, 1U, 3U, 2U, 0U});
  cpu::sort_keys_of_rows(keys.data(), out.data(), 2, 3);
  expect(out, {2, 5, 9, 1, 3, 8});
  cpu::sort_pairs_of_rows(keys.data(), out.data(), values.data(), moved.data(), 2, 3);
  expect(moved, {'b', 'a', 'c', 'd', 'f', 'e'});
  cpu::arg_sort_of_rows(keys.data(), out.data(), indices.data(), 2, 3);
  expect(indices, {1U, 0U, 2U, 0U, 2U, 1U});

  std::vector<int> first(2);
  std::vector<char> first_values(2);
  std::vector<std::uint32_t> where(2);
  cpu::top_k_keys(keys.data(), first.data(), 6, 2, cpu::descending);
  expect(first, {9, 8});
  cpu::top_k_pairs(keys.data(), first.data(), values.data(), first_values.data(), 6, 2);
  expect(first_values, {'d', 'b'});
  cpu::arg_top_k(keys.data(), first.data(), where.data(), 6, 2);
  expect(where, {3U, 1U});
  int median = 0;
  std::uint64_t place = 0;
  cpu::nth_element(keys.data(), &median, 6, 3);
  cpu::arg_nth_element(keys.data(), &median, &place, 6, 3);
  expect(std::vector<std::uint64_t>{static_cast<std::uint64_t>(median), place}, {std::uint64_t(5), std::uint64_t(0)});

  const std::vector<int> a = {1, 4, 6}, b = {2, 4, 9};
  const std::vector<char> a_values = {'a', 'b', 'c'}, b_values = {'x', 'y', 'z'};
  cpu::merge(a.data(), b.data(), out.data(), 3, 3);
  expect(out, {1, 2, 4, 4, 6, 9});
  cpu::merge_pairs(a.data(), a_values.data(), b.data(), b_values.data(), out.data(), moved.data(), 3, 3);
  expect(moved, {'a', 'x', 'b', 'y', 'c', 'z'});
  cpu::merge_sort_pairs(keys.data(), out.data(), values.data(), moved.data(), 6, [](int x, int y) { return x > y; });
  expect(moved, {'c', 'e', 'a', 'f', 'b', 'd'});

  std::vector<Particle> particles = {{2, 1.5F}, {1, 3}, {2, 0.5F}, {1, 2}}, other(4);
  cpu::double_buffer<Particle> buffers{particles.data(), other.data()};
  cpu::sort_keys(buffers, 4, cpu::by_members<&Particle::cell, &Particle::energy>{});
  expect(std::vector<float>{buffers.current[0].energy, buffers.current[3].energy}, {2.F, 1.5F});

  const auto is_odd = [](int x) { return x % 2 != 0; };
  const std::vector<char> flags = {1, 0, 1, 0, 0, 1};
  std::vector<std::uint32_t> kept(2);
  cpu::select_if_of_rows(keys.data(), out.data(), kept.data(), 2, 3, is_odd);
  expect(kept, {2U, 2U});
  cpu::select_by_flag_of_rows(keys.data(), flags.data(), out.data(), kept.data(), 2, 3);
  expect(kept, {2U, 1U});

  const std::vector<std::uint32_t> order = {5, 4, 3, 2, 1, 0};
  cpu::inclusive_sum(cpu::gathered(keys.data(), order.data()), cpu::scattered(out.data(), order.data()), 6);
  expect(out, {28, 23, 21, 12, 11, 3});
  const std::vector<cpu::flagged<int>> pairs = {{1, true}, {2, false}, {3, true}};
  std::vector<cpu::flagged<int>> sums(3);
  cpu::inclusive_scan(pairs.data(), sums.data(), 3, cpu::segmented{cpu::plus{}});
  expect(std::vector<int>{sums[1].value, sums[2].value}, {3, 3});
}
