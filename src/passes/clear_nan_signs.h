// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `abs` of PTX may leave a NaN's sign as it is, LLVM's fabs clears it. Where the bits of the result are looked at, as the library's
// functions do to tell large arguments from small ones, the sign bit is cleared.
#ifndef UPSWEEP_PASSES_CLEAR_NAN_SIGNS_H
#define UPSWEEP_PASSES_CLEAR_NAN_SIGNS_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// After all optimisation, which would undo it.
void clear_nan_signs(llvm::Module &module);

}  // namespace upsweep::passes
#endif
