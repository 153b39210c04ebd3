// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type of totals of sums and products: one rule for the libraries for CPU threads, CUDA and OpenCL queues. C++17 alone.
//
// Sums of integers take a wider integer type of the output, since bytes that are added in bytes wrap before they are converted.
// They take 64 bits where the output has floating-point numbers. A bool is an integer of one bit. All other totals have the
// type of their operands.
#pragma once

namespace upsweep::common {

enum class number_kind { other, integer, floating_point };

// The properties of an element type that the rule uses.
struct number_type {
  number_kind kind = number_kind::other;
  unsigned bits = 0;
};

enum class total_type { of_operands, of_output, of_64_bits };

constexpr total_type total_for(number_type operands, number_type output) {
  if (operands.kind == number_kind::integer && output.kind == number_kind::integer && output.bits > operands.bits) {
    return total_type::of_output;
  }
  if (operands.kind == number_kind::integer && output.kind == number_kind::floating_point && operands.bits < 64) {
    return total_type::of_64_bits;
  }
  return total_type::of_operands;
}

}  // namespace upsweep::common
