// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic, bit and logical instructions.
#include "compiler/spirv/code.h"

#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"

namespace upsweep::compiler::spirv {
namespace {

using Operations = llvm::Instruction;

llvm::FastMathFlags fast_flags(const Reader &reader, uint32_t id) {
  llvm::FastMathFlags flags;
  if (reader.contracts()) flags.setAllowContract();
  const Decoration *found = reader.decoration(id, spv::Decoration::FPFastMathMode);
  if (!found || found->words.empty()) return flags;
  constexpr uint32_t kNotNaN = 1, kNotInf = 2, kNoSignedZero = 4, kReciprocal = 8, kFast = 16, kContract = 0x10000,
                     kReassociate = 0x20000;
  const uint32_t mode = found->words[0];
  if (mode & kNotNaN) flags.setNoNaNs();
  if (mode & kNotInf) flags.setNoInfs();
  if (mode & kNoSignedZero) flags.setNoSignedZeros();
  if (mode & kReciprocal) flags.setAllowReciprocal();
  if (mode & kContract) flags.setAllowContract();
  if (mode & kReassociate) flags.setAllowReassoc();
  if (mode & kFast) flags.setFast();
  return flags;
}

void set_flags(const Code &code, const Instruction &i, llvm::Value *value) {
  auto *made = llvm::dyn_cast<llvm::Instruction>(value);
  if (made && llvm::isa<llvm::FPMathOperator>(made)) {
    made->setFastMathFlags(fast_flags(code.reader, i.result));
    // OpenCL's bound for divisions of float, 2.5 ULP.
    if (made->getOpcode() == Operations::FDiv && made->getType()->getScalarType()->isFloatTy())
      made->setMetadata(llvm::LLVMContext::MD_fpmath, llvm::MDBuilder(code.reader.context()).createFPMath(2.5F));
  } else if (made && llvm::isa<llvm::OverflowingBinaryOperator>(made)) {
    made->setHasNoSignedWrap(code.reader.has(i.result, spv::Decoration::NoSignedWrap));
    made->setHasNoUnsignedWrap(code.reader.has(i.result, spv::Decoration::NoUnsignedWrap));
  }
}

Value number_operand(Code &code, const Instruction &i, size_t index, bool is_float) {
  const Value value = code.value(i, index);
  require(is_float ? value.type->is_float() : value.type->is_integer(),
          is_float ? "an operand is no floating-point number" : "an operand is no integer");
  return value;
}

template <llvm::Instruction::BinaryOps kOperation, bool kIsFloat>
void binary(Code &code, const Instruction &i) {
  const Value a = number_operand(code, i, 0, kIsFloat), b = number_operand(code, i, 1, kIsFloat);
  llvm::Value *right = b.llvm;
  constexpr bool kIsShift = kOperation == Operations::Shl || kOperation == Operations::LShr || kOperation == Operations::AShr;
  // A shift's amount may have another width than its base.
  if (kIsShift && a.type->lanes() == b.type->lanes()) right = code.build.CreateZExtOrTrunc(right, a.type->llvm);
  require(a.llvm->getType() == right->getType(), "the operands have different types");
  llvm::Value *made = code.build.CreateBinOp(kOperation, a.llvm, right);
  set_flags(code, i, made);
  code.define(i, made);
}

/// Division by zero, and of the least integer by -1, has an undefined result, not an exception: the passes care for that.
void negate(Code &code, const Instruction &i) {
  const bool is_float = i.op == Op::OpFNegate;
  const Value a = number_operand(code, i, 0, is_float);
  llvm::Value *made = is_float ? code.build.CreateFNeg(a.llvm) : code.build.CreateNeg(a.llvm);
  set_flags(code, i, made);
  code.define(i, made);
}

/// The result has the sign of the divisor.
void signed_modulus(Code &code, const Instruction &i) {
  const Value a = number_operand(code, i, 0, false), b = number_operand(code, i, 1, false);
  require(a.type == b.type, "the operands have different types");
  auto &build = code.build;
  llvm::Value *rest = build.CreateSRem(a.llvm, b.llvm);
  llvm::Value *zero = llvm::Constant::getNullValue(a.type->llvm);
  llvm::Value *differs = build.CreateICmpSLT(build.CreateXor(rest, b.llvm), zero);
  llvm::Value *wrong = build.CreateAnd(differs, build.CreateICmpNE(rest, zero));
  code.define(i, build.CreateAdd(rest, build.CreateSelect(wrong, b.llvm, zero)));
}

void float_remainder(Code &code, const Instruction &i) {
  const Value a = number_operand(code, i, 0, true), b = number_operand(code, i, 1, true);
  require(a.type == b.type, "the operands have different types");
  const CType type = code.c_type(*a.type, false);
  llvm::Value *rest = code.call("fmod", a.type->llvm, {a.llvm, b.llvm}, {type, type});
  if (i.op == Op::OpFMod) {
    auto &build = code.build;
    llvm::Value *zero = llvm::Constant::getNullValue(a.type->llvm);
    llvm::Value *differs = build.CreateXor(build.CreateFCmpOLT(rest, zero), build.CreateFCmpOLT(b.llvm, zero));
    llvm::Value *wrong = build.CreateAnd(differs, build.CreateFCmpONE(rest, zero));
    rest = build.CreateSelect(wrong, build.CreateFAdd(rest, b.llvm), rest);
  }
  code.define(i, rest);
}

void vector_times_scalar(Code &code, const Instruction &i) {
  const Value a = number_operand(code, i, 0, true), b = number_operand(code, i, 1, true);
  require(a.type->is_vector() && a.type->element == b.type, "the operands are no vector and its component");
  llvm::Value *made = code.build.CreateFMul(a.llvm, code.build.CreateVectorSplat(a.type->lanes(), b.llvm));
  set_flags(code, i, made);
  code.define(i, made);
}

void dot(Code &code, const Instruction &i) {
  const Value a = number_operand(code, i, 0, true), b = number_operand(code, i, 1, true);
  require(a.type == b.type && a.type->is_vector(), "the operands are not two vectors of one type");
  auto &build = code.build;
  llvm::Value *sum = nullptr;
  for (unsigned k = 0; k < a.type->lanes(); ++k) {
    llvm::Value *product = build.CreateFMul(build.CreateExtractElement(a.llvm, k), build.CreateExtractElement(b.llvm, k));
    set_flags(code, i, product);
    sum = sum ? build.CreateFAdd(sum, product) : product;
    if (k > 0) set_flags(code, i, sum);
  }
  code.define(i, sum);
}

/// The low and the high half of a sum, a difference or a product, as a structure of two.
void extended(Code &code, const Instruction &i) {
  const Value a = number_operand(code, i, 0, false), b = number_operand(code, i, 1, false);
  const Type &result = code.type(i.type);
  require(a.type == b.type && result.is(Op::OpTypeStruct) && result.members.size() == 2 && result.members[0] == a.type &&
              result.members[1] == a.type,
          "the result is no structure of two integers of the operands' type");
  auto &build = code.build;
  llvm::Value *low = nullptr, *high = nullptr;
  if (i.op == Op::OpIAddCarry || i.op == Op::OpISubBorrow) {
    const bool is_sum = i.op == Op::OpIAddCarry;
    low = is_sum ? build.CreateAdd(a.llvm, b.llvm) : build.CreateSub(a.llvm, b.llvm);
    high = build.CreateZExt(is_sum ? build.CreateICmpULT(low, a.llvm) : build.CreateICmpULT(a.llvm, b.llvm), a.type->llvm);
  } else {
    const bool is_signed = i.op == Op::OpSMulExtended;
    low = build.CreateMul(a.llvm, b.llvm);
    const CType type = code.c_type(*a.type, is_signed);
    high = code.call("mul_hi", a.type->llvm, {a.llvm, b.llvm}, {type, type});
  }
  llvm::Value *made = build.CreateInsertValue(llvm::PoisonValue::get(result.llvm), low, 0);
  code.define(i, build.CreateInsertValue(made, high, 1));
}

template <llvm::Instruction::BinaryOps kOperation>
void logical(Code &code, const Instruction &i) {
  const Value a = code.value(i, 0), b = code.value(i, 1);
  require(a.type == b.type && a.type->is_bool(), "the operands are not of type Bool");
  code.define(i, code.build.CreateBinOp(kOperation, a.llvm, b.llvm));
}

void invert(Code &code, const Instruction &i) {
  const Value a = code.value(i, 0);
  require(i.op == Op::OpNot ? a.type->is_integer() : a.type->is_bool(), "the operand has another type");
  code.define(i, code.build.CreateNot(a.llvm));
}

void bits(Code &code, const Instruction &i) {
  const Value a = number_operand(code, i, 0, false);
  auto &build = code.build;
  llvm::Value *made =
      build.CreateUnaryIntrinsic(i.op == Op::OpBitCount ? llvm::Intrinsic::ctpop : llvm::Intrinsic::bitreverse, a.llvm);
  const Type &result = code.type(i.type);
  require(result.is_integer() && result.lanes() == a.type->lanes(), "the result is no integer of as many components");
  code.define(i, build.CreateZExtOrTrunc(made, result.llvm));
}

llvm::Value *amount(Code &code, const Instruction &i, size_t index, const Type &type) {
  const Value value = number_operand(code, i, index, false);
  require(!value.type->is_vector(), "an offset or a count is a vector");
  llvm::Value *scalar = code.build.CreateZExtOrTrunc(value.llvm, type.scalar().llvm);
  return type.is_vector() ? code.build.CreateVectorSplat(type.lanes(), scalar) : scalar;
}

/// A mask of `count` low bits; a count of the whole width gives all bits.
llvm::Value *low_bits(Code &code, const Type &type, llvm::Value *count) {
  auto &build = code.build;
  llvm::Value *width = llvm::ConstantInt::get(type.llvm, type.scalar().width);
  llvm::Value *all = llvm::Constant::getAllOnesValue(type.llvm);
  llvm::Value *mask = build.CreateLShr(all, build.CreateSub(width, count));
  return build.CreateSelect(build.CreateICmpEQ(count, llvm::Constant::getNullValue(type.llvm)),
                            llvm::Constant::getNullValue(type.llvm), mask);
}

void insert_bits(Code &code, const Instruction &i) {
  const Value base = number_operand(code, i, 0, false), inserted = number_operand(code, i, 1, false);
  require(base.type == inserted.type, "the operands have different types");
  auto &build = code.build;
  llvm::Value *offset = amount(code, i, 2, *base.type);
  llvm::Value *mask = build.CreateShl(low_bits(code, *base.type, amount(code, i, 3, *base.type)), offset);
  llvm::Value *kept = build.CreateAnd(base.llvm, build.CreateNot(mask));
  llvm::Value *made = build.CreateOr(kept, build.CreateAnd(build.CreateShl(inserted.llvm, offset), mask));
  // An offset of the whole width goes with a count of 0, and changes nothing.
  code.define(
      i, build.CreateSelect(build.CreateICmpEQ(amount(code, i, 3, *base.type), llvm::Constant::getNullValue(base.type->llvm)),
                            base.llvm, made));
}

void extract_bits(Code &code, const Instruction &i) {
  const Value base = number_operand(code, i, 0, false);
  auto &build = code.build;
  llvm::Value *zero = llvm::Constant::getNullValue(base.type->llvm);
  llvm::Value *count = amount(code, i, 2, *base.type);
  llvm::Value *is_empty = build.CreateICmpEQ(count, zero);
  llvm::Value *made = nullptr;
  if (i.op == Op::OpBitFieldUExtract) {
    made = build.CreateAnd(build.CreateLShr(base.llvm, amount(code, i, 1, *base.type)), low_bits(code, *base.type, count));
  } else {
    llvm::Value *width = llvm::ConstantInt::get(base.type->llvm, base.type->scalar().width);
    llvm::Value *left = build.CreateSub(build.CreateSub(width, count), amount(code, i, 1, *base.type));
    made = build.CreateAShr(build.CreateShl(base.llvm, left), build.CreateSub(width, count));
  }
  code.define(i, build.CreateSelect(is_empty, zero, made));
}

}  // namespace

void add_arithmetic(Handlers &table) {
  const auto add = [&](Op op, Handler handler) { table[static_cast<uint32_t>(op)] = handler; };
  add(Op::OpIAdd, binary<Operations::Add, false>);
  add(Op::OpISub, binary<Operations::Sub, false>);
  add(Op::OpIMul, binary<Operations::Mul, false>);
  add(Op::OpUDiv, binary<Operations::UDiv, false>);
  add(Op::OpSDiv, binary<Operations::SDiv, false>);
  add(Op::OpUMod, binary<Operations::URem, false>);
  add(Op::OpSRem, binary<Operations::SRem, false>);
  add(Op::OpSMod, signed_modulus);
  add(Op::OpFAdd, binary<Operations::FAdd, true>);
  add(Op::OpFSub, binary<Operations::FSub, true>);
  add(Op::OpFMul, binary<Operations::FMul, true>);
  add(Op::OpFDiv, binary<Operations::FDiv, true>);
  add(Op::OpFRem, float_remainder);
  add(Op::OpFMod, float_remainder);
  add(Op::OpVectorTimesScalar, vector_times_scalar);
  add(Op::OpDot, dot);
  add(Op::OpSNegate, negate);
  add(Op::OpFNegate, negate);
  for (const Op op : {Op::OpIAddCarry, Op::OpISubBorrow, Op::OpUMulExtended, Op::OpSMulExtended}) add(op, extended);
  add(Op::OpShiftLeftLogical, binary<Operations::Shl, false>);
  add(Op::OpShiftRightLogical, binary<Operations::LShr, false>);
  add(Op::OpShiftRightArithmetic, binary<Operations::AShr, false>);
  add(Op::OpBitwiseOr, binary<Operations::Or, false>);
  add(Op::OpBitwiseXor, binary<Operations::Xor, false>);
  add(Op::OpBitwiseAnd, binary<Operations::And, false>);
  add(Op::OpNot, invert);
  add(Op::OpLogicalNot, invert);
  add(Op::OpLogicalOr, logical<Operations::Or>);
  add(Op::OpLogicalAnd, logical<Operations::And>);
  add(Op::OpLogicalNotEqual, logical<Operations::Xor>);
  add(Op::OpBitCount, bits);
  add(Op::OpBitReverse, bits);
  add(Op::OpBitFieldInsert, insert_bits);
  add(Op::OpBitFieldSExtract, extract_bits);
  add(Op::OpBitFieldUExtract, extract_bits);
}

}  // namespace upsweep::compiler::spirv
