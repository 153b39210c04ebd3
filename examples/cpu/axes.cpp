// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans along the axes of a matrix.
#include "expect.h"

#include <upsweep/cpu/axis.h>

#include <vector>

namespace cpu = upsweep::cpu;

int main() {
  const std::vector<float> in = {1, 2, 3, 4, 5, 6};  // 2 x 3
  std::vector<float> out(in.size());

  cpu::inclusive_sum_of_axis(in.data(), out.data(), cpu::axis{1, 2, 3, {}, {}});  // down the columns
  expect(out, {1.F, 2.F, 3.F, 5.F, 7.F, 9.F});
  cpu::exclusive_sum_of_axis(in.data(), out.data(), cpu::axis{2, 3, 1, {}, {}});  // along the rows
  expect(out, {0.F, 1.F, 3.F, 0.F, 4.F, 9.F});
  cpu::inclusive_scan_of_axis(in.data(), out.data(), cpu::axis{1, 2, 3, {}, {}}, cpu::maximum{}, cpu::default_pool(),
                              cpu::backward);
  expect(out, {4.F, 5.F, 6.F, 4.F, 5.F, 6.F});
}
