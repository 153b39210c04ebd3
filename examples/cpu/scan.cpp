// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of arrays.
#include "expect.h"

#include <upsweep/cpu/executors/jthread.h>
#include <upsweep/cpu/scan.h>

#include <vector>

namespace cpu = upsweep::cpu;

int main() {
  const std::vector<int> in = {3, 1, 4, 1, 5, 9, 2, 6};
  const std::size_t n = in.size();
  std::vector<int> out(n + 1);

  cpu::inclusive_sum(in.data(), out.data(), n);
  expect(out, {3, 4, 8, 9, 14, 23, 25, 31});

  // Offsets from lengths, and the total behind them.
  cpu::exclusive_sum(in.data(), out.data(), n, cpu::default_pool(), cpu::total_to(out.data() + n));
  expect(out, {0, 3, 4, 8, 9, 14, 23, 25, 31});

  cpu::inclusive_scan(in.data(), out.data(), n, cpu::maximum{});
  expect(out, {3, 3, 4, 4, 5, 9, 9, 9});

  // Any associative operator: here the composition of maps x -> 2 x + in[i].
  struct Map {
    int factor, offset;
  };
  std::vector<Map> maps;
  for (const int x : in) {
    maps.push_back({2, x});
  }
  cpu::inclusive_scan(maps.data(), maps.data(), n, [](const Map &first, const Map &then) {
    return Map{first.factor * then.factor, first.offset * then.factor + then.offset};
  });
  expect(std::vector{maps[0].offset, maps[1].offset, maps[2].offset}, {3, 7, 18});

  cpu::exclusive_scan(in.data(), out.data(), n, cpu::multiplies{}, 10);
  expect(out, {10, 30, 30, 120, 120, 600, 5400, 10800});

  // Sums of squares from the last element to the first, on new threads.
  cpu::inclusive_sum(in.data(), out.data(), n, cpu::new_threads{2}, cpu::backward,
                     cpu::transform_input([](int x) { return x * x; }));
  expect(out, {173, 164, 163, 147, 146, 121, 40, 36});
}
