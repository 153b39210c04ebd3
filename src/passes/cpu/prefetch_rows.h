// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks early for the lines of kernels that read several rows of an array at a time, as stencils do. The CPU's own prefetchers
// follow one row well, but not three that lie whole pages apart: with work-groups of 64 x 4, a 5-point stencil in memory takes
// 0.7 of the time, in cache 0.9.
#ifndef UPSWEEP_PASSES_CPU_PREFETCH_ROWS_H
#define UPSWEEP_PASSES_CPU_PREFETCH_ROWS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Of entries that go along rows (UPSWEEP_JOIN_ROWS).
inline constexpr llvm::StringLiteral kRowsAttribute = "upsweep-rows";

/// For optimised entries with the attribute. Returns whether it changed.
bool prefetch_rows(llvm::Function &entry);

}  // namespace upsweep::passes
#endif
