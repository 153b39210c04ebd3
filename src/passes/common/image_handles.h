// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images, samplers and reservation IDs as what variables hold: the address of a description, the bits of a sampler, of an ID.
#ifndef UPSWEEP_PASSES_COMMON_IMAGE_HANDLES_H
#define UPSWEEP_PASSES_COMMON_IMAGE_HANDLES_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// Takes the calls away by which the library reaches these, and Clang and the library make them; their arguments and results
/// are pointers by now (flat_memory).
void open_image_handles(llvm::Module &module);

}  // namespace upsweep::passes
#endif
