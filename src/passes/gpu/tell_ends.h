// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels whose end the host must know: kernels that enqueue others, and blocks.
#ifndef UPSWEEP_PASSES_GPU_TELL_ENDS_H
#define UPSWEEP_PASSES_GPU_TELL_ENDS_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// A function attribute of kernels that report their end.
inline constexpr llvm::StringLiteral kTellsEnd = "upsweep-tells-end";

/// Marks these kernels, and declares the functions that they call. Runs before the library is linked, since it identifies
/// library functions by name.
void tell_ends(llvm::Module &module);
/// Makes a marked kernel call __ups_end_group() before it returns. Only the host starts the kernel: callers call a copy.
void add_end(llvm::Function &kernel);

}  // namespace upsweep::passes
#endif
