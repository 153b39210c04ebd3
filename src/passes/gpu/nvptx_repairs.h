// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites of code that LLVM 19's NVPTX back end or NVIDIA's assembler gets wrong. After all optimisation, which would
// undo it.
#ifndef UPSWEEP_PASSES_GPU_NVPTX_REPAIRS_H
#define UPSWEEP_PASSES_GPU_NVPTX_REPAIRS_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// - `abs` of PTX may leave a NaN's sign as it is, LLVM's fabs clears it. Where the bits of the result are looked at, as the
///   library's functions do to tell large arguments from small ones, the sign bit is cleared.
/// - Loads of 8 or 16 floating-point numbers that are then extended become loads that do not extend. Vectors are extended
///   element by element.
/// - Comparisons of vectors of 16-bit numbers whose result is of that width too have no instruction. Vectors are compared
///   element by element.
/// - NVIDIA's assembler unrolls loops that count down and go on while their number is less than another, as if they went on
///   while it is greater. They are marked.
/// - A truth value taken for a signed number becomes 1 as a float, not -1. It is selected.
/// - Of a sum of two pairs of integers of 16 bits, or of 8, whose one half alone is used, NVIDIA's assembler takes a constant
/// in
///   that half for 0. Of their maximum or minimum it takes a comparison with 0, where that is the second operand, for one with
///   the first. Vectors are added and compared element by element.
/// - Loads of 16 bytes are taken for aligned ones. Unaligned ones are split.
void repair_for_nvptx(llvm::Module &module);

/// Of parameters and results: LLVM 19 takes a pair of bytes there for a pair of shorts.
bool is_pair_of_bytes(llvm::Type *type);
/// Has functions with such inlined.
void inline_pairs_of_bytes(llvm::Module &module);

}  // namespace upsweep::passes
#endif
