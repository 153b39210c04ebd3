// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// restrictions.def as a table, and the treatment of each restriction: an error or a warning, unless an option changes it.
#ifndef UPSWEEP_COMPILER_RESTRICTIONS_H
#define UPSWEEP_COMPILER_RESTRICTIONS_H

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace upsweep::compiler {

enum class Restriction : uint8_t {
#define UPSWEEP_RESTRICTION(id, ...) id,
#include "compiler/restrictions.def"
#undef UPSWEEP_RESTRICTION
  kCount
};

enum class Treatment : uint8_t { kRefused, kWarned, kPermitted };

struct RestrictionRule {
  std::string_view name;
  Treatment treatment;  ///< the default
  unsigned below;       ///< version of OpenCL C, such as 300
  bool in_cpp;
  const char *text;  ///< of the message; %0 is the construct
};

[[nodiscard]] const RestrictionRule &rule(Restriction restriction);

/// All names, for messages: "complex, flexible-array-members, ...".
[[nodiscard]] std::string restriction_names();

class Treatments {
public:
  Treatments();
  [[nodiscard]] Treatment of(Restriction restriction) const { return each_[static_cast<size_t>(restriction)]; }
  /// An option's text after -W: [error=|no-|no-error=]NAME, where NAME may be "restrictions" for all of them. NAME alone
  /// restores the default. False if the name is unknown.
  [[nodiscard]] bool set(std::string_view option);

private:
  std::array<Treatment, static_cast<size_t>(Restriction::kCount)> each_{};
};

/// The rule's text with its treatment: the option that permits it, or the note that it is a warning.
[[nodiscard]] std::string message_format(Restriction restriction, Treatment treatment);

}  // namespace upsweep::compiler
#endif
