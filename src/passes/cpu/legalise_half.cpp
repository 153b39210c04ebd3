// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes in float, which has more than twice the bits: for +, -, *, / and the square root, one rounding at the end is correct
// (Figueroa, "When is double rounding innocuous?", 1995). Instructions that only move values are duplicated for floats if
// necessary, so that a chain of shuffles and sums, as in a scan, converts each value once.
//
// Rounding twice is correct if the first rounding is to odd: an inexact float has its last bit set. Float has more than two
// bits more than half, as this requires (Boldo and Melquiond, "Emulation of a FMA and correctly-rounded sums", 2008).
#include "passes/cpu/legalise_half.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

bool is_half(const Type *type) { return type->getScalarType()->isHalfTy(); }

Type *like(const Type *shape, Type *element) {
  auto *vector = dyn_cast<VectorType>(shape);
  return vector ? VectorType::get(element, vector->getElementCount()) : element;
}

/// Converts `nearest` to half as if it had been rounded to odd. `beyond`, an i1: the exact value is closer to zero.
Value *half_of_odd(IRBuilder<> &builder, Value *nearest, Value *inexact, Value *beyond) {
  Type *bits_type = like(nearest->getType(), builder.getInt32Ty());
  Value *bits = builder.CreateBitCast(nearest, bits_type);
  Value *truncated = builder.CreateAdd(bits, builder.CreateSExt(beyond, bits_type));
  Value *odd = builder.CreateSelect(inexact, builder.CreateOr(truncated, ConstantInt::get(bits_type, 1)), bits);
  return builder.CreateFPTrunc(builder.CreateBitCast(odd, nearest->getType()), like(nearest->getType(), builder.getHalfTy()));
}

Value *double_to_half(IRBuilder<> &builder, Value *wide) {
  Value *nearest = builder.CreateFPTrunc(wide, like(wide->getType(), builder.getFloatTy()));
  Value *back = builder.CreateFPExt(nearest, wide->getType());
  Value *inexact = builder.CreateFCmpONE(back, wide);
  Value *beyond = builder.CreateFCmpOGT(builder.CreateUnaryIntrinsic(Intrinsic::fabs, back),
                                        builder.CreateUnaryIntrinsic(Intrinsic::fabs, wide));
  return half_of_odd(builder, nearest, inexact, beyond);
}

// The result is exact in float, or rounded to more than twice the bits of a half.
bool may_use_float(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::sqrt:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven: return true;
  default: return false;
  }
}

class HalfLegaliser {
public:
  explicit HalfLegaliser(Function &function) : function_(function) {}
  void run();

private:
  Value *wide(Value *half);
  Value *moved(Instruction &instruction);
  void fill_phis();
  Value *legalised(Instruction &instruction);
  Value *legalised(IntrinsicInst &call);
  Value *fma(IntrinsicInst &call);

  Function &function_;
  DenseMap<Value *, Value *> wide_;                       ///< from halves to their floats
  SmallVector<std::pair<PHINode *, PHINode *>, 8> phis_;  ///< phis of halves, and their float phis, which have no values yet
};

/// The place after the instruction where dependent values can be computed.
BasicBlock::iterator behind(Instruction &instruction) {
  std::optional<BasicBlock::iterator> place = instruction.getInsertionPointAfterDef();
  assert(place && "a half comes from no terminator");
  return *place;
}

/// The same move of floats, if the instruction only moves halves.
Value *HalfLegaliser::moved(Instruction &instruction) {
  if (auto *phi = dyn_cast<PHINode>(&instruction)) {
    IRBuilder<> builder(phi);
    PHINode *floats = builder.CreatePHI(like(phi->getType(), builder.getFloatTy()), phi->getNumIncomingValues());
    phis_.push_back({phi, floats});
    return floats;
  }
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
    Value *first = wide(shuffle->getOperand(0)), *second = wide(shuffle->getOperand(1));
    IRBuilder<> builder(instruction.getParent(), behind(instruction));
    return builder.CreateShuffleVector(first, second, shuffle->getShuffleMask());
  }
  if (auto *insert = dyn_cast<InsertElementInst>(&instruction)) {
    Value *into = wide(insert->getOperand(0)), *element = wide(insert->getOperand(1));
    IRBuilder<> builder(instruction.getParent(), behind(instruction));
    return builder.CreateInsertElement(into, element, insert->getOperand(2));
  }
  if (auto *select = dyn_cast<SelectInst>(&instruction)) {
    Value *yes = wide(select->getTrueValue()), *no = wide(select->getFalseValue());
    IRBuilder<> builder(instruction.getParent(), behind(instruction));
    return builder.CreateSelect(select->getCondition(), yes, no);
  }
  return nullptr;
}

/// Converts beside the value's definition, so that all uses share the conversion and it leaves loops.
Value *HalfLegaliser::wide(Value *half) {
  Type *type = like(half->getType(), Type::getFloatTy(half->getContext()));
  if (auto *constant = dyn_cast<Constant>(half)) return IRBuilder<>(half->getContext()).CreateFPExt(constant, type);
  if (Value *known = wide_.lookup(half)) return known;
  auto *instruction = dyn_cast<Instruction>(half);
  Value *made = instruction ? moved(*instruction) : nullptr;
  if (!made) {
    BasicBlock &entry = function_.getEntryBlock();
    IRBuilder<> builder(instruction ? instruction->getParent() : &entry,
                        instruction ? behind(*instruction) : entry.getFirstInsertionPt());
    made = builder.CreateFPExt(half, type);
  }
  return wide_[half] = made;
}

/// The product is exact in float, and so is the error of its sum with the third operand (Knuth's TwoSum).
Value *HalfLegaliser::fma(IntrinsicInst &call) {
  Value *operands[] = {wide(call.getArgOperand(0)), wide(call.getArgOperand(1)), wide(call.getArgOperand(2))};
  IRBuilder<> builder(&call);
  Value *product = builder.CreateFMul(operands[0], operands[1]), *addend = operands[2];
  Value *sum = builder.CreateFAdd(product, addend);
  Value *part = builder.CreateFSub(sum, product);
  Value *error =
      builder.CreateFAdd(builder.CreateFSub(product, builder.CreateFSub(sum, part)), builder.CreateFSub(addend, part));
  // The error of an infinite sum is NaN.
  Value *inexact = builder.CreateFCmpONE(error, Constant::getNullValue(sum->getType()));
  Type *bits_type = like(sum->getType(), builder.getInt32Ty());
  Value *signs = builder.CreateXor(builder.CreateBitCast(error, bits_type), builder.CreateBitCast(sum, bits_type));
  return half_of_odd(builder, sum, inexact, builder.CreateICmpSLT(signs, Constant::getNullValue(bits_type)));
}

Value *HalfLegaliser::legalised(IntrinsicInst &call) {
  if (!is_half(call.getType())) return nullptr;
  if (call.getIntrinsicID() == Intrinsic::fma) return fma(call);
  if (!may_use_float(call.getIntrinsicID())) return nullptr;
  SmallVector<Value *, 2> operands;
  for (Value *operand : call.args()) operands.push_back(wide(operand));
  IRBuilder<> builder(&call);
  return builder.CreateFPTrunc(builder.CreateIntrinsic(call.getIntrinsicID(), {operands[0]->getType()}, operands),
                               call.getType());
}

/// The instruction's replacement, or null.
Value *HalfLegaliser::legalised(Instruction &instruction) {
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) return legalised(*call);
  if (auto *conversion = dyn_cast<FPTruncInst>(&instruction)) {
    IRBuilder<> builder(&instruction);
    bool from_double = conversion->getSrcTy()->getScalarType()->isDoubleTy();
    return is_half(conversion->getType()) && from_double ? double_to_half(builder, conversion->getOperand(0)) : nullptr;
  }
  if (auto *conversion = dyn_cast<FPExtInst>(&instruction)) {
    bool to_float = is_half(conversion->getSrcTy()) && conversion->getType()->getScalarType()->isFloatTy();
    return to_float ? wide(conversion->getOperand(0)) : nullptr;
  }
  auto *compare = dyn_cast<FCmpInst>(&instruction);
  auto *binary = dyn_cast<BinaryOperator>(&instruction);
  if ((!compare && !binary) || !is_half(instruction.getOperand(0)->getType())) return nullptr;
  Value *a = wide(instruction.getOperand(0)), *b = wide(instruction.getOperand(1));
  IRBuilder<> builder(&instruction);
  if (compare) return builder.CreateFCmp(compare->getPredicate(), a, b);
  return builder.CreateFPTrunc(builder.CreateBinOp(binary->getOpcode(), a, b), instruction.getType());
}

void HalfLegaliser::run() {
  // Definitions come before their uses, so no value is replaced after its float was made.
  SmallVector<Instruction *, 64> instructions;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
    for (Instruction &instruction : *block) instructions.push_back(&instruction);
  for (Instruction *instruction : instructions) {
    Value *replacement = legalised(*instruction);
    if (!replacement || replacement == instruction) continue;
    instruction->replaceAllUsesWith(replacement);
    instruction->eraseFromParent();
  }
  fill_phis();
}

/// Runs last, when no incoming value will be replaced any more.
void HalfLegaliser::fill_phis() {
  while (!phis_.empty()) {
    auto [halves, floats] = phis_.pop_back_val();
    for (unsigned i = 0; i < halves->getNumIncomingValues(); ++i)
      floats->addIncoming(wide(halves->getIncomingValue(i)), halves->getIncomingBlock(i));
  }
}

}  // namespace

void legalise_half(Function &function) {
  if (!function.isDeclaration()) HalfLegaliser(function).run();
}

}  // namespace upsweep::passes
