// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mark becomes __ups_check_index with a start that is outside exactly if the operation is in error. The operands travel as
// the pointer and the size.
#include "passes/cpu/check/check_arithmetic.h"

#include "base/arithmetic_abi.h"
#include "passes/cpu/check/access.h"
#include "passes/cpu/check/mark_arithmetic.h"
#include "passes/cpu/check/sites.h"

#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

uint64_t constant_of(const CallInst &mark, ArithmeticOperand operand) {
  return cast<ConstantInt>(mark.getArgOperand(operand))->getZExtValue();
}

const char *sign_of(uint64_t operation) {
  switch (operation) {
  case UPSWEEP_SIGNED_ADD: return "+";
  case UPSWEEP_SIGNED_SUBTRACT: return "-";
  case UPSWEEP_SIGNED_MULTIPLY: return "*";
  case UPSWEEP_SIGNED_DIVIDE:
  case UPSWEEP_UNSIGNED_DIVIDE: return "/";
  case UPSWEEP_SIGNED_REMAINDER:
  case UPSWEEP_UNSIGNED_REMAINDER: return "%";
  case UPSWEEP_SHIFT_LEFT: return "<<";
  case UPSWEEP_SHIFT_RIGHT: return ">>";
  case UPSWEEP_READ_PACKET: return "read";
  case UPSWEEP_WRITE_PACKET: return "write";
  default: return "conversion";
  }
}

void check(CallInst &mark, SiteTable &sites) {
  LLVMContext &context = mark.getContext();
  const auto bits = static_cast<unsigned>(constant_of(mark, kArithmeticBits));
  const bool is_float = constant_of(mark, kArithmeticIsFloat) != 0;
  SiteFacts facts;
  facts.kind = UPSWEEP_OBJECT_ARITHMETIC;
  facts.element = constant_of(mark, kArithmeticOperation);
  facts.object = sign_of(facts.element);
  facts.width = constant_of(mark, kArithmeticResultBits) / 8;
  facts.written = is_float ? (bits == 16   ? Type::getHalfTy(context)
                              : bits == 32 ? Type::getFloatTy(context)
                                           : Type::getDoubleTy(context))
                           : Type::getIntNTy(context, bits);
  IRBuilder<> builder(&mark);
  Value *fails = mark.getArgOperand(kArithmeticFails);
  if (const auto *known = dyn_cast<ConstantInt>(fails); known && known->isZero()) return;
  Value *none = builder.getInt64(0);
  Value *pointer = builder.CreateIntToPtr(mark.getArgOperand(kArithmeticFirst), builder.getPtrTy());
  Value *second = builder.CreateSelect(fails, mark.getArgOperand(kArithmeticSecond), none);
  add_check(
      builder, Ups::kCheckIndex,
      {pointer, builder.CreateSExt(fails, builder.getInt64Ty()), second, none, builder.getInt64(1), sites.site(mark, facts)});
}

}  // namespace

void check_arithmetic(Kernel &kernel, Program &program) {
  SiteTable sites(*kernel.item->getParent(), kernel.description.name);
  SmallVector<CallInst *, 32> marks;
  for (Instruction &instruction : instructions(*kernel.item))
    if (intrinsic_of(instruction) == Ups::kArithmetic) marks.push_back(cast<CallInst>(&instruction));
  for (CallInst *mark : marks) {
    check(*mark, sites);
    mark->eraseFromParent();
  }
  program.functions->clear(*kernel.item, kernel.item->getName());
}

}  // namespace upsweep::passes
