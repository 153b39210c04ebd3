// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the strings that `%s` of printf prints: they must end within their object.
#ifndef UPSWEEP_PASSES_CPU_CHECK_CHECK_STRINGS_H
#define UPSWEEP_PASSES_CPU_CHECK_CHECK_STRINGS_H

#include "passes/cpu/check/provenance.h"

namespace upsweep::passes {

/// A string that does not end there is printed as a null pointer.
void check_strings(llvm::Function &item, ProvenanceFinder &finder, SiteTable &sites);

}  // namespace upsweep::passes
#endif
