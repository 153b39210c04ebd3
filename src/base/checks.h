// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel checker's checks, as a set (docs/decisions/checker.md).
#ifndef UPSWEEP_BASE_CHECKS_H
#define UPSWEEP_BASE_CHECKS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace upsweep {

enum class Check : uint8_t {
#define UPSWEEP_CHECK_ROW(id, name, effect) id,
#include "base/checks.def"
};

/// A set of checks; empty: kernels run unchecked.
class Checks {
public:
  [[nodiscard]] bool has(Check check) const { return bits_ >> static_cast<unsigned>(check) & 1; }
  [[nodiscard]] bool is_empty() const { return bits_ == 0; }
  [[nodiscard]] uint32_t bits() const { return bits_; }
  /// The names in the table's order, with commas.
  [[nodiscard]] std::string text() const;
  void add(Check check) { bits_ |= uint32_t{1} << static_cast<unsigned>(check); }

private:
  uint32_t bits_ = 0;
};

/// A comma list of names, `all`, or nothing. The error names the unknown word and the known words.
[[nodiscard]] tl::expected<Checks, std::string> parse_checks(std::string_view text);

/// The checks of UPSWEEP_CHECK; empty if the variable is wrong, in which case no program is built.
[[nodiscard]] const Checks &enabled_checks();

}  // namespace upsweep
#endif
