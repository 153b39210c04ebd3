// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses the steps between lanes where they are unknown: neighbours that wrap around or are clamped at an edge.
#ifndef UPSWEEP_PASSES_CPU_LANES_LIKELY_STEPS_H
#define UPSWEEP_PASSES_CPU_LANES_LIKELY_STEPS_H

#include "passes/cpu/lanes/lane_shapes.h"

namespace upsweep::passes {

/// Marks gathers and scatters whose lanes are probably contiguous: likely_rows.h.
inline constexpr llvm::StringLiteral kLikelyRow = "upsweep.likely_row";

/// The step between the lanes' values of `value` in most sub-groups: the operands' step for a remainder, a minimum, a maximum
/// or a choice of two values, 0 for a quotient. Empty for values from memory, and for values scaled by an unknown factor.
std::optional<int64_t> likely_step(const llvm::Value &value, const LaneShapes &shapes, const llvm::DataLayout &layout);

/// Whether the varying addresses of elements of `bytes` bytes are probably adjacent.
bool is_likely_row(const llvm::Value &pointer, uint64_t bytes, const LaneShapes &shapes, const llvm::DataLayout &layout);

}  // namespace upsweep::passes
#endif
