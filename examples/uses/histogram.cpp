// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram by scans: a sort by splits groups equal numbers, and the lengths of their runs are the counts. Numbers may have
// any size, unlike with an array of counters.
#include "report.h"

#include <upsweep/cpu/run_length.h>
#include <upsweep/cpu/sort.h>
#include <upsweep/opencl/reduce_by_key.h>
#include <upsweep/opencl/sort.h>

#include <map>

namespace {

std::pair<std::vector<uint>, std::vector<uint>> sequential(const std::vector<uint> &numbers) {
  std::map<uint, uint> counts;
  for (const uint x : numbers) {
    ++counts[x];
  }
  std::pair<std::vector<uint>, std::vector<uint>> found;
  for (const auto &[x, count] : counts) {
    found.first.push_back(x);
    found.second.push_back(count);
  }
  return found;
}

}  // namespace

int main(int argc, char **argv) {
  const std::size_t n = uses::elements(argc, argv);
  std::mt19937 engine(4);
  std::vector<uint> numbers(n);
  for (uint &x : numbers) {
    x = (engine() % 1000) * (engine() % 1000) * 2654435761U;
  }
  const auto expected = sequential(numbers);
  uses::Report report(argc, argv, "histogram", 4 * n + 8 * expected.first.size());

  std::vector<uint> sorted(n), values(n), counts(n);
  std::size_t runs = 0;
  report.by_threads(
      [&] {
        uses::cpu::sort_keys(numbers.data(), sorted.data(), n);
        uses::cpu::run_length_encode(sorted.data(), values.data(), counts.data(), &runs, n);
      },
      [&] {
        values.resize(runs);
        counts.resize(runs);
        return std::pair(values, counts) == expected;
      });

  report.on_devices([&](uses::Device &device) {
    const auto in = device.array(numbers), sorted = device.array<uint>(n), values = device.array<uint>(n),
               counts = device.array<uint>(n), runs = device.array<uint>(1);
    const auto run = [=, &device] {
      uses::require(uses::up::sort_keys(in, sorted, n, device));
      uses::require(uses::up::run_length_encode(sorted, values, counts, runs, n, device));
    };
    return std::pair(run, [=, &device, &expected] {
      const std::size_t found = device.read<uint>(runs, 1)[0];
      return std::pair(device.read<uint>(values, found), device.read<uint>(counts, found)) == expected;
    });
  });
  return report.status();
}
