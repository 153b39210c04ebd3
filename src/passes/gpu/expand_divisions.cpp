// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the reciprocal x of a 64-bit divisor d. x starts as a float slightly below 2^64 / d. Each Newton step x += x * (2^64
// - d * x) / 2^64 doubles the number of correct bits and never exceeds 2^64 / d. After two steps, floor(n * x / 2^64) is at
// most two below n / d. Numbers of up to 16 bits are divided as floats.
#include "passes/gpu/expand_divisions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

struct Division {
  bool is_signed, is_remainder;
};

Division division_of(const BinaryOperator &instruction) {
  const unsigned opcode = instruction.getOpcode();
  return {opcode == Instruction::SDiv || opcode == Instruction::SRem,
          opcode == Instruction::URem || opcode == Instruction::SRem};
}

bool is_division(const Instruction &instruction) {
  return is_contained({Instruction::UDiv, Instruction::SDiv, Instruction::URem, Instruction::SRem}, instruction.getOpcode());
}

/// 2^64 / d, or up to two below.
Value *reciprocal(IRBuilder<> &builder, Value *d) {
  // The float is at least d, and the hardware's reciprocal is off by at most 2^-23, so the product is below 2^64 / d.
  Value *as_float = builder.CreateIntrinsic(Intrinsic::nvvm_ull2f_rp, {}, {d});
  Value *inverse = builder.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_f, {}, {as_float});
  Value *scaled = builder.CreateFMul(inverse, ConstantFP::get(inverse->getType(), 0x1.fffff8p63));
  Value *x = builder.CreateIntrinsic(Intrinsic::nvvm_f2ull_rz, {}, {scaled});
  for (int step = 0; step < 2; ++step) {
    Value *rest = builder.CreateNeg(builder.CreateMul(d, x));
    x = builder.CreateAdd(x, builder.CreateIntrinsic(Intrinsic::nvvm_mulhi_ull, {}, {x, rest}));
  }
  return x;
}

Value *divide_long(IRBuilder<> &builder, Value *n, Value *d, bool is_remainder) {
  Value *quotient = builder.CreateIntrinsic(Intrinsic::nvvm_mulhi_ull, {}, {n, reciprocal(builder, d)});
  Value *rest = builder.CreateSub(n, builder.CreateMul(quotient, d));
  for (int correction = 0; correction < 2; ++correction) {
    Value *is_more = builder.CreateICmpUGE(rest, d);
    quotient = builder.CreateSelect(is_more, builder.CreateAdd(quotient, builder.getInt64(1)), quotient);
    rest = builder.CreateSelect(is_more, builder.CreateSub(rest, d), rest);
  }
  return is_remainder ? rest : quotient;
}

Value *divide_short(IRBuilder<> &builder, Value *n, Value *d, bool is_remainder) {
  n = builder.CreateTrunc(n, builder.getInt32Ty());
  d = builder.CreateTrunc(d, builder.getInt32Ty());
  return builder.CreateZExt(is_remainder ? builder.CreateURem(n, d) : builder.CreateUDiv(n, d), builder.getInt64Ty());
}

Value *negated_if(IRBuilder<> &builder, Value *value, Value *minus) {
  return builder.CreateSub(builder.CreateXor(value, minus), minus);
}

/// Divides two unsigned numbers in new blocks before `place`.
Value *divide_unsigned(Instruction &place, Value *n, Value *d, bool is_remainder) {
  IRBuilder<> builder(&place);
  Value *is_short = builder.CreateICmpULE(builder.CreateOr(n, d), builder.getInt64(UINT32_MAX));
  Instruction *if_short = nullptr, *if_long = nullptr;
  SplitBlockAndInsertIfThenElse(is_short, &place, &if_short, &if_long);
  IRBuilder<> in_short(if_short), in_long(if_long), after(&place);
  Value *from_short = divide_short(in_short, n, d, is_remainder), *from_long = divide_long(in_long, n, d, is_remainder);
  PHINode *result = after.CreatePHI(after.getInt64Ty(), 2);
  result->addIncoming(from_short, if_short->getParent());
  result->addIncoming(from_long, if_long->getParent());
  return result;
}

Value *divide_64(Instruction &place, Value *n, Value *d, Division what) {
  IRBuilder<> builder(&place);
  n = builder.CreateFreeze(n);
  d = builder.CreateFreeze(d);
  if (!what.is_signed) return divide_unsigned(place, n, d, what.is_remainder);
  Value *n_minus = builder.CreateAShr(n, 63), *d_minus = builder.CreateAShr(d, 63);
  Value *n_size = negated_if(builder, n, n_minus), *d_size = negated_if(builder, d, d_minus);
  Value *size = divide_unsigned(place, n_size, d_size, what.is_remainder);
  IRBuilder<> after(&place);
  return negated_if(after, size, what.is_remainder ? n_minus : after.CreateXor(n_minus, d_minus));
}

/// The float result is never closer to 0 than n / d, since the reciprocal, off by at most 2^-23, is increased by more than
/// that. As n is below 2^16, it is too far from 0 by less than 1 / d.
Value *divide_as_float(Instruction &place, Value *n, Value *d, Division what) {
  IRBuilder<> builder(&place);
  const auto widened = [&](Value *value) { return builder.CreateIntCast(value, builder.getInt32Ty(), what.is_signed); };
  const auto as_float = [&](Value *value) { return builder.CreateSIToFP(value, builder.getFloatTy()); };
  n = widened(n);
  d = widened(d);
  Value *inverse = builder.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_f, {}, {as_float(d)});
  inverse = builder.CreateFMul(inverse, ConstantFP::get(inverse->getType(), 1 + 0x1p-21));
  Value *result = builder.CreateIntrinsic(Intrinsic::nvvm_f2i_rz, {}, {builder.CreateFMul(as_float(n), inverse)});
  if (what.is_remainder) result = builder.CreateSub(n, builder.CreateMul(result, d));
  return builder.CreateTrunc(result, place.getType()->getScalarType());
}

/// The result for one element; null if LLVM's or the assembler's own code is right.
Value *expanded(Instruction &place, Value *n, Value *d) {
  const Division what = division_of(cast<BinaryOperator>(place));
  const unsigned bits = n->getType()->getIntegerBitWidth();
  if (isa<Constant>(d)) return nullptr;
  if (bits <= 16) return divide_as_float(place, n, d, what);
  if (bits != 64) return nullptr;
  return divide_64(place, n, d, what);
}

void expand(BinaryOperator &division) {
  Value *n = division.getOperand(0), *d = division.getOperand(1), *result = nullptr;
  if (auto *vector = dyn_cast<FixedVectorType>(division.getType())) {
    result = PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      IRBuilder<> builder(&division);
      Value *one_n = builder.CreateExtractElement(n, i), *one_d = builder.CreateExtractElement(d, i);
      Value *one = expanded(division, one_n, one_d);
      IRBuilder<> after(&division);
      if (!one) one = after.CreateBinOp(division.getOpcode(), one_n, one_d);
      result = after.CreateInsertElement(result, one, i);
    }
  } else {
    result = expanded(division, n, d);
  }
  if (!result) return;
  division.replaceAllUsesWith(result);
  division.eraseFromParent();
}

}  // namespace

void expand_divisions(Function &function) {
  SmallVector<BinaryOperator *, 8> divisions;
  for (Instruction &instruction : instructions(function))
    if (is_division(instruction)) divisions.push_back(cast<BinaryOperator>(&instruction));
  for (BinaryOperator *division : divisions) expand(*division);
}

}  // namespace upsweep::passes
