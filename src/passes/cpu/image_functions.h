// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The object code for reads and writes of texels (builtins/images), of which there is some for each of x86-64's levels.
#ifndef UPSWEEP_PASSES_CPU_IMAGE_FUNCTIONS_H
#define UPSWEEP_PASSES_CPU_IMAGE_FUNCTIONS_H

#include "passes/program.h"

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// The highest level, 2 to 4, whose instructions these features, such as `+avx2,+fma`, contain. 0 where there is none, and only
/// the functions for single work-items can be called, which every x86-64 processor runs.
[[nodiscard]] unsigned image_level(llvm::StringRef features);

/// The levels whose functions code for a level calls: its own, and on level 4 those of level 3 for smaller sub-groups.
[[nodiscard]] llvm::SmallVector<unsigned, 2> image_levels(unsigned level);

/// Lanes of one call for a sub-group of `lanes`: 8, or 16 if the level has them; 0 for level 0.
[[nodiscard]] unsigned image_lanes(unsigned level, unsigned lanes);

/// A read or write of texels, for a work-item or for lanes.
[[nodiscard]] bool is_image_function(const llvm::Function &function);

/// Whether code of this module, which the pipeline has made, calls such functions.
[[nodiscard]] bool has_image_calls(const llvm::Module &module);

/// Of the functions for lanes, in object code, and of those that the passes inline (builtins/images/lanes/rows.cl).
inline constexpr llvm::StringLiteral kLanesSuffix = "_lanes", kRowsSuffix = "_rows";

/// Whether there is one with the latter.
[[nodiscard]] bool has_rows(const UpsFunction &function);

/// Marks calls for texels that are not known to be neighbours in a row.
inline constexpr llvm::StringLiteral kSpreadTexels = "upsweep-spread-texels";

/// Gives the functions for rows that the module calls their bodies, to be inlined.
[[nodiscard]] llvm::Error link_image_rows(llvm::Module &module, Program &program);

}  // namespace upsweep::passes
#endif
