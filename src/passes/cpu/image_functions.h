// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Library functions for reads and writes of texels (builtins/images), compiled for each x86-64 level.
#ifndef UPSWEEP_PASSES_CPU_IMAGE_FUNCTIONS_H
#define UPSWEEP_PASSES_CPU_IMAGE_FUNCTIONS_H

#include "passes/program.h"

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// The highest level, 2 to 4, whose instructions these features, such as `+avx2,+fma`, include. 0 if there is none; then only
/// the functions for single work-items can be called, which every x86-64 processor supports.
[[nodiscard]] unsigned image_level(llvm::StringRef features);

/// The levels whose functions code for a level may call: its own, and level 3 from level 4 for smaller sub-groups.
[[nodiscard]] llvm::SmallVector<unsigned, 2> image_levels(unsigned level);

/// The lanes that one call handles for a sub-group of `lanes`: 8, or 16 if the level supports it; 0 for level 0.
[[nodiscard]] unsigned image_lanes(unsigned level, unsigned lanes);

/// Whether the function reads or writes texels, of a work-item or of lanes.
[[nodiscard]] bool is_image_function(const llvm::Function &function);

/// Whether the pipeline's code in this module calls such functions.
[[nodiscard]] bool has_image_calls(const llvm::Module &module);

/// Suffixes of the functions for lanes in object code, and of the functions that passes inline (builtins/images/lanes/rows.cl).
inline constexpr llvm::StringLiteral kLanesSuffix = "_lanes", kRowsSuffix = "_rows";

/// Whether the function has a version with kRowsSuffix.
[[nodiscard]] bool has_rows(const UpsFunction &function);

/// Marks calls for texels that are not known to be adjacent in a row.
inline constexpr llvm::StringLiteral kSpreadTexels = "upsweep-spread-texels";

/// Adds the bodies of the row functions that the module calls, for inlining.
[[nodiscard]] llvm::Error link_image_rows(llvm::Module &module, Program &program);

}  // namespace upsweep::passes
#endif
