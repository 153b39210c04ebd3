// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces a generic pointer to the variables and casts that it may come from; null pointers belong to every space.
#include "passes/gpu/known_spaces.h"

#include "passes/gpu/gpu_kernels.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>

#include <optional>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// The origins of a pointer, followed through phis of loops.
class Origins {
public:
  explicit Origins(const Value *pointer) { follow(pointer); }

  /// The common space of all origins; empty if they differ or one is unknown.
  std::optional<unsigned> space() {
    while (!open_.empty() && !unknown_) step(open_.pop_back_val());
    return unknown_ ? std::nullopt : space_;
  }

private:
  void follow(const Value *value) {
    if (seen_.insert(value).second) open_.push_back(value);
  }
  void found(unsigned space) {
    unknown_ |= space_.value_or(space) != space;
    space_ = space;
  }
  void step(const Value *value);

  SmallPtrSet<const Value *, 8> seen_;
  SmallVector<const Value *, 8> open_;
  std::optional<unsigned> space_;
  bool unknown_ = false;
};

void Origins::step(const Value *value) {
  const unsigned space = value->getType()->getScalarType()->getPointerAddressSpace();
  if (isa<ConstantPointerNull, UndefValue>(value)) return;
  if (space != kNvptxGeneric) {
    found(space);
  } else if (isa<AllocaInst>(value)) {
    found(kNvptxLocal);
  } else if (const auto *argument = dyn_cast<Argument>(value); argument && argument->hasByValAttr()) {
    found(kNvptxLocal);  // the back end copies it there, or reads the parameter in place
  } else if (isa<GlobalVariable>(value)) {
    found(kNvptxGlobal);  // the back end puts it there
  } else if (const auto *place = dyn_cast<GEPOperator>(value)) {
    follow(place->getPointerOperand());
  } else if (const auto *cast = dyn_cast<AddrSpaceCastOperator>(value)) {
    follow(cast->getPointerOperand());
  } else if (const auto *phi = dyn_cast<PHINode>(value)) {
    for (const Value *incoming : phi->incoming_values()) follow(incoming);
  } else if (const auto *select = dyn_cast<SelectInst>(value)) {
    follow(select->getTrueValue());
    follow(select->getFalseValue());
  } else if (const auto *freeze = dyn_cast<FreezeInst>(value)) {
    follow(freeze->getOperand(0));
  } else {
    unknown_ = true;
  }
}

/// Whether a cast leads from one space to another; `pointer` may be generic if its space is known.
bool is_foreign(const Value *pointer, unsigned to) {
  if (to == kNvptxGeneric) return false;
  const std::optional<unsigned> from = Origins(pointer).space();
  return from && *from != to;
}

/// The constant, with foreign casts in it replaced.
Constant *without_foreign_casts(Constant *constant) {
  auto *expression = dyn_cast<ConstantExpr>(constant);
  if (!expression) return constant;
  if (expression->getOpcode() == Instruction::AddrSpaceCast &&
      is_foreign(expression->getOperand(0), expression->getType()->getPointerAddressSpace()))
    return Constant::getNullValue(expression->getType());
  SmallVector<Constant *, 4> operands;
  bool differs = false;
  for (const Use &operand : expression->operands()) {
    operands.push_back(without_foreign_casts(cast<Constant>(operand.get())));
    differs |= operands.back() != operand.get();
  }
  return differs ? expression->getWithOperands(operands) : expression;
}

}  // namespace

PreservedAnalyses AnswerSpaces::run(Function &function, FunctionAnalysisManager &) {
  bool answered = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *question = dyn_cast<IntrinsicInst>(&instruction);
    if (!question) continue;
    const Intrinsic::ID id = question->getIntrinsicID();
    if (id != Intrinsic::nvvm_isspacep_shared && id != Intrinsic::nvvm_isspacep_local) continue;
    const std::optional<unsigned> space = Origins(question->getArgOperand(0)).space();
    if (!space) continue;
    const unsigned wanted = id == Intrinsic::nvvm_isspacep_shared ? kNvptxShared : kNvptxLocal;
    question->replaceAllUsesWith(ConstantInt::getBool(question->getContext(), *space == wanted));
    question->eraseFromParent();
    answered = true;
  }
  if (!answered) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

void remove_foreign_casts(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      for (Use &operand : instruction.operands())
        if (auto *constant = dyn_cast<ConstantExpr>(operand.get())) operand.set(without_foreign_casts(constant));
      auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction);
      if (!cast || cast->getType()->isVectorTy() || !is_foreign(cast->getPointerOperand(), cast->getDestAddressSpace()))
        continue;
      cast->replaceAllUsesWith(Constant::getNullValue(cast->getType()));
      cast->eraseFromParent();
    }
}

}  // namespace upsweep::passes
