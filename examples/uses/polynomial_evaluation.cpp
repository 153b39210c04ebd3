// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomial evaluation (Blelloch 1990): a product scan gives the powers of x, and their sum with the coefficients is the
// value. Here both are one reduction of pairs: the value of a part of the polynomial, and the power of x behind it. Numbers
// are integers modulo 2^32, which are exact in any order.
#include "report.h"

#include <upsweep/cpu/reduce.h>
#include <upsweep/opencl/reduce.h>

namespace {

constexpr uint kX = 2654435761U;  // odd, so that its powers never become 0

// clang-format off
#define PART typedef struct { uint value, power; } part;
#define TEXT_OF(...) #__VA_ARGS__
#define PART_TEXT(text) TEXT_OF(text)
PART
USES_SHARED(kParts,
inline part part_of(uint coefficient) { part p; p.value = coefficient; p.power = 2654435761U; return p; }
inline part join(part low, part high) {
  part p;
  p.value = low.value + low.power * high.value;
  p.power = low.power * high.power;
  return p;
}
)
    // clang-format on

    // Horner's rule.
    uint sequential(const std::vector<uint> &coefficients) {
  uint value = 0;
  for (std::size_t i = coefficients.size(); i-- > 0;) {
    value = value * kX + coefficients[i];
  }
  return value;
}

}  // namespace

int main(int argc, char **argv) {
  const std::size_t n = uses::elements(argc, argv);
  std::mt19937 engine(3);
  std::vector<uint> coefficients(n);
  for (uint &a : coefficients) {
    a = engine();
  }
  const uint expected = sequential(coefficients);
  uses::Report report(argc, argv, "polynomial evaluation", 4 * n);
  const part nothing = {0, 1};

  part value{};
  report.by_threads([&] { uses::cpu::transform_reduce(coefficients.data(), &value, n, join, part_of, nothing); },
                    [&] { return value.value == expected; });

  report.on_devices([&](uses::Device &device) {
    const uses::up::element_type type("part", PART_TEXT(PART), sizeof(part), alignof(part));
    const auto in = device.array(coefficients), out = device.array(type, 1);
    const auto run = [=, &device] {
      const uses::up::operation op("join", kParts, "(part){0, 1}");
      const uses::up::value initial(type, &nothing);
      uses::require(uses::up::transform_reduce(in, out, n, op, {"part_of", ""}, initial, device));
    };
    return std::pair(run, [=, &device] { return device.read<part>(out, 1)[0].value == expected; });
  });
  return report.status();
}
