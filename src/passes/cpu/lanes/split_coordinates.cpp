// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows the operations element by element, back to values without elements.
#include "passes/cpu/lanes/split_coordinates.h"

#include "passes/common/intrinsics.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

class Elements {
public:
  Value *of(Value *vector, unsigned number) {
    if (auto *constant = dyn_cast<Constant>(vector))
      if (Constant *element = constant->getAggregateElement(number)) return element;
    if (Value *known = known_.lookup({vector, number})) return known;
    Value *element = compute(vector, number);
    known_[{vector, number}] = element;
    return element;
  }

private:
  Value *compute(Value *vector, unsigned number) {
    auto *instruction = dyn_cast<Instruction>(vector);
    if (auto *insert = dyn_cast_or_null<InsertElementInst>(instruction))
      if (auto *place = dyn_cast<ConstantInt>(insert->getOperand(2)))
        return place->equalsInt(number) ? insert->getOperand(1) : of(insert->getOperand(0), number);
    if (auto *shuffle = dyn_cast_or_null<ShuffleVectorInst>(instruction)) {
      const auto width = static_cast<int>(cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
      const int source = shuffle->getMaskValue(number);
      if (source >= 0) return of(shuffle->getOperand(source < width ? 0 : 1), static_cast<unsigned>(source % width));
    }
    const bool by_element = isa_and_nonnull<BinaryOperator, UnaryOperator>(instruction) ||
                            (isa_and_nonnull<CastInst>(instruction) && !isa<BitCastInst>(instruction));
    if (!by_element) return extract(vector, number);
    Instruction *scalar = instruction->clone();
    for (Use &operand : scalar->operands()) operand.set(of(operand.get(), number));
    scalar->mutateType(vector->getType()->getScalarType());
    scalar->insertAfter(instruction);
    return scalar;
  }

  static Value *extract(Value *vector, unsigned number) {
    IRBuilder<> builder(vector->getContext());
    if (auto *instruction = dyn_cast<Instruction>(vector))
      builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
    else
      builder.SetInsertPoint(&*cast<Argument>(vector)->getParent()->getEntryBlock().getFirstInsertionPt());
    return builder.CreateExtractElement(vector, number);
  }

  DenseMap<std::pair<Value *, unsigned>, Value *> known_;
};

}  // namespace

bool split_coordinates(Function &item) {
  SmallSetVector<ExtractElementInst *, 16> coordinates;
  for (Instruction &instruction : instructions(item)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || !ups_function(*call).is_image_access()) continue;
    for (Value *argument : call->args())
      if (auto *element = dyn_cast<ExtractElementInst>(argument))
        if (isa<ConstantInt>(element->getIndexOperand()) && isa<Instruction>(element->getVectorOperand()))
          coordinates.insert(element);
  }
  Elements elements;
  SmallVector<WeakTrackingVH, 16> old;
  for (ExtractElementInst *coordinate : coordinates) {
    const auto number = static_cast<unsigned>(cast<ConstantInt>(coordinate->getIndexOperand())->getZExtValue());
    if (number >= cast<FixedVectorType>(coordinate->getVectorOperand()->getType())->getNumElements()) continue;
    coordinate->replaceAllUsesWith(elements.of(coordinate->getVectorOperand(), number));
    old.push_back(coordinate);
  }
  RecursivelyDeleteTriviallyDeadInstructions(old);
  return !coordinates.empty();
}

}  // namespace upsweep::passes
