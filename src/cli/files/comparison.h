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

// The numbers from `least` to `most`, each inclusive or exclusive, or all other numbers. A long double represents every 64-bit
// integer and every double.
struct Comparison {
  long double least = -std::numeric_limits<long double>::infinity();
  long double most = std::numeric_limits<long double>::infinity();
  bool has_least = true;
  bool has_most = true;
  bool is_negated = false;

  // Sets flags[i] to 1 if the comparison is true for elements[i]. A NaN is unequal to all numbers, and neither less nor
  // greater.
  void find(ElementType type, const std::byte *elements, uint8_t *flags, size_t n) const;

  // The comparison as an expression of OpenCL C. `number` is an expression for an element's number; it is evaluated twice.
  [[nodiscard]] std::string text(ElementType type, std::string_view number) const;
};

Result<Comparison> parse_comparison(std::string_view text);

}  // namespace upsweep::cli
#endif
