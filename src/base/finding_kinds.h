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
/// The kinds, as bits, that a word names: one of them, or a check and thus all of its kinds; 0 if it names none.
[[nodiscard]] uint32_t finding_kinds(std::string_view word);

}  // namespace upsweep
#endif
