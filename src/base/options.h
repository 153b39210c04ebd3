// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment options of options.def as one struct, read once.
#ifndef UPSWEEP_BASE_OPTIONS_H
#define UPSWEEP_BASE_OPTIONS_H

#include <cstdint>
#include <span>
#include <string>

namespace upsweep {

struct Options {
#define UPSWEEP_OPTION(name, type, fallback, reason) type name = fallback;
#include "base/options.def"
#undef UPSWEEP_OPTION
};

/// The options of this process, read from the environment by the first call. A malformed or empty value counts as unset. All
/// values count as unset in a program with raised rights.
const Options &options();

/// A variable of the environment; null if unset. Also null in a program with raised rights, whose environment comes from a user
/// with fewer rights. The library reads the environment only through this function.
const char *environment(const char *name);

/// True for a program with setuid, setgid or file capabilities (AT_SECURE).
bool has_raised_rights();

/// A row of options.def as text, for documentation.
struct OptionText {
  const char *name;  ///< as in options.def
  const char *type;
  const char *fallback;
  const char *reason;
};
std::span<const OptionText> option_texts();

}  // namespace upsweep
#endif
