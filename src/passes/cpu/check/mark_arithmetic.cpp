// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the condition under which an operation is in error, for each component of a vector.
#include "passes/cpu/check/mark_arithmetic.h"

#include "base/arithmetic_abi.h"
#include "passes/common/intrinsics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace upsweep::passes {
namespace {

/// Limit of the operands' bits, which a report has in two words.
constexpr unsigned kMostBits = 64;

class ArithmeticMarker {
public:
  ArithmeticMarker(Instruction &at, Type *type)
      : at_(at), builder_(&at), is_float_(type->isFPOrFPVectorTy()), bits_(type->getScalarSizeInBits()) {}
  void divide(bool is_signed, UpsweepArithmetic operation);
  void overflow(Intrinsic::ID checked, UpsweepArithmetic operation);
  void shift(UpsweepArithmetic operation);
  void convert(Value *from, Type *to, bool is_signed);
  void packet(Value *reservation, Value *index, UpsweepArithmetic operation);

private:
  void mark(Value *fails, Value *first, Value *second, UpsweepArithmetic operation, unsigned result_bits);
  Value *number(Value *value);

  Instruction &at_;
  IRBuilder<> builder_;
  bool is_float_;
  unsigned bits_;
};

Value *ArithmeticMarker::number(Value *value) {
  if (is_float_) value = builder_.CreateBitCast(value, builder_.getIntNTy(bits_));
  return builder_.CreateZExt(value, builder_.getInt64Ty());
}

void ArithmeticMarker::mark(Value *fails, Value *first, Value *second, UpsweepArithmetic operation, unsigned result_bits) {
  if (auto *vector = dyn_cast<FixedVectorType>(fails->getType())) {
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      mark(builder_.CreateExtractElement(fails, i), builder_.CreateExtractElement(first, i),
           second ? builder_.CreateExtractElement(second, i) : nullptr, operation, result_bits);
    return;
  }
  if (match(fails, m_Zero())) return;
  Type *i64 = builder_.getInt64Ty(), *i32 = builder_.getInt32Ty(), *i1 = builder_.getInt1Ty();
  auto *type = FunctionType::get(builder_.getVoidTy(), {i1, i64, i64, i32, i32, i32, i1}, false);
  FunctionCallee callee = at_.getModule()->getOrInsertFunction(name_of(Ups::kArithmetic), type);
  auto *function = cast<Function>(callee.getCallee());
  function->setOnlyAccessesInaccessibleMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  builder_.CreateCall(callee,
                      {fails, number(first), second ? number(second) : builder_.getInt64(0), builder_.getInt32(operation),
                       builder_.getInt32(bits_), builder_.getInt32(result_bits), builder_.getInt1(is_float_)});
}

void ArithmeticMarker::divide(bool is_signed, UpsweepArithmetic operation) {
  Value *first = at_.getOperand(0), *second = at_.getOperand(1);
  Type *type = second->getType();
  Value *fails = builder_.CreateICmpEQ(second, Constant::getNullValue(type));
  if (is_signed) {
    Value *is_least = builder_.CreateICmpEQ(first, ConstantInt::get(type, APInt::getSignedMinValue(bits_)));
    Value *is_minus_one = builder_.CreateICmpEQ(second, Constant::getAllOnesValue(type));
    fails = builder_.CreateOr(fails, builder_.CreateAnd(is_least, is_minus_one));
  }
  mark(fails, first, second, operation, bits_);
}

void ArithmeticMarker::overflow(Intrinsic::ID checked, UpsweepArithmetic operation) {
  Value *first = at_.getOperand(0), *second = at_.getOperand(1);
  Value *result = builder_.CreateBinaryIntrinsic(checked, first, second);
  mark(builder_.CreateExtractValue(result, 1), first, second, operation, bits_);
}

/// Clang masks the amount of a shift of OpenCL C.
void ArithmeticMarker::shift(UpsweepArithmetic operation) {
  Value *amount = at_.getOperand(1), *unmasked = nullptr;
  const APInt width(bits_, bits_);
  if (match(amount, m_And(m_Value(unmasked), m_SpecificInt(width - 1)))) amount = unmasked;
  mark(builder_.CreateICmpUGE(amount, ConstantInt::get(amount->getType(), width)), at_.getOperand(0), amount, operation, bits_);
}

/// The numbers whose integral part is in range: above the least number minus 1, below the greatest plus 1.
void ArithmeticMarker::convert(Value *from, Type *to, bool is_signed) {
  Type *type = from->getType();
  const unsigned result_bits = to->getScalarSizeInBits();
  const fltSemantics &semantics = type->getScalarType()->getFltSemantics();
  const APInt above = APInt::getOneBitSet(result_bits + 2, is_signed ? result_bits - 1 : result_bits);
  const APInt below = is_signed ? -above - 1 : APInt::getAllOnes(result_bits + 2);
  APFloat most(semantics), least(semantics);
  most.convertFromAPInt(above, true, APFloat::rmNearestTiesToEven);
  const bool is_exact = least.convertFromAPInt(below, true, APFloat::rmTowardPositive) == APFloat::opOK || least.isInfinity();
  Value *low = ConstantFP::get(type, least);
  Value *is_above = is_exact ? builder_.CreateFCmpOGT(from, low) : builder_.CreateFCmpOGE(from, low);
  Value *is_inside = builder_.CreateAnd(is_above, builder_.CreateFCmpOLT(from, ConstantFP::get(type, most)));
  mark(builder_.CreateNot(is_inside), from, nullptr, is_signed ? UPSWEEP_CONVERT_TO_SIGNED : UPSWEEP_CONVERT_TO_UNSIGNED,
       result_bits);
}

/// A reservation's bits have its size in the upper half; all of them are set in CLK_NULL_RESERVE_ID (builtins/pipes.cl).
void ArithmeticMarker::packet(Value *reservation, Value *index, UpsweepArithmetic operation) {
  Type *i64 = builder_.getInt64Ty();
  FunctionCallee callee =
      at_.getModule()->getOrInsertFunction(name_of(Ups::kReserveBits), FunctionType::get(i64, {reservation->getType()}, false));
  CallInst *bits = builder_.CreateCall(callee, {reservation});
  bits->setCallingConv(CallingConv::SPIR_FUNC);
  cast<Function>(callee.getCallee())->setCallingConv(CallingConv::SPIR_FUNC);
  Value *is_valid = builder_.CreateICmpNE(bits, Constant::getAllOnesValue(i64));
  Value *count = builder_.CreateSelect(is_valid, builder_.CreateLShr(bits, 32), builder_.getInt64(0));
  count = builder_.CreateTrunc(count, index->getType());
  mark(builder_.CreateICmpUGE(index, count), index, count, operation, bits_);
}

/// A call of convert_T() without _sat, by its mangled name: whether T is signed.
std::optional<bool> converts_to_signed(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || call.arg_size() != 1) return std::nullopt;
  StringRef name = callee->getName();
  unsigned length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length) || length > name.size()) return std::nullopt;
  name = name.take_front(length);
  if (!name.consume_front("convert_") || name.contains("_sat")) return std::nullopt;
  const bool is_unsigned = name.consume_front("u");
  for (const StringRef known : {"char", "short", "int", "long"})
    if (name.starts_with(known)) return !is_unsigned;
  return std::nullopt;
}

bool is_small(const Type &type) { return type.getScalarSizeInBits() <= kMostBits && type.isIntOrIntVectorTy(); }

void mark_call(CallInst &call) {
  const std::optional<bool> is_signed = converts_to_signed(call);
  if (!is_signed || !call.getArgOperand(0)->getType()->isFPOrFPVectorTy()) return;
  Value *from = call.getArgOperand(0);
  ArithmeticMarker(call, from->getType()).convert(from, call.getType(), *is_signed);
}

void mark_operation(BinaryOperator &operation) {
  if (!is_small(*operation.getType())) return;
  ArithmeticMarker marker(operation, operation.getType());
  const bool is_signed = isa<OverflowingBinaryOperator>(operation) && operation.hasNoSignedWrap();
  switch (operation.getOpcode()) {
  case Instruction::SDiv: return marker.divide(true, UPSWEEP_SIGNED_DIVIDE);
  case Instruction::SRem: return marker.divide(true, UPSWEEP_SIGNED_REMAINDER);
  case Instruction::UDiv: return marker.divide(false, UPSWEEP_UNSIGNED_DIVIDE);
  case Instruction::URem: return marker.divide(false, UPSWEEP_UNSIGNED_REMAINDER);
  case Instruction::Shl: return marker.shift(UPSWEEP_SHIFT_LEFT);
  case Instruction::LShr:
  case Instruction::AShr: return marker.shift(UPSWEEP_SHIFT_RIGHT);
  case Instruction::Add: return is_signed ? marker.overflow(Intrinsic::sadd_with_overflow, UPSWEEP_SIGNED_ADD) : void();
  case Instruction::Sub: return is_signed ? marker.overflow(Intrinsic::ssub_with_overflow, UPSWEEP_SIGNED_SUBTRACT) : void();
  case Instruction::Mul: return is_signed ? marker.overflow(Intrinsic::smul_with_overflow, UPSWEEP_SIGNED_MULTIPLY) : void();
  default: return;
  }
}

/// The call's operands: pipe, reservation, index, packet, size, alignment.
void mark_packet(CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee || call.arg_size() != 6) return;
  const bool reads = callee->getName() == "__read_pipe_4";
  if (!reads && callee->getName() != "__write_pipe_4") return;
  Value *index = call.getArgOperand(2);
  ArithmeticMarker(call, index->getType())
      .packet(call.getArgOperand(1), index, reads ? UPSWEEP_READ_PACKET : UPSWEEP_WRITE_PACKET);
}

}  // namespace

void mark_accesses(Module &module, Program &) {
  SmallVector<CallInst *, 8> calls;
  for (Function &function : module) {
    if (!function.isDeclaration()) function.addFnAttr(Attribute::NullPointerIsValid);
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction)) calls.push_back(call);
  }
  for (CallInst *call : calls) mark_packet(*call);
}

void mark_arithmetic(Module &module, Program &) {
  for (Function &function : module) {
    SmallVector<Instruction *, 64> all;
    for (Instruction &instruction : instructions(function)) all.push_back(&instruction);
    for (Instruction *instruction : all) {
      if (auto *operation = dyn_cast<BinaryOperator>(instruction)) {
        mark_operation(*operation);
      } else if (isa<FPToSIInst, FPToUIInst>(instruction)) {
        Value *from = instruction->getOperand(0);
        if (is_small(*instruction->getType()) && from->getType()->getScalarSizeInBits() <= kMostBits)
          ArithmeticMarker(*instruction, from->getType()).convert(from, instruction->getType(), isa<FPToSIInst>(instruction));
      } else if (auto *call = dyn_cast<CallInst>(instruction); call && !isa<IntrinsicInst>(call)) {
        mark_call(*call);
      }
    }
  }
}

}  // namespace upsweep::passes
