// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that find errors: random bits, magnitudes of every size, and neighbours of powers of two. Every run draws the same.
#ifndef UPSWEEP_TESTS_BUILTINS_RANDOM_NUMBERS_H
#define UPSWEEP_TESTS_BUILTINS_RANDOM_NUMBERS_H

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

namespace upsweep::tests {

class RandomNumbers {
public:
  std::uint64_t bits() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 2685821657736338717ull;
  }

  /// Integers with every number of significant bits; every eighth is near a power of two.
  std::int64_t integer() {
    unsigned shift = bits() % 64;
    auto value = static_cast<std::int64_t>(bits()) >> shift;
    if (bits() % 8 == 0) value = (std::int64_t{1} << (bits() % 63)) + static_cast<std::int64_t>(bits() % 5) - 2;
    return value;
  }

  /// Half of the numbers have random bits without NaNs, the others lie in [-2^63, 2^63], mostly small.
  double real() {
    constexpr double kSpecial[] = {
        0.0, -0.0, 1, -1, 0.5, -2.5, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    if (count_ < std::size(kSpecial)) return kSpecial[count_++];
    if (bits() & 1) return std::ldexp(static_cast<double>(static_cast<std::int64_t>(bits())), -static_cast<int>(bits() % 80));
    auto value = std::bit_cast<double>(bits());
    return std::isnan(value) ? 1.0 : value;
  }

  float real_float() {
    if (bits() & 1) return static_cast<float>(real());
    auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits()));
    return std::isnan(value) ? 1.0f : value;
  }

private:
  std::uint64_t state_ = 88172645463325252ull;
  std::size_t count_ = 0;
};

}  // namespace upsweep::tests

#endif
