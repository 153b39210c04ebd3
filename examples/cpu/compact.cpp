// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that select a part of an array, and calls that compute totals.
#include "expect.h"

#include <upsweep/cpu/partition.h>
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/reduce_by_key.h>
#include <upsweep/cpu/run_length.h>

#include <cstdint>
#include <vector>

namespace cpu = upsweep::cpu;

int main() {
  const std::vector<int> in = {3, 3, 4, 1, 1, 1, 2, 6};
  const std::size_t n = in.size();
  std::vector<int> out(n), others(n), totals(n);
  const auto is_odd = [](int x) { return x % 2 != 0; };
  std::size_t kept = 0;

  cpu::select_if(in.data(), out.data(), &kept, n, is_odd);
  expect(out, {3, 3, 1, 1, 1});
  const std::vector<std::uint8_t> flags = {0, 0, 1, 0, 0, 1, 0, 1};
  cpu::select_by_flag(in.data(), flags.data(), out.data(), &kept, n);
  expect(out, {4, 1, 6});
  const std::uint32_t bits = 0b10100100;
  cpu::select_by_bit(in.data(), &bits, out.data(), &kept, n);
  expect(out, {4, 1, 6});
  cpu::select_by_stencil(in.data(), flags.data(), out.data(), &kept, n, [](std::uint8_t flag) { return flag == 0; });
  expect(out, {3, 3, 1, 1, 2});
  cpu::unique(in.data(), out.data(), &kept, n);
  expect(out, {3, 4, 1, 2, 6});
  cpu::unique_by_key(in.data(), in.data(), out.data(), others.data(), &kept, n);
  expect(others, {3, 4, 1, 2, 6});
  cpu::partition_if(in.data(), out.data(), &kept, n, is_odd);
  expect(out, {3, 3, 1, 1, 1, 6, 2, 4});
  cpu::partition_by_flag(in.data(), flags.data(), out.data(), &kept, n);
  expect(out, {4, 1, 6, 2, 1, 1, 3, 3});
  cpu::stable_partition_if(in.data(), out.data(), others.data(), &kept, n, is_odd);
  expect(others, {4, 2, 6});
  cpu::stable_partition_by_flag(in.data(), flags.data(), out.data(), others.data(), &kept, n);
  expect(others, {3, 3, 1, 1, 2});
  cpu::run_length_encode(in.data(), out.data(), others.data(), &kept, n);
  expect(others, {2, 1, 3, 1, 1});
  cpu::reduce_by_key(in.data(), in.data(), out.data(), totals.data(), &kept, n, cpu::plus{});
  expect(totals, {6, 4, 3, 2, 6});

  int total = 0;
  cpu::sum(in.data(), &total, n);
  expect(std::vector{total}, {21});
  cpu::reduce(in.data(), &total, n, cpu::maximum{}, 0);
  expect(std::vector{total}, {6});
  cpu::transform_reduce(in.data(), &total, n, cpu::plus{}, [](int x) { return x * x; }, 0);
  expect(std::vector{total}, {77});
  cpu::indexed<int> place{};
  cpu::arg_min(in.data(), &place, n);
  expect(std::vector{place.index}, {std::uint64_t(3)});
  cpu::arg_max(in.data(), &place, n);
  expect(std::vector{place.index}, {std::uint64_t(7)});
}
