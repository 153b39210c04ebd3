// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The comparisons of `upsweep select --where`: "x > 3", "0 <= x < 5", "x != 7".
#ifndef UPSWEEP_CLI_FILES_COMPARISON_H
#define UPSWEEP_CLI_FILES_COMPARISON_H

#include "cli/files/element.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace upsweep::cli {

// Numbers from `least` to `most`, each with its end or without, or all others. A long double holds every integer of 64 bits and
// every double.
struct Comparison {
  long double least = -std::numeric_limits<long double>::infinity();
  long double most = std::numeric_limits<long double>::infinity();
  bool has_least = true;
  bool has_most = true;
  bool is_negated = false;

  // flags[i] is 1 where the comparison is true for elements[i]: a NaN is unequal to all, and neither less nor greater.
  void find(ElementType type, const std::byte *elements, uint8_t *flags, size_t n) const;

  // The same as an expression of OpenCL C. `number` is one of the type's number, which is evaluated twice.
  [[nodiscard]] std::string text(ElementType type, std::string_view number) const;
};

Result<Comparison> parse_comparison(std::string_view text);

}  // namespace upsweep::cli
#endif
