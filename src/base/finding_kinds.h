// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the kernel checker's kinds of findings.
#ifndef UPSWEEP_BASE_FINDING_KINDS_H
#define UPSWEEP_BASE_FINDING_KINDS_H

#include "base/check_abi.h"

#include <string_view>

namespace upsweep {

/// A bit for each kind.
inline constexpr uint32_t kAllFindingKinds = (uint32_t{1} << UPSWEEP_NUM_FINDING_KINDS) - 1;

/// A short name for machines, such as "out-of-bounds".
[[nodiscard]] const char *name_of(UpsweepFindingKind kind);
/// A set of kinds, as bits: the kind that `word` names, or all kinds of the check that it names; 0 for other words.
[[nodiscard]] uint32_t finding_kinds(std::string_view word);

}  // namespace upsweep
#endif
