// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses of how lanes lie to each other where nothing is known: neighbours that wrap round or are clamped at an edge.
#ifndef UPSWEEP_PASSES_CPU_LANES_LIKELY_STEPS_H
#define UPSWEEP_PASSES_CPU_LANES_LIKELY_STEPS_H

#include "passes/cpu/lanes/lane_shapes.h"

namespace upsweep::passes {

/// On gathers and scatters whose lanes probably lie side by side: likely_rows.h.
inline constexpr llvm::StringLiteral kLikelyRow = "upsweep.likely_row";

/// The step that most sub-groups have between the lanes' values of `value`: that of its operands where it is a remainder, a
/// minimum, a maximum or one of two values, none where it is a quotient. Nothing for what comes from memory, or is scaled by
/// what is not known.
std::optional<int64_t> likely_step(const llvm::Value &value, const LaneShapes &shapes, const llvm::DataLayout &layout);

/// Whether a varying address of elements of `bytes` probably lies beside its neighbours'.
bool is_likely_row(const llvm::Value &pointer, uint64_t bytes, const LaneShapes &shapes, const llvm::DataLayout &layout);

}  // namespace upsweep::passes
#endif
