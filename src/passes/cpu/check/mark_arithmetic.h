// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks the user's arithmetic that may be undefined, before LLVM relies on it and before the library's bodies come, and packets
// outside of their reservation.
#ifndef UPSWEEP_PASSES_CPU_CHECK_MARK_ARITHMETIC_H
#define UPSWEEP_PASSES_CPU_CHECK_MARK_ARITHMETIC_H

#include "passes/program.h"

namespace upsweep::passes {

/// Operands of Ups::kArithmetic: the condition of an error as an i1, the operation's operands as i64, and constants: the
/// operation (UpsweepArithmetic), the bits of its operands and of its result, and whether the operands are floats.
enum ArithmeticOperand : unsigned {
  kArithmeticFails,
  kArithmeticFirst,
  kArithmeticSecond,
  kArithmeticOperation,
  kArithmeticBits,
  kArithmeticResultBits,
  kArithmeticIsFloat
};

/// Puts Ups::kArithmetic before each such operation. Expects a portable module.
void mark_arithmetic(llvm::Module &module, Program &program);
/// Likewise before reads and writes of a reservation's packets. Accesses through null pointers stay, with the paths to them,
/// until check_memory() has found them.
void mark_accesses(llvm::Module &module, Program &program);

}  // namespace upsweep::passes
#endif
