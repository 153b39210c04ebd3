// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of units that wait, in the frame that the work-group loop reads. A frame starts with two pointers of the coroutine,
// the first of which points to the function that resumes it. Then follows this record, the coroutine's promise.
#ifndef UPSWEEP_PASSES_CPU_UNIT_STATE_H
#define UPSWEEP_PASSES_CPU_UNIT_STATE_H

#include <llvm/IR/DerivedTypes.h>

#include <cstdint>

namespace upsweep::passes {

/// The reason why a unit returned, as bits: a pass over the units combines them with or, and a mask selects the units to
/// resume.
enum UnitState : uint32_t {
  kDone = 0,
  kAtBarrier = 1,
  kYielded = 2,
  kReady = 4,      ///< scalar code: its sub-group operation is done
  kFirstSite = 8,  ///< scalar code: waits for a sub-group operation; index of the call site times 8. Earlier sites go first.
};

/// The record's fields: i32 state, then the operands of a sub-group operation; the result replaces the first operand.
enum UnitRecordField : unsigned { kStateField = 0, kOperandField = 1, kSecondOperandField = 2 };

inline constexpr uint64_t kUnitRecordOffset = 16;
inline constexpr uint64_t kOperandOffset = 8;  ///< within the record
inline constexpr uint64_t kSecondOperandOffset = 16;

inline llvm::StructType *unit_record_type(llvm::LLVMContext &context) {
  auto *wide = llvm::Type::getInt64Ty(context);
  return llvm::StructType::get(context, {llvm::Type::getInt32Ty(context), wide, wide});
}

}  // namespace upsweep::passes
#endif
