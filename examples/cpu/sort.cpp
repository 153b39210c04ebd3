// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of keys, of pairs and by a comparison.
#include "expect.h"

#include <upsweep/cpu/sort.h>

#include <cstdint>
#include <string>
#include <vector>

namespace cpu = upsweep::cpu;

int main() {
  const std::vector<double> keys = {2.5, -1, 0.5, -3};
  const std::vector<char> values = {'a', 'b', 'c', 'd'};
  std::vector<double> sorted(4);
  std::vector<char> moved(4);
  std::vector<std::uint32_t> indices(4);

  cpu::sort_keys(keys.data(), sorted.data(), keys.size());
  expect(sorted, {-3.0, -1.0, 0.5, 2.5});
  cpu::sort_pairs(keys.data(), sorted.data(), values.data(), moved.data(), keys.size(), cpu::default_pool(), cpu::descending);
  expect(moved, {'a', 'c', 'b', 'd'});
  cpu::arg_sort(keys.data(), sorted.data(), indices.data(), keys.size());
  expect(indices, {3U, 1U, 2U, 0U});
  const std::vector<int> numbers = {0x31, 0x12, 0x23};
  std::vector<int> by_bits(3);
  cpu::sort_keys(numbers.data(), by_bits.data(), 3, cpu::default_pool(), cpu::key_bits(0, 4));
  expect(by_bits, {0x31, 0x12, 0x23});

  std::vector<std::string> words = {"up", "sweep", "a", "scan"};
  cpu::merge_sort(words.data(), words.data(), words.size(), [](const auto &a, const auto &b) { return a.size() < b.size(); });
  expect(words, {std::string("a"), std::string("up"), std::string("scan"), std::string("sweep")});
}
