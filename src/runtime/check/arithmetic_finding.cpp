// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands as numbers of their type.
#include "runtime/check/arithmetic_finding.h"
#include "base/arithmetic_abi.h"
#include <bit>
#include <cmath>
#include <cstdio>

namespace upsweep {
namespace {

bool is_unsigned(uint32_t operation) { return operation == UPSWEEP_UNSIGNED_DIVIDE || operation == UPSWEEP_UNSIGNED_REMAINDER; }

double half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                      : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                     : std::ldexp(fraction, -24);
  return bits >> 15 ? -size : size;
}

std::string number_text(const UpsweepCheckSite &site, uint64_t bits) {
  if (site.value == UPSWEEP_VALUE_INTEGER && is_unsigned(site.element)) return std::to_string(bits);
  if (site.value != UPSWEEP_VALUE_NONE) return value_text(site, bits);
  char text[40];  // a half
  std::snprintf(text, sizeof text, "%g", half_value(static_cast<uint16_t>(bits)));
  return text;
}

}  // namespace

UpsweepFindingKind arithmetic_kind(const UpsweepCheckSite &site, uint64_t second) {
  switch (site.element) {
  case UPSWEEP_SIGNED_DIVIDE:
  case UPSWEEP_SIGNED_REMAINDER: return second == 0 ? UPSWEEP_DIVISION_BY_ZERO : UPSWEEP_SIGNED_OVERFLOW;
  case UPSWEEP_UNSIGNED_DIVIDE:
  case UPSWEEP_UNSIGNED_REMAINDER: return UPSWEEP_DIVISION_BY_ZERO;
  case UPSWEEP_SHIFT_LEFT:
  case UPSWEEP_SHIFT_RIGHT: return UPSWEEP_LARGE_SHIFT;
  case UPSWEEP_CONVERT_TO_SIGNED:
  case UPSWEEP_CONVERT_TO_UNSIGNED: return UPSWEEP_CONVERSION_OUT_OF_RANGE;
  case UPSWEEP_READ_PACKET:
  case UPSWEEP_WRITE_PACKET: return UPSWEEP_OUT_OF_BOUNDS;
  default: return UPSWEEP_SIGNED_OVERFLOW;
  }
}

std::string arithmetic_text(const UpsweepCheckSite &site, uint64_t first, uint64_t second) {
  const std::string bits = std::to_string(site.width * 8) + " bits";
  const std::string operands = number_text(site, first) + " " + site.object + " " + number_text(site, second);
  switch (arithmetic_kind(site, second)) {
  case UPSWEEP_DIVISION_BY_ZERO: return operands;
  case UPSWEEP_OUT_OF_BOUNDS:
    return site.object + std::string(second == 0 ? " of a packet without a reservation"
                                                 : " of packet " + std::to_string(first) + " of a reservation of " +
                                                       std::to_string(second) + (second == 1 ? " packet" : " packets"));
  case UPSWEEP_LARGE_SHIFT: {
    const uint64_t counted = second & (site.width * uint64_t{8} - 1);
    return operands + " of " + bits + ", which OpenCL C shifts by " + std::to_string(counted);
  }
  case UPSWEEP_CONVERSION_OUT_OF_RANGE:
    return number_text(site, first) + ", which does not fit in " + bits +
           (site.element == UPSWEEP_CONVERT_TO_SIGNED ? " with a sign" : " without a sign");
  default: return operands + ", which does not fit in " + bits;
  }
}

}  // namespace upsweep
