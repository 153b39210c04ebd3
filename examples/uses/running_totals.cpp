// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that adds a function of each element (table 39-1): out[j] = out[j - 1] + f(in[j - 1]) is a scan of f's values. Here f
// is the pay of a day, and totals restart each month, as in a segmented scan.
#include "report.h"

#include <upsweep/opencl/segments.h>

namespace {

// clang-format off
USES_SHARED(kPay, inline ulong pay_of(uint hours) { return hours > 8 ? 800UL + 150UL * (hours - 8) : 100UL * hours; })
// clang-format on

std::vector<std::uint64_t> sequential(const std::vector<uint> &hours, const std::vector<uint> &months) {
  std::vector<std::uint64_t> totals(hours.size());
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < hours.size(); ++i) {
    total = i > 0 && months[i] == months[i - 1] ? total : 0;
    totals[i] = total;
    total += pay_of(hours[i]);
  }
  return totals;
}

}  // namespace

int main(int argc, char **argv) {
  const std::size_t n = uses::elements(argc, argv);
  std::mt19937 engine(12);
  std::vector<uint> hours(n), months(n);
  for (std::size_t i = 0; i < n; ++i) {
    hours[i] = engine() % 13;
    months[i] = static_cast<uint>(i / 30);
  }
  const auto expected = sequential(hours, months);
  uses::Report report(argc, argv, "running totals", 16 * n);
  const std::uint64_t none = 0;

  std::vector<std::uint64_t> totals(n);
  report.by_threads(
      [&] {
        uses::cpu::exclusive_scan_by_key(months.data(), hours.data(), totals.data(), n, uses::cpu::plus{}, none,
                                         uses::cpu::transform_input(pay_of));
      },
      [&] { return totals == expected; });

  report.on_devices([&](uses::Device &device) {
    const auto in = device.array(hours), keys = device.array(months), out = device.array<std::uint64_t>(n);
    const auto run = [=, &device] {
      uses::require(uses::up::exclusive_scan_by_key(keys, in, out, n, uses::up::plus{}, none, device,
                                                    uses::up::transform_input({"pay_of", kPay})));
    };
    return std::pair(run, [=, &device, &expected] { return device.read<std::uint64_t>(out, n) == expected; });
  });
  return report.status();
}
