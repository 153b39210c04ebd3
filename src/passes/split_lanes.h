// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Step 5b, scalar code: turns `@f.item` into `@f.lane`, a unit function of one work-item.
#ifndef UPSWEEP_PASSES_SPLIT_LANES_H
#define UPSWEEP_PASSES_SPLIT_LANES_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Consumes `item`.
llvm::Function *split_lanes(llvm::Function &item, llvm::StringRef kernel);

} // namespace upsweep::passes
#endif
