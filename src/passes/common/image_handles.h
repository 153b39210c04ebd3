// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images and samplers as what arguments hold: the address of a description, and the bits of a sampler.
#ifndef UPSWEEP_PASSES_COMMON_IMAGE_HANDLES_H
#define UPSWEEP_PASSES_COMMON_IMAGE_HANDLES_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// Whether the library reaches an image or sampler by a function of this name, or Clang makes a sampler of its bits by it.
bool is_image_handle(llvm::StringRef name);

/// Takes those calls away; their arguments and results are pointers by now (flat_memory).
void open_image_handles(llvm::Module &module);

}  // namespace upsweep::passes
#endif
