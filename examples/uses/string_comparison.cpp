// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// String comparison (Blelloch 1990): the first non-zero difference orders two strings. A reduction by key finds it for many
// pairs of strings, which are stored contiguously.
#include "report.h"

#include <upsweep/cpu/reduce_by_key.h>
#include <upsweep/opencl/reduce_by_key.h>

namespace {

// clang-format off
USES_SHARED(kFirst, inline int first_difference(int a, int b) { return a != 0 ? a : b; })
// clang-format on

struct Pairs {
  std::vector<uint> of;         // the pair of each character
  std::vector<uchar> one, two;  // the shorter string is padded with zeros
  uint count = 0;
};

Pairs pairs_of(std::size_t n) {
  std::mt19937 engine(2);
  Pairs pairs;
  while (pairs.of.size() < n) {
    const std::size_t length = std::min<std::size_t>(n - pairs.of.size(), 1 + engine() % 60), same = engine() % 70;
    for (std::size_t i = 0; i < length; ++i) {
      pairs.of.push_back(pairs.count);
      pairs.one.push_back(static_cast<uchar>('a' + engine() % 26));
      pairs.two.push_back(i < same ? pairs.one.back() : i + 2 > length ? uchar(0) : static_cast<uchar>('a' + engine() % 26));
    }
    ++pairs.count;
  }
  return pairs;
}

// Below, 0 or above 0 for each pair, as of strcmp().
std::vector<int> sequential(const Pairs &pairs) {
  std::vector<int> orders(pairs.count);
  for (std::size_t i = 0; i < pairs.of.size(); ++i) {
    int &order = orders[pairs.of[i]];
    if (order == 0) {
      order = pairs.one[i] - pairs.two[i];
    }
  }
  return orders;
}

}  // namespace

int main(int argc, char **argv) {
  const std::size_t n = uses::elements(argc, argv);
  const Pairs pairs = pairs_of(n);
  const auto expected = sequential(pairs);
  uses::Report report(argc, argv, "string comparison", 6 * n + 8 * expected.size());

  std::vector<int> differences(n), orders(n);
  std::vector<uint> keys(n);
  std::size_t count = 0;
  report.by_threads(
      [&] {
        uses::for_all(n, [&](std::size_t i) { differences[i] = pairs.one[i] - pairs.two[i]; });
        uses::cpu::reduce_by_key(pairs.of.data(), differences.data(), keys.data(), orders.data(), &count, n, first_difference);
      },
      [&] { return std::vector(orders.begin(), orders.begin() + static_cast<std::ptrdiff_t>(count)) == expected; });

  report.on_devices([&](uses::Device &device) {
    const auto of = device.array(pairs.of), one = device.array(pairs.one), two = device.array(pairs.two);
    const auto differences = device.array<int>(n), keys = device.array<uint>(n), orders = device.array<int>(n),
               count = device.array<uint>(1);
    cl_kernel subtract =
        device.kernel("kernel void subtract(global const uchar *one, global const uchar *two, global int *out) {"
                      "  const size_t i = get_global_id(0);"
                      "  out[i] = (int)one[i] - two[i]; }");
    const auto run = [=, &device] {
      device.launch(subtract, n, one, two, differences);
      const uses::up::operation op("first_difference", kFirst, "0");
      uses::require(uses::up::reduce_by_key(of, differences, keys, orders, count, n, op, device));
    };
    return std::pair(run,
                     [=, &device, &expected] { return device.read<int>(orders, device.read<uint>(count, 1)[0]) == expected; });
  });
  return report.status();
}
