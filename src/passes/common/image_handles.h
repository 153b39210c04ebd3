// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of image, sampler and reservation ID variables: the address of a description, the bits of a sampler or of an ID.
#ifndef UPSWEEP_PASSES_COMMON_IMAGE_HANDLES_H
#define UPSWEEP_PASSES_COMMON_IMAGE_HANDLES_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// Replaces the calls by which the library and Clang convert from and to these values; their arguments and results are already
/// pointers (flat_memory).
void open_image_handles(llvm::Module &module);

}  // namespace upsweep::passes
#endif
