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

/// The options of this process, from its environment at the first call. A malformed value counts as not set.
const Options &options();

/// One line of options.def as text, for documentation.
struct OptionText {
  const char *name;  ///< as in options.def
  const char *type;
  const char *fallback;
  const char *reason;
};
std::span<const OptionText> option_texts();

}  // namespace upsweep
#endif
