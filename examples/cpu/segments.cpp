// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans that start again: by key, by flag, at offsets, and after each row.
#include "expect.h"

#include <upsweep/cpu/scan.h>

#include <cstdint>
#include <vector>

namespace cpu = upsweep::cpu;

int main() {
  const std::vector<int> in = {3, 1, 4, 1, 5, 9, 2, 6}, keys = {7, 7, 7, 8, 8, 7, 7, 7};
  const std::vector<std::uint8_t> flags = {1, 0, 0, 1, 0, 1, 0, 0};
  const std::vector<std::uint32_t> offsets = {0, 3, 5};
  std::vector<int> out(in.size());

  cpu::inclusive_scan_by_key(keys.data(), in.data(), out.data(), in.size(), cpu::plus{}, cpu::equal_to{});
  expect(out, {3, 4, 8, 1, 6, 9, 11, 17});
  cpu::inclusive_scan_by_flag(flags.data(), in.data(), out.data(), in.size(), cpu::plus{});
  expect(out, {3, 4, 8, 1, 6, 9, 11, 17});
  cpu::exclusive_scan_of_segments(in.data(), out.data(), in.size(), offsets.data(), offsets.size(), cpu::plus{}, 100);
  expect(out, {100, 103, 104, 100, 101, 100, 109, 111});
  cpu::inclusive_scan_of_rows(in.data(), out.data(), in.size(), 4, cpu::maximum{});
  expect(out, {3, 3, 4, 4, 5, 9, 9, 9});
}
