// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of SIMD blocks: the running totals of sparse rows without their zeros, tile by tile.
#include "expect.h"

#include <upsweep/cpu/simd.h>

#include <array>
#include <cstdint>
#include <vector>

namespace simd = upsweep::cpu::simd;

int main() {
  const std::vector<float> in = {0, 2, 0, 0, 1, 5, 0, 3, 0, 4};
  const std::size_t n = in.size();
  std::vector<std::uint64_t> marks(simd::marks_of(n));
  std::vector<float> values(n + 16), sums(n);
  std::vector<std::uint32_t> columns(n + 8);

  simd::mark_if(in.data(), n, marks.data(), [](float x) { return x != 0; });
  const std::size_t kept = simd::compact(in.data(), marks.data(), n, values.data());
  simd::places(marks.data(), n, columns.data());
  float total = 0;
  simd::scan(values.data(), sums.data(), kept, total, upsweep::cpu::plus{});
  expect(columns, {1U, 4U, 5U, 7U, 9U});
  expect(sums, {2.0F, 3.0F, 8.0F, 11.0F, 15.0F});

  // Totals of runs: a scan that starts again at each change.
  const std::vector<int> keys = {1, 1, 2, 2, 2, 3, 3, 3, 3, 4};
  simd::mark_changes(keys.data(), n, marks.data());
  float since = 0;
  simd::scan_marked(in.data(), marks.data(), sums.data(), n, since, upsweep::cpu::plus{});
  expect(sums, {0.0F, 2.0F, 0.0F, 0.0F, 1.0F, 5.0F, 5.0F, 8.0F, 8.0F, 4.0F});

  // A pass of a radix sort.
  std::array<std::uint32_t, 256> counts{}, places{};
  std::vector<int> sorted(n);
  const auto digit = [](int key) { return static_cast<std::size_t>(255 - key); };
  simd::count_digits(keys.data(), n, counts.data(), digit);
  for (std::size_t d = 1; d < 256; ++d) {
    places[d] = places[d - 1] + counts[d - 1];
  }
  simd::distribute(keys.data(), n, sorted.data(), places.data(), digit);
  expect(sorted, {4, 3, 3, 3, 3, 2, 2, 2, 1, 1});
}
