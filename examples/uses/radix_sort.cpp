// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Radix sort by splits (section 39.3.3): for each bit, a scan of the zeros gives the places of keys with a 0, and from these
// the places of keys with a 1.
#include "report.h"

namespace {

// clang-format off
USES_SHARED(kSplit,
inline uint has_zero(uint key, uint bit) { return ~key >> bit & 1; }
inline uint place_of(uint key, uint bit, uint i, uint zeros_before, uint zeros) {
  return has_zero(key, bit) ? zeros_before : zeros + i - zeros_before;
}
)
// clang-format on

constexpr uint kBits = 32;

}  // namespace

int main(int argc, char **argv) {
  const std::size_t n = uses::elements(argc, argv);
  std::mt19937 engine(10);
  std::vector<uint> keys(n);
  for (uint &key : keys) {
    key = engine();
  }
  auto expected = keys;
  std::sort(expected.begin(), expected.end());
  uses::Report report(argc, argv, "radix sort", 8 * n);

  std::vector<uint> sorted(n), moved(n), zeros(n + 1);
  report.by_threads(
      [&] {
        sorted = keys;
        for (uint bit = 0; bit < kBits; ++bit) {
          uses::cpu::exclusive_sum(sorted.data(), zeros.data(), n,
                                   uses::cpu::transform_input([bit](uint key) { return has_zero(key, bit); }),
                                   uses::cpu::total_to(&zeros[n]));
          uses::for_all(
              n, [&](std::size_t i) { moved[place_of(sorted[i], bit, static_cast<uint>(i), zeros[i], zeros[n])] = sorted[i]; });
          sorted.swap(moved);
        }
      },
      [&] { return sorted == expected; });

  report.on_devices([&](uses::Device &device) {
    const auto in = device.array(keys), one = device.array<uint>(n), two = device.array<uint>(n),
               zeros = device.array<uint>(n + 1);
    cl_kernel mark =
        device.kernel(std::string(kSplit) + "kernel void mark(global const uint *keys, global uint *zeros, uint bit) {"
                                            "  zeros[get_global_id(0)] = has_zero(keys[get_global_id(0)], bit); }");
    cl_kernel move = device.kernel(std::string(kSplit) +
                                   "kernel void move(global const uint *keys, global const uint *zeros, global uint *out,"
                                   "                 uint bit, uint n) {"
                                   "  const uint i = get_global_id(0);"
                                   "  out[place_of(keys[i], bit, i, zeros[i], zeros[n])] = keys[i]; }");
    const auto run = [=, &device] {
      for (uint bit = 0; bit < kBits; ++bit) {
        const auto &from = bit == 0 ? in : bit % 2 == 1 ? one : two;
        const auto &to = bit % 2 == 0 ? one : two;
        device.launch(mark, n, from, zeros, bit);
        uses::require(
            uses::up::exclusive_sum(zeros, zeros, n, device, uses::up::total_to(uses::up::buffer<uint>(zeros.memory, n))));
        device.launch(move, n, from, zeros, to, bit, static_cast<uint>(n));
      }
    };
    return std::pair(run, [=, &device, &expected] { return device.read<uint>(two, n) == expected; });
  });
  return report.status();
}
