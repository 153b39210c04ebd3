// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on single components, after the specification's text.
#include "kernel_arithmetic.h"

#include <bit>
#include <cmath>
#include <limits>

namespace upsweep::fuzz {
namespace {

// Wide enough for every sum and product of two 64-bit numbers.
__extension__ using Wide = __int128;

float to_float(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
uint64_t to_bits(float value) { return std::bit_cast<uint32_t>(value); }

Wide widened(Base base, uint64_t value) { return is_signed(base) ? Wide{static_cast<int64_t>(value)} : Wide{value}; }
Wide lowest(Base base) { return is_signed(base) ? -(Wide{1} << (bits_of(base) - 1)) : 0; }
Wide highest(Base base) { return (Wide{1} << (bits_of(base) - (is_signed(base) ? 1 : 0))) - 1; }

uint64_t saturated(Base base, Wide value) {
  return static_cast<uint64_t>(value < lowest(base) ? lowest(base) : value > highest(base) ? highest(base) : value);
}

uint64_t apply_float(Op op, float a, float b) {
  switch (op) {
  case Op::kNegate: return to_bits(a) ^ 0x80000000u;
  case Op::kAdd: return to_bits(a + b);
  case Op::kSubtract: return to_bits(a - b);
  case Op::kMultiply: return to_bits(a * b);
  case Op::kLess: return a < b;
  case Op::kLessEqual: return a <= b;
  case Op::kEqual: return a == b;
  default: return a != b;
  }
}

uint64_t shifted(Op op, Base base, uint64_t a, uint64_t b, bool promoted) {
  // 1.6.10: by the count modulo the bits of the promoted left operand.
  const uint64_t count = b & ((promoted && bits_of(base) < 32 ? 32 : bits_of(base)) - 1);
  if (op == Op::kShiftLeft) return a << count;
  return static_cast<uint64_t>(widened(base, a) >> count);
}

uint64_t rotated(Base base, uint64_t a, uint64_t b) {
  const unsigned bits = bits_of(base), count = static_cast<unsigned>(b) & (bits - 1);
  const uint64_t pattern = normal(unsigned_of(base), a);
  return count == 0 ? pattern : pattern << count | pattern >> (bits - count);
}

uint64_t function(Op op, Base base, uint64_t a, uint64_t b) {
  const Wide x = widened(base, a), y = widened(base, b);
  const uint64_t pattern = normal(unsigned_of(base), a);
  switch (op) {
  case Op::kMin: return static_cast<uint64_t>(x < y ? x : y);
  case Op::kMax: return static_cast<uint64_t>(x < y ? y : x);
  case Op::kRotate: return rotated(base, a, b);
  case Op::kPopcount: return static_cast<uint64_t>(std::popcount(pattern));
  case Op::kLeadingZeros: return static_cast<uint64_t>(std::countl_zero(pattern)) - (64 - bits_of(base));
  case Op::kAddSaturated: return saturated(base, x + y);
  case Op::kSubtractSaturated: return saturated(base, x - y);
  case Op::kHalvedSum: return static_cast<uint64_t>((x + y) >> 1);
  default:
    return static_cast<uint64_t>(is_signed(base) || bits_of(base) < 64
                                     ? (x * y) >> bits_of(base)
                                     : static_cast<Wide>((static_cast<unsigned __int128>(a) * b) >> 64));
  }
}

uint64_t apply_integer(Op op, Base base, uint64_t a, uint64_t b, bool promoted) {
  const Wide x = widened(base, a), y = widened(base, b), divisor = static_cast<Wide>((b & 15) | 1);
  switch (op) {
  case Op::kNegate: return 0 - a;
  case Op::kComplement: return ~a;
  case Op::kNot: return a == 0;
  case Op::kAdd: return a + b;
  case Op::kSubtract: return a - b;
  case Op::kMultiply: return a * b;
  case Op::kDivide: return static_cast<uint64_t>(x / divisor);
  case Op::kRemainder: return static_cast<uint64_t>(x % divisor);
  case Op::kAnd: return a & b;
  case Op::kOr: return a | b;
  case Op::kXor: return a ^ b;
  case Op::kShiftLeft:
  case Op::kShiftRight: return shifted(op, base, a, b, promoted);
  case Op::kLess: return x < y;
  case Op::kLessEqual: return x <= y;
  case Op::kEqual: return x == y;
  case Op::kNotEqual: return x != y;
  case Op::kLogicalAnd: return a != 0 && b != 0;
  case Op::kLogicalOr: return a != 0 || b != 0;
  default: return function(op, base, a, b);
  }
}

}  // namespace

bool is_nan(uint64_t float_bits) { return std::isnan(to_float(float_bits)); }

uint64_t normal(Base base, uint64_t bits) {
  const unsigned unused = 64 - bits_of(base);
  if (is_float(base) || !is_signed(base)) return bits << unused >> unused;
  return static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused);
}

uint64_t apply(Op op, Base base, uint64_t a, uint64_t b, bool promoted) {
  return is_float(base) ? apply_float(op, to_float(a), to_float(b)) : apply_integer(op, base, a, b, promoted);
}

uint64_t convert(Base to, Base from, uint64_t value, bool saturate) {
  if (to == from) return value;
  if (is_float(to))
    return to_bits(is_signed(from) ? static_cast<float>(static_cast<int64_t>(value)) : static_cast<float>(value));
  if (!is_float(from)) return saturate ? saturated(to, widened(from, value)) : normal(to, value);
  const float given = to_float(value);
  // 1.8: NaN becomes 0; numbers beyond 2^64 saturate alike.
  if (std::isnan(given)) return 0;
  if (std::fabs(given) >= 0x1p65f) return static_cast<uint64_t>(given < 0 ? lowest(to) : highest(to));
  return saturated(to, static_cast<Wide>(given));
}

uint64_t combine(Combination combination, Base base, uint64_t a, uint64_t b) {
  switch (combination) {
  case Combination::kAdd: return normal(base, a + b);
  case Combination::kMin: return function(Op::kMin, base, a, b);
  case Combination::kMax: break;
  }
  return function(Op::kMax, base, a, b);
}

uint64_t identity(Combination combination, Base base) {
  switch (combination) {
  case Combination::kAdd: return 0;
  case Combination::kMin: return static_cast<uint64_t>(highest(base));
  case Combination::kMax: break;
  }
  return static_cast<uint64_t>(lowest(base));
}

}  // namespace upsweep::fuzz
