// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards integer divisions.
#include "passes/cpu/safe_division.h"

#include <llvm/ADT/Sequence.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

bool is_harmless(const Constant *number) {
  const auto *integer = dyn_cast_or_null<ConstantInt>(number);
  return integer && !integer->isZero() && !integer->isMinusOne();
}

bool never_raises(const Value *divisor) {
  const auto *constant = dyn_cast<Constant>(divisor);
  if (!constant) return false;
  auto *vector = dyn_cast<FixedVectorType>(constant->getType());
  if (!vector) return is_harmless(constant);
  return all_of(seq(vector->getNumElements()), [&](unsigned i) { return is_harmless(constant->getAggregateElement(i)); });
}

}  // namespace

void make_divisions_safe(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *division = dyn_cast<BinaryOperator>(&instruction);
    if (!division || !division->isIntDivRem() || never_raises(division->getOperand(1))) continue;
    IRBuilder<> builder(division);
    // Freeze, so that both uses of an undefined divisor see the same value.
    Value *divisor = builder.CreateFreeze(division->getOperand(1));
    Type *type = divisor->getType();
    Value *raises = builder.CreateICmpEQ(divisor, Constant::getNullValue(type));
    if (division->getOpcode() == Instruction::SDiv || division->getOpcode() == Instruction::SRem) {
      Value *numerator = builder.CreateFreeze(division->getOperand(0));
      division->setOperand(0, numerator);
      Value *smallest = ConstantInt::get(type, APInt::getSignedMinValue(type->getScalarSizeInBits()));
      Value *overflows = builder.CreateAnd(builder.CreateICmpEQ(numerator, smallest),
                                           builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type)));
      raises = builder.CreateOr(raises, overflows);
    }
    division->setOperand(1, builder.CreateSelect(raises, ConstantInt::get(type, 1), divisor));
  }
}

}  // namespace upsweep::passes
