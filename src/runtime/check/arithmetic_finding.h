// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of UPSWEEP_CHECK=arithmetic (base/arithmetic_abi.h).
#ifndef UPSWEEP_RUNTIME_CHECK_ARITHMETIC_FINDING_H
#define UPSWEEP_RUNTIME_CHECK_ARITHMETIC_FINDING_H

#include "runtime/check/finding.h"

namespace upsweep {

/// `first`, `second`: the operands' bits.
[[nodiscard]] UpsweepFindingKind arithmetic_kind(const UpsweepCheckSite &site, uint64_t second);
/// The operation with its operands, such as "2147483647 + 1, which does not fit in 32 bits".
[[nodiscard]] std::string arithmetic_text(const UpsweepCheckSite &site, uint64_t first, uint64_t second);

}  // namespace upsweep
#endif
