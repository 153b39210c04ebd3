// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The object code for reads and writes of texels (builtins/images), of which there is some for each of x86-64's levels.
#ifndef UPSWEEP_PASSES_CPU_IMAGE_FUNCTIONS_H
#define UPSWEEP_PASSES_CPU_IMAGE_FUNCTIONS_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// The highest level, 2 to 4, whose instructions these features, such as `+avx2,+fma`, contain. 0 where there is none, and only
/// the functions for single work-items can be called, which every x86-64 processor runs.
[[nodiscard]] unsigned image_level(llvm::StringRef features);

/// Lanes of one call for a sub-group of `lanes`: 8, or 16 if the level has them; 0 for level 0.
[[nodiscard]] unsigned image_lanes(unsigned level, unsigned lanes);

/// A read or write of texels, for a work-item or for lanes.
[[nodiscard]] bool is_image_function(const llvm::Function &function);

/// Whether code of this module, which the pipeline has made, calls such functions.
[[nodiscard]] bool has_image_calls(const llvm::Module &module);

inline constexpr llvm::StringLiteral kLanesSuffix = "_lanes";

}  // namespace upsweep::passes
#endif
