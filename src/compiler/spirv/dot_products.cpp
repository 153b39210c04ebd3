// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_KHR_integer_dot_product: dot() and dot_acc_sat() of four bytes with a sum of 32 bits, and plain arithmetic for other
// types.
#include "compiler/spirv/code.h"

#include "llvm/IR/Intrinsics.h"

namespace upsweep::compiler::spirv {
namespace {

struct Operation {
  Op op;
  bool is_signed_a, is_signed_b, accumulates;
};
constexpr Operation kOperations[] = {
    {Op::OpSDot, true, true, false},      {Op::OpUDot, false, false, false},      {Op::OpSUDot, true, false, false},
    {Op::OpSDotAccSat, true, true, true}, {Op::OpUDotAccSat, false, false, true}, {Op::OpSUDotAccSat, true, false, true},
};

/// The two vectors, and their component's width.
struct Operands {
  llvm::Value *a, *b;
  unsigned lanes, width;
};

Operands operands_of(Code &code, const Instruction &i, bool accumulates) {
  const Value a = code.value(i, 0), b = code.value(i, 1);
  require(a.type->is_integer() && b.type->is_integer() && a.type->lanes() == b.type->lanes() &&
              a.type->scalar().width == b.type->scalar().width,
          "the operands are not two vectors of integers of one size");
  if (a.type->is_vector()) return {a.llvm, b.llvm, a.type->lanes(), a.type->scalar().width};
  const size_t format = accumulates ? 3 : 2;
  require(a.type->width == 32 && i.size() > format && i.at(format) == 0, "packed operands are not four bytes in 32 bits");
  auto *bytes = llvm::FixedVectorType::get(code.build.getInt8Ty(), 4);
  return {code.build.CreateBitCast(a.llvm, bytes), code.build.CreateBitCast(b.llvm, bytes), 4, 8};
}

llvm::Value *plain(Code &code, const Operation &how, const Operands &operands, const Type &result) {
  auto &build = code.build;
  auto *type = llvm::FixedVectorType::get(result.llvm, operands.lanes);
  llvm::Value *products = build.CreateMul(build.CreateIntCast(operands.a, type, how.is_signed_a),
                                          build.CreateIntCast(operands.b, type, how.is_signed_b));
  return build.CreateAddReduce(products);
}

void dot(Code &code, const Instruction &i) {
  for (const Operation &how : kOperations) {
    if (how.op != i.op) continue;
    const Operands operands = operands_of(code, i, how.accumulates);
    const Type &result = code.type(i.type);
    require(result.is(Op::OpTypeInt) && result.width >= operands.width,
            "the result is no integer that is as wide as the components");
    const bool is_signed = how.is_signed_a;
    const CType a = number(how.is_signed_a ? "c" : "h", 4), b = number(how.is_signed_b ? "c" : "h", 4),
                sum = number(is_signed ? "i" : "j");
    const bool is_fast = operands.lanes == 4 && operands.width == 8 && result.width == 32;
    if (!how.accumulates)
      return code.define(i, is_fast ? code.call("dot", result.llvm, {operands.a, operands.b}, {a, b})
                                    : plain(code, how, operands, result));
    const Value accumulator = code.value(i, 2);
    require(accumulator.type == &result, "the accumulator has another type than the result");
    if (is_fast)
      return code.define(i, code.call("dot_acc_sat", result.llvm, {operands.a, operands.b, accumulator.llvm}, {a, b, sum}));
    code.define(i, code.build.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::sadd_sat : llvm::Intrinsic::uadd_sat,
                                                    plain(code, how, operands, result), accumulator.llvm));
  }
}

}  // namespace

void add_dot_products(Handlers &table) {
  for (const Operation &each : kOperations) table[static_cast<uint32_t>(each.op)] = dot;
}

}  // namespace upsweep::compiler::spirv
