// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms, summed-area tables and box filters.
#include "expect.h"

#include <upsweep/cpu/histogram.h>
#include <upsweep/cpu/summed_area.h>

#include <cstdint>
#include <vector>

namespace cpu = upsweep::cpu;

int main() {
  const std::vector<std::uint8_t> picture = {1, 2, 3, 4, 5, 6, 7, 8, 9};  // 3 x 3
  std::vector<std::uint32_t> table(9), counts(4);
  std::vector<float> means(9);

  cpu::histogram(picture.data(), counts.data(), 4, picture.size(), [](std::uint8_t x) { return x / 4; });
  expect(counts, {3U, 4U, 2U, 0U});
  cpu::summed_area_table(picture.data(), table.data(), cpu::image_shape{3, 3});
  expect(table, {1U, 3U, 6U, 5U, 12U, 21U, 12U, 27U, 45U});
  cpu::box_filter(picture.data(), means.data(), cpu::image_shape{3, 3}, 1);
  expect(means, {3.F, 3.5F, 4.F, 4.5F, 5.F});
}
