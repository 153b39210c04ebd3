// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators and functions of a program on one component. A value is 64 bits, extended from its type; a float is its bit
// pattern.
#ifndef UPSWEEP_TESTS_FUZZ_KERNEL_ARITHMETIC_H
#define UPSWEEP_TESTS_FUZZ_KERNEL_ARITHMETIC_H

#include "kernel_program.h"

namespace upsweep::fuzz {

/// The low bits, extended with zeros or the sign.
[[nodiscard]] uint64_t normal(Base base, uint64_t bits);
/// `promoted`: by the rule for scalars, where small integers first become int. Comparisons return 0 or 1.
[[nodiscard]] uint64_t apply(Op op, Base base, uint64_t a, uint64_t b, bool promoted);
[[nodiscard]] uint64_t convert(Base to, Base from, uint64_t value, bool saturated);
[[nodiscard]] uint64_t combine(Combination combination, Base base, uint64_t a, uint64_t b);
[[nodiscard]] uint64_t identity(Combination combination, Base base);
[[nodiscard]] bool is_nan(uint64_t float_bits);

}  // namespace upsweep::fuzz
#endif
