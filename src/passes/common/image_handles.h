// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images and samplers as what arguments hold: the address of a description, and the bits of a sampler.
#ifndef UPSWEEP_PASSES_COMMON_IMAGE_HANDLES_H
#define UPSWEEP_PASSES_COMMON_IMAGE_HANDLES_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// Takes the calls away by which the library reaches images and samplers, and Clang makes samplers; their arguments and results
/// are pointers by now (flat_memory).
void open_image_handles(llvm::Module &module);

}  // namespace upsweep::passes
#endif
