// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites instructions that NVIDIA's assembler (CUDA 13.0) miscompiles. Works on PTX, since many operations become these
// instructions only in LLVM's instruction selection.
#ifndef UPSWEEP_COMPILER_CODE_PTX_REPAIRS_H
#define UPSWEEP_COMPILER_CODE_PTX_REPAIRS_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace upsweep::compiler {

/// - The assembler treats a negated or absolute value of 16 bits as a 32-bit value that needs no extension, which is wrong
///   for -32768. Products by -1 and absolute values of 32 bits are right.
/// - It computes a minimum or maximum of 16 bits as that of a pair; comparing it with a constant then tests either half.
///   Minima and maxima of 32 bits are right.
/// - It turns a choice between -1.0f and -0.0f into the conversion of -1 or 0, which is never -0.0f. A choice of their bits
///   is right.
/// - It turns the upper half of a product minus a 64-bit number into one multiply-add of the negated number. That loses the
///   carry if the number's lower word is 0. The complement plus 1 is right.
llvm::SmallVector<char, 0> repair_ptx(llvm::StringRef text);

}  // namespace upsweep::compiler
#endif
