// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory accesses of an instruction, and their checks as IR.
#ifndef UPSWEEP_PASSES_CPU_CHECK_ACCESS_H
#define UPSWEEP_PASSES_CPU_CHECK_ACCESS_H

#include "base/check_abi.h"
#include "passes/common/intrinsics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace upsweep::passes {

/// A range of memory that an instruction accesses. A copy has two.
struct CheckedAccess {
  llvm::Value *pointer;
  llvm::Value *width;  ///< i64
  llvm::Align align;
  uint32_t access;               ///< UpsweepAccess
  llvm::Value *value = nullptr;  ///< that is written
  bool is_silent = false;        ///< another access of the same memory reports a failure
};
[[nodiscard]] llvm::SmallVector<CheckedAccess, 2> checked_accesses(llvm::Instruction &instruction);

/// Operands of __ups_check and __ups_check_index.
enum CheckOperand : unsigned { kPointer, kStart, kBytes, kWidth, kAlign, kSite };

/// A call of `check`, which is Ups::kCheck or Ups::kCheckIndex. `site` may be null for a check that does not report.
llvm::CallInst *add_check(llvm::IRBuilder<> &builder, Ups check, llvm::ArrayRef<llvm::Value *> operands);

/// Puts each check directly before its access again. LLVM may have moved other instructions between the two; a check whose
/// access LLVM has removed goes.
void settle_checks(llvm::Function &item);

/// An i1: `width` bytes at `start` are within `bytes`. All are numbers or vectors.
[[nodiscard]] llvm::Value *is_inside(llvm::IRBuilder<> &builder, llvm::Value *start, llvm::Value *bytes, llvm::Value *width);

/// An i1: a check with these operands passes, for one work-item.
[[nodiscard]] llvm::Value *passes_check(llvm::IRBuilder<> &builder, llvm::ArrayRef<llvm::Value *> operands);

/// Reports a failed check of one work-item. `operands` are those of the check; `lane` is an i32.
void add_report(llvm::IRBuilder<> &builder, llvm::ArrayRef<llvm::Value *> operands, llvm::Value *value, llvm::Value *lane);

/// A call of __ups_race_row (builtins/intrinsics.def).
llvm::CallInst *add_race_row(llvm::IRBuilder<> &builder, llvm::ArrayRef<llvm::Value *> operands);

/// The result of an access that is skipped, of the scalar or vector `type`: zero. An exchange succeeds, so that loops around it
/// end.
[[nodiscard]] llvm::Constant *skipped_value(const llvm::Instruction &access, llvm::Type *type);

/// The bits of a number of up to 64 bits as an i64; 0 for other values and null.
[[nodiscard]] llvm::Value *value_bits(llvm::IRBuilder<> &builder, llvm::Value *value);

/// Moves the builder behind the definition of a value of the item: where instructions that need it may stand.
void go_behind(llvm::IRBuilder<> &builder, llvm::Function &item, llvm::Value *value);

}  // namespace upsweep::passes
#endif
