// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relational instructions, and the choice between two values.
#include "compiler/spirv/code.h"

#include "llvm/IR/Intrinsics.h"

namespace upsweep::compiler::spirv {
namespace {

using Predicate = llvm::CmpInst::Predicate;

template <Predicate kPredicate>
void compare(Code &code, const Instruction &i) {
  const Value a = code.value(i, 0), b = code.value(i, 1);
  constexpr bool kIsFloat = kPredicate <= llvm::CmpInst::LAST_FCMP_PREDICATE;
  const bool is_pointer = !kIsFloat && a.type->is_pointer();
  require(a.llvm->getType() == b.llvm->getType() &&
              (kIsFloat ? a.type->is_float() : a.type->is_integer() || a.type->is_bool() || is_pointer),
          "the operands are not two numbers of one type");
  code.define(i, code.build.CreateCmp(kPredicate, a.llvm, b.llvm));
}

Value float_operand(Code &code, const Instruction &i, size_t index) {
  const Value value = code.value(i, index);
  require(value.type->is_float(), "an operand is no floating-point number");
  return value;
}

/// is.fpclass: signalling and quiet NaN 3, infinities 0x204, normal 0x108, finite 0x1f8.
template <unsigned kClasses>
void classify(Code &code, const Instruction &i) {
  const Value a = float_operand(code, i, 0);
  code.define(i,
              code.build.CreateIntrinsic(llvm::Intrinsic::is_fpclass, {a.type->llvm}, {a.llvm, code.build.getInt32(kClasses)}));
}

void sign_bit(Code &code, const Instruction &i) {
  const Value a = float_operand(code, i, 0);
  llvm::Type *bits = a.type->llvm->getWithNewType(code.build.getIntNTy(a.type->scalar().width));
  code.define(i, code.build.CreateICmpSLT(code.build.CreateBitCast(a.llvm, bits), llvm::Constant::getNullValue(bits)));
}

void any_or_all(Code &code, const Instruction &i) {
  const Value a = code.value(i, 0);
  require(a.type->is_bool() && a.type->is_vector(), "the operand is no vector of Bool");
  // Vector code has each component in a mask, and would take an intrinsic of a whole vector apart by lanes.
  llvm::Value *made = code.build.CreateExtractElement(a.llvm, uint64_t{0});
  for (unsigned k = 1; k < a.type->lanes(); ++k) {
    llvm::Value *component = code.build.CreateExtractElement(a.llvm, k);
    made = i.op == Op::OpAny ? code.build.CreateOr(made, component) : code.build.CreateAnd(made, component);
  }
  code.define(i, made);
}

void select(Code &code, const Instruction &i) {
  const Value condition = code.value(i, 0), a = code.value(i, 1), b = code.value(i, 2);
  require(condition.type->is_bool() && a.type == b.type, "the condition is not Bool, or the operands have different types");
  require(!condition.type->is_vector() || condition.type->lanes() == a.type->lanes(),
          "the condition has more or fewer components than the operands");
  code.define(i, code.build.CreateSelect(condition.llvm, a.llvm, b.llvm));
}

}  // namespace

void add_relations(Handlers &table) {
  const auto add = [&](Op op, Handler handler) { table[static_cast<uint32_t>(op)] = handler; };
  add(Op::OpIEqual, compare<Predicate::ICMP_EQ>);
  add(Op::OpINotEqual, compare<Predicate::ICMP_NE>);
  add(Op::OpLogicalEqual, compare<Predicate::ICMP_EQ>);
  add(Op::OpUGreaterThan, compare<Predicate::ICMP_UGT>);
  add(Op::OpSGreaterThan, compare<Predicate::ICMP_SGT>);
  add(Op::OpUGreaterThanEqual, compare<Predicate::ICMP_UGE>);
  add(Op::OpSGreaterThanEqual, compare<Predicate::ICMP_SGE>);
  add(Op::OpULessThan, compare<Predicate::ICMP_ULT>);
  add(Op::OpSLessThan, compare<Predicate::ICMP_SLT>);
  add(Op::OpULessThanEqual, compare<Predicate::ICMP_ULE>);
  add(Op::OpSLessThanEqual, compare<Predicate::ICMP_SLE>);
  add(Op::OpFOrdEqual, compare<Predicate::FCMP_OEQ>);
  add(Op::OpFUnordEqual, compare<Predicate::FCMP_UEQ>);
  add(Op::OpFOrdNotEqual, compare<Predicate::FCMP_ONE>);
  add(Op::OpLessOrGreater, compare<Predicate::FCMP_ONE>);
  add(Op::OpFUnordNotEqual, compare<Predicate::FCMP_UNE>);
  add(Op::OpFOrdLessThan, compare<Predicate::FCMP_OLT>);
  add(Op::OpFUnordLessThan, compare<Predicate::FCMP_ULT>);
  add(Op::OpFOrdGreaterThan, compare<Predicate::FCMP_OGT>);
  add(Op::OpFUnordGreaterThan, compare<Predicate::FCMP_UGT>);
  add(Op::OpFOrdLessThanEqual, compare<Predicate::FCMP_OLE>);
  add(Op::OpFUnordLessThanEqual, compare<Predicate::FCMP_ULE>);
  add(Op::OpFOrdGreaterThanEqual, compare<Predicate::FCMP_OGE>);
  add(Op::OpFUnordGreaterThanEqual, compare<Predicate::FCMP_UGE>);
  add(Op::OpOrdered, compare<Predicate::FCMP_ORD>);
  add(Op::OpUnordered, compare<Predicate::FCMP_UNO>);
  add(Op::OpIsNan, classify<llvm::fcNan>);
  add(Op::OpIsInf, classify<llvm::fcInf>);
  add(Op::OpIsFinite, classify<llvm::fcFinite>);
  add(Op::OpIsNormal, classify<llvm::fcNormal>);
  add(Op::OpSignBitSet, sign_bit);
  add(Op::OpAny, any_or_all);
  add(Op::OpAll, any_or_all);
  add(Op::OpSelect, select);
}

}  // namespace upsweep::compiler::spirv
