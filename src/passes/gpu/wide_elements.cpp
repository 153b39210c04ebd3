// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The low bits of sums and products depend only on the operands' low bits, so no extension is needed in between: bits above an
// element's width are never read.
#include "passes/gpu/wide_elements.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace upsweep::passes {
namespace {

using Elements = SmallVector<Value *, 16>;

unsigned count(const Value &value) { return cast<FixedVectorType>(value.getType())->getNumElements(); }

bool can_be_wide(const Value &value) {
  const auto *type = dyn_cast<FixedVectorType>(value.getType());
  if (!type || !(type->getElementType()->isIntegerTy(8) || type->getElementType()->isIntegerTy(16))) return false;
  const auto *operation = dyn_cast<BinaryOperator>(&value);
  return isa<PHINode>(value) ||
         (operation && is_contained({Instruction::Add, Instruction::Sub, Instruction::Mul}, operation->getOpcode()));
}

/// Finds products, and the operations connected with them.
SetVector<Instruction *> find_members(Function &function) {
  SetVector<Instruction *> members;
  for (Instruction &instruction : instructions(function))
    if (instruction.getOpcode() == Instruction::Mul && can_be_wide(instruction)) members.insert(&instruction);
  for (size_t i = 0; i < members.size(); ++i) {
    Instruction *member = members[i];
    for (Value *operand : member->operands())
      if (can_be_wide(*operand)) members.insert(cast<Instruction>(operand));
    for (User *user : member->users())
      if (can_be_wide(*user)) members.insert(cast<Instruction>(user));
  }
  return members;
}

/// Makes the elements of each value, starting with the members.
class Widener {
public:
  explicit Widener(Function &function, const SetVector<Instruction *> &members)
      : function_(function), members_(members), wide_(Type::getInt32Ty(function.getContext())) {}

  void make() {
    for (Instruction *member : members_)
      if (auto *phi = dyn_cast<PHINode>(member)) make_phis(*phi);
    const ReversePostOrderTraversal<Function *> order(&function_);
    for (BasicBlock *block : order)
      for (Instruction &instruction : *block)
        if (isa<BinaryOperator>(instruction) && members_.contains(&instruction)) make_operations(instruction);
    for (Instruction *member : members_)
      if (auto *phi = dyn_cast<PHINode>(member)) fill_phis(*phi);
    for (Instruction *member : members_) replace(*member);
    for (Instruction *member : members_) member->replaceAllUsesWith(PoisonValue::get(member->getType()));
    for (Instruction *member : members_) member->eraseFromParent();
  }

private:
  void make_phis(PHINode &phi) {
    IRBuilder<> builder(&phi);
    Elements &made = elements_[&phi];
    for (unsigned i = 0; i < count(phi); ++i) made.push_back(builder.CreatePHI(wide_, phi.getNumIncomingValues()));
  }

  void fill_phis(PHINode &phi) {
    const Elements phis = elements_.lookup(&phi);
    for (unsigned i = 0; i < phis.size(); ++i)
      for (unsigned from = 0; from < phi.getNumIncomingValues(); ++from)
        cast<PHINode>(phis[i])->addIncoming(element(*phi.getIncomingValue(from), i), phi.getIncomingBlock(from));
  }

  void make_operations(Instruction &operation) {
    Elements made;
    for (unsigned i = 0; i < count(operation); ++i) {
      Value *left = element(*operation.getOperand(0), i), *right = element(*operation.getOperand(1), i);
      IRBuilder<> builder(&operation);
      made.push_back(builder.CreateBinOp(static_cast<Instruction::BinaryOps>(operation.getOpcode()), left, right));
    }
    elements_[&operation] = std::move(made);
  }

  /// Element `i` of a vector, in 32 bits, computed at the vector's definition.
  Value *element(Value &vector, unsigned i) {
    if (const auto found = elements_.find(&vector); found != elements_.end()) return found->second[i];
    Value *other = nullptr, *scalar = nullptr;
    uint64_t at = 0;
    if (match(&vector, m_InsertElt(m_Value(other), m_Value(scalar), m_ConstantInt(at))))
      return at == i ? widen(*scalar) : element(*other, i);
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&vector)) {
      const int from = shuffle->getMaskValue(i);
      if (from < 0) return PoisonValue::get(wide_);
      const unsigned size = count(*shuffle->getOperand(0)), index = static_cast<unsigned>(from);
      return index < size ? element(*shuffle->getOperand(0), index) : element(*shuffle->getOperand(1), index - size);
    }
    if (auto *constant = dyn_cast<Constant>(&vector))
      if (Constant *scalar_constant = constant->getAggregateElement(i)) return widen(*scalar_constant);
    Elements made;
    for (unsigned k = 0; k < count(vector); ++k) {
      IRBuilder<> builder(wide_->getContext());
      set_after(builder, vector);
      made.push_back(builder.CreateZExt(builder.CreateExtractElement(&vector, k), wide_));
    }
    return elements_.try_emplace(&vector, std::move(made)).first->second[i];
  }

  Value *widen(Value &scalar) {
    Value *wide = nullptr;
    if (match(&scalar, m_Trunc(m_Value(wide))) && wide->getType() == wide_) return wide;
    if (isa<PoisonValue>(scalar)) return PoisonValue::get(wide_);
    if (auto *number = dyn_cast<ConstantInt>(&scalar)) return ConstantInt::get(wide_, number->getZExtValue());
    Value *&made = scalars_[&scalar];
    if (!made) {
      IRBuilder<> builder(wide_->getContext());
      set_after(builder, scalar);
      made = builder.CreateZExt(&scalar, wide_);
    }
    return made;
  }

  void set_after(IRBuilder<> &builder, Value &value) {
    if (auto *instruction = dyn_cast<Instruction>(&value))
      builder.SetInsertPoint(instruction->getParent(), *instruction->getInsertionPointAfterDef());
    else
      builder.SetInsertPoint(&function_.getEntryBlock(), function_.getEntryBlock().getFirstInsertionPt());
  }

  /// Replaces the member's uses elsewhere by its elements or the vector.
  void replace(Instruction &member) {
    const Elements made = elements_.lookup(&member);
    Type *narrow = cast<FixedVectorType>(member.getType())->getElementType();
    Value *vector = nullptr;
    const SetVector<User *> users(member.user_begin(), member.user_end());  // a user may use it twice
    for (User *user : users) {
      auto *instruction = cast<Instruction>(user);
      if (members_.contains(instruction)) continue;
      uint64_t at = 0;
      if (match(instruction, m_ExtractElt(m_Specific(&member), m_ConstantInt(at))) && at < made.size()) {
        IRBuilder<> builder(instruction);
        instruction->replaceAllUsesWith(builder.CreateTrunc(made[at], narrow));
        instruction->eraseFromParent();
        continue;
      }
      if (!vector) {
        IRBuilder<> builder(wide_->getContext());
        set_after(builder, member);
        vector = PoisonValue::get(member.getType());
        for (unsigned i = 0; i < made.size(); ++i)
          vector = builder.CreateInsertElement(vector, builder.CreateTrunc(made[i], narrow), i);
      }
      instruction->replaceUsesOfWith(&member, vector);
    }
  }

  Function &function_;
  const SetVector<Instruction *> &members_;
  Type *wide_;
  DenseMap<Value *, Elements> elements_;
  DenseMap<Value *, Value *> scalars_;
};

}  // namespace

void widen_elements(Function &function) {
  if (function.isDeclaration()) return;
  const SetVector<Instruction *> members = find_members(function);
  if (!members.empty()) Widener(function, members).make();
}

}  // namespace upsweep::passes
