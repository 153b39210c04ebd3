// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites code that LLVM 19's NVPTX back end or NVIDIA's assembler miscompiles. Must run after the optimiser,
// which would undo it.
#ifndef UPSWEEP_PASSES_GPU_NVPTX_REPAIRS_H
#define UPSWEEP_PASSES_GPU_NVPTX_REPAIRS_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// - PTX's `abs` may keep a NaN's sign, but LLVM's fabs clears it. If the result's bits are inspected, as library functions
///   do to detect large arguments, the sign bit is cleared explicitly.
/// - Loads of 8 or 16 floating-point numbers with an extension lose the extension. Vectors are extended element by element.
/// - Comparisons of vectors of 16-bit numbers with a result of the same width have no instruction. Vectors are compared
///   element by element.
/// - NVIDIA's assembler unrolls loops that count down and continue while their number is less than another, as if they
///   continued while it is greater. Such loops are marked.
/// - A boolean converted as a signed number becomes 1 as a float instead of -1. A select replaces the conversion.
/// - NVIDIA's assembler treats a constant as 0 in a sum of two pairs of 16-bit or 8-bit integers, if only the constant's half
///   of the result is used. It also treats a comparison of max(a, 0) or min(a, 0) with 0 as a comparison with a. Vectors are
///   added and compared element by element.
/// - Loads of 16 bytes are assumed to be aligned. Unaligned loads are split.
void repair_for_nvptx(llvm::Module &module);

/// For parameters and results: LLVM 19 treats a pair of bytes there as a pair of shorts.
bool is_pair_of_bytes(llvm::Type *type);
/// Inlines functions with such parameters or results.
void inline_pairs_of_bytes(llvm::Module &module);

}  // namespace upsweep::passes
#endif
