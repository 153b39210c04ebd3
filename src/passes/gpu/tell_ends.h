// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ends of kernels of which the host has to know: of those that enqueue others, and of blocks.
#ifndef UPSWEEP_PASSES_GPU_TELL_ENDS_H
#define UPSWEEP_PASSES_GPU_TELL_ENDS_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// A function attribute of kernels that tell their ends.
inline constexpr llvm::StringLiteral kTellsEnd = "upsweep-tells-end";

/// Marks them, and declares what they call. Before the library is linked, whose functions tell by their names.
void tell_ends(llvm::Module &module);
/// Has a marked kernel call __ups_end_group() where it returns. Nothing but the host starts it: what calls it calls a copy.
void add_end(llvm::Function &kernel);

}  // namespace upsweep::passes
#endif
