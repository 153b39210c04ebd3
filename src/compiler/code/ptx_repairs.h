// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites of instructions that NVIDIA's assembler gets wrong, as of CUDA 13.0. On PTX, since many operations become these
// instructions only when LLVM selects them.
#ifndef UPSWEEP_COMPILER_CODE_PTX_REPAIRS_H
#define UPSWEEP_COMPILER_CODE_PTX_REPAIRS_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace upsweep::compiler {

/// - A negative or an absolute value of 16 bits is taken for one of 32 that needs no extension, also that of -32768. Products
///   by -1 are right, and so are absolute values of 32 bits.
/// - A minimum or maximum of 16 bits is computed as that of a pair; an equality of it with a constant then is that of either.
///   Those of 32 bits are right.
/// - A choice between -1.0f and -0.0f becomes the conversion of -1 or 0, which is never -0.0f. A choice of their bits is right.
/// - The upper half of a product less a 64-bit number becomes one multiplication and addition of the negative, whose carry is
///   missing where the number's lower word is 0. With a complement and 1 it is right.
llvm::SmallVector<char, 0> repair_ptx(llvm::StringRef text);

}  // namespace upsweep::compiler
#endif
