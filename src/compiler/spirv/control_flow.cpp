// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control-flow and function instructions, and instructions without effect.
#include "compiler/spirv/code.h"
#include "passes/common/link_builtins.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Intrinsics.h"

namespace upsweep::compiler::spirv {
namespace {

void phi(Code &code, const Instruction &i) {
  const Type &type = code.type(i.type);
  require(type.bytes != 0, "a value of this type cannot exist");
  const llvm::BasicBlock &block = *code.build.GetInsertBlock();
  require(block.empty() || llvm::isa<llvm::PHINode>(block.back()), "a phi stands behind another instruction");
  code.define_phi(i, *code.build.CreatePHI(type.llvm, static_cast<unsigned>(i.size() / 2)));
}

void branch(Code &code, const Instruction &i) { code.build.CreateBr(&code.block(i.at(0))); }

void conditional(Code &code, const Instruction &i) {
  const Value condition = code.value(i, 0);
  require(condition.type->is(Op::OpTypeBool), "a condition is not of type Bool");
  require(i.size() == 3 || i.size() == 5, "a branch has one weight");
  code.build.CreateCondBr(condition.llvm, &code.block(i.at(1)), &code.block(i.at(2)));
}

void choose(Code &code, const Instruction &i) {
  const Value selector = code.value(i, 0);
  require(selector.type->is(Op::OpTypeInt), "a selector is no integer");
  const size_t words = switch_words(code.reader, i);
  llvm::SwitchInst *made =
      code.build.CreateSwitch(selector.llvm, &code.block(i.at(1)), static_cast<unsigned>(i.size() / (words + 1)));
  llvm::DenseSet<uint64_t> labels;
  for (size_t k = 2; k < i.size(); k += words + 1) {
    const uint64_t bits = i.at(k) | (words > 1 ? static_cast<uint64_t>(i.at(k + 1)) << 32 : 0);
    auto *label = llvm::cast<llvm::ConstantInt>(
        llvm::ConstantInt::get(selector.type->llvm, llvm::APInt(64, bits).zextOrTrunc(selector.type->width)));
    // The two largest numbers are DenseSet's own.
    const bool is_own = label->getZExtValue() >= UINT64_MAX - 1;
    require(is_own ? made->findCaseValue(label) == made->case_default() : labels.insert(label->getZExtValue()).second,
            "a switch has two labels of one value");
    made->addCase(label, &code.block(i.at(k + words)));
  }
}

void end(Code &code, const Instruction &i) {
  llvm::Type *result = code.function.getReturnType();
  if (i.op == Op::OpUnreachable) {
    code.build.CreateUnreachable();
  } else if (i.op == Op::OpReturn) {
    require(result->isVoidTy(), "a function returns without its value");
    code.build.CreateRetVoid();
  } else {
    const Value value = code.value(i, 0);
    require(value.llvm->getType() == result, "a function returns a value of another type");
    code.build.CreateRet(value.llvm);
  }
}

/// Intrinsics of LLVM that translators leave as imported functions: arithmetic alone.
bool is_arithmetic_intrinsic(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::abs:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::sadd_sat:
  case llvm::Intrinsic::uadd_sat:
  case llvm::Intrinsic::ssub_sat:
  case llvm::Intrinsic::usub_sat:
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr:
  case llvm::Intrinsic::bswap:
  case llvm::Intrinsic::bitreverse:
  case llvm::Intrinsic::ctpop:
  case llvm::Intrinsic::fabs:
  case llvm::Intrinsic::copysign:
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fmuladd:
  case llvm::Intrinsic::floor:
  case llvm::Intrinsic::ceil:
  case llvm::Intrinsic::trunc:
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::sqrt: return true;
  default: return false;
  }
}

void call(Code &code, const Instruction &i) {
  llvm::Function &callee = code.reader.function(i.at(0));
  require(callee.getCallingConv() != llvm::CallingConv::SPIR_KERNEL, "an entry point is called");
  llvm::SmallVector<llvm::Value *, 8> arguments;
  require(i.size() - 1 == callee.arg_size(), "a call has more or fewer arguments than its function");
  for (size_t k = 1; k < i.size(); ++k) {
    arguments.push_back(code.value(i, k).llvm);
    require(arguments.back()->getType() == callee.getArg(static_cast<unsigned>(k - 1))->getType(),
            "an argument has another type than its parameter");
  }
  if (callee.getName().starts_with("llvm.") && !is_arithmetic_intrinsic(callee.getIntrinsicID()))
    throw Invalid("the module imports " + callee.getName().str() + ", which is not supported");
  llvm::CallInst *made = code.build.CreateCall(&callee, arguments);
  made->setCallingConv(callee.getCallingConv());
  made->setAttributes(callee.getAttributes().removeFnAttribute(code.reader.context(), passes::kFirstUse));
  if (callee.isDeclaration() && !callee.isIntrinsic() && !callee.hasFnAttribute(passes::kFirstUse))
    if (const std::string place = code.reader.place_of(i); !place.empty()) callee.addFnAttr(passes::kFirstUse, place);
  if (i.type != 0 && callee.getReturnType()->isVoidTy()) {
    require(code.type(i.type).is(Op::OpTypeVoid), "a call of a function without a result has one");
    return;
  }
  code.define(i, made);
}

void nothing(Code &, const Instruction &) {}

void undefined(Code &code, const Instruction &i) {
  require(code.type(i.type).bytes != 0, "a value of this type cannot exist");
  code.define(i, llvm::UndefValue::get(code.type(i.type).llvm));
}

void assume(Code &code, const Instruction &i) {
  const Value condition = code.value(i, 0);
  require(condition.type->is(Op::OpTypeBool), "a condition is not of type Bool");
  code.build.CreateAssumption(condition.llvm);
}

void expect(Code &code, const Instruction &i) {
  const Value value = code.value(i, 0), expected = code.value(i, 1);
  require(value.type == expected.type && (value.type->is_integer() || value.type->is_bool()),
          "the operands are not two integers of one type");
  if (value.type->is_vector()) return code.define(i, value.llvm);
  code.define(i, code.build.CreateIntrinsic(llvm::Intrinsic::expect, {value.type->llvm}, {value.llvm, expected.llvm}));
}

}  // namespace

size_t switch_words(const Reader &reader, const Instruction &i) {
  const Type &selector = reader.result_type(i.at(0));
  require(selector.is(Op::OpTypeInt), "a selector is no integer");
  const size_t words = selector.width > 32 ? 2 : 1;
  require(i.size() >= 2 && (i.size() - 2) % (words + 1) == 0, "a switch has a label without a block");
  return words;
}

void add_control_flow(Handlers &table) {
  const auto add = [&](Op op, Handler handler) { table[static_cast<uint32_t>(op)] = handler; };
  add(Op::OpPhi, phi);
  add(Op::OpBranch, branch);
  add(Op::OpBranchConditional, conditional);
  add(Op::OpSwitch, choose);
  for (const Op op : {Op::OpReturn, Op::OpReturnValue, Op::OpUnreachable}) add(op, end);
  add(Op::OpFunctionCall, call);
  add(Op::OpUndef, undefined);
  add(Op::OpAssumeTrueKHR, assume);
  add(Op::OpExpectKHR, expect);
  for (const Op op : {Op::OpNop, Op::OpLine, Op::OpNoLine, Op::OpLoopMerge, Op::OpSelectionMerge, Op::OpLoopControlINTEL})
    add(op, nothing);
}

}  // namespace upsweep::compiler::spirv
