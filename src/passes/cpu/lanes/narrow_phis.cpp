// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the phis, and computes their incoming values in the narrow type.
#include "passes/cpu/lanes/narrow_phis.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace upsweep::passes {
namespace {

constexpr unsigned kMostDepth = 6;  // of an index's expression; deeper values are truncated

/// The number of low bits that a user depends on: those of a truncation, or of a mask of low bits; otherwise 0.
unsigned bits_used(const User *user) {
  if (auto *cut = dyn_cast<TruncInst>(user)) return cut->getType()->getScalarSizeInBits();
  const APInt *mask = nullptr;
  return match(user, m_And(m_Value(), m_APInt(mask))) && mask->isMask() ? mask->countr_one() : 0;
}

/// The width that suffices for all users: a power of two, at least 8 bits and below the phi's width; otherwise 0.
unsigned narrow_width(const PHINode &phi) {
  if (!phi.getType()->isIntegerTy()) return 0;
  unsigned width = 0;
  for (const User *user : phi.users()) {
    unsigned bits = bits_used(user);
    if (bits == 0 || (width != 0 && bits != width)) return 0;
    width = bits;
  }
  return width >= 8 && isPowerOf2_32(width) && width < phi.getType()->getIntegerBitWidth() ? width : 0;
}

/// Computes the low bits of a value from the low bits of its operands, for addition and similar operations.
class Narrower {
public:
  Narrower(PHINode &wide, PHINode &narrow) : wide_(wide), narrow_(narrow) {}

  Value *low(Value *value, IRBuilder<> &builder, unsigned depth = 0) {
    Type *type = narrow_.getType();
    if (value == &wide_) return &narrow_;
    Value *inner = nullptr;
    if (match(value, m_ZExtOrSExt(m_Value(inner))) && inner->getType() == type) return inner;
    const APInt *mask = nullptr;
    if (match(value, m_And(m_Value(inner), m_APInt(mask))) && mask->countr_one() >= type->getIntegerBitWidth())
      return low(inner, builder, depth);
    auto *operation = dyn_cast<BinaryOperator>(value);
    if (operation && depth < kMostDepth) {
      unsigned opcode = operation->getOpcode();
      if (opcode == Instruction::Add || opcode == Instruction::Sub || opcode == Instruction::Mul)
        return builder.CreateBinOp(operation->getOpcode(), low(operation->getOperand(0), builder, depth + 1),
                                   low(operation->getOperand(1), builder, depth + 1));
    }
    return builder.CreateTrunc(value, type);
  }

private:
  PHINode &wide_;
  PHINode &narrow_;
};

void narrow(PHINode &phi, unsigned width) {
  Type *type = IntegerType::get(phi.getContext(), width);
  auto *made = PHINode::Create(type, phi.getNumIncomingValues(), phi.getName() + ".low", phi.getIterator());
  Narrower narrower(phi, *made);
  SmallDenseMap<BasicBlock *, Value *, 4> lows;  // a block with several edges here has one value
  for (auto [value, block] : zip(phi.incoming_values(), phi.blocks())) {
    Value *&low = lows[block];
    IRBuilder<> builder(block->getTerminator());
    if (!low) low = narrower.low(value, builder);
    made->addIncoming(low, block);
  }
  for (User *user : make_early_inc_range(phi.users())) {
    auto *use = cast<Instruction>(user);
    IRBuilder<> builder(use);
    use->replaceAllUsesWith(builder.CreateZExt(made, use->getType()));
    use->eraseFromParent();
  }
  phi.eraseFromParent();
}

}  // namespace

bool narrow_phis(Function &function) {
  SmallVector<PHINode *, 8> phis;
  for (BasicBlock &block : function)
    for (PHINode &phi : block.phis()) phis.push_back(&phi);
  bool changed = false;
  for (PHINode *phi : phis) {
    unsigned width = narrow_width(*phi);
    if (width == 0) continue;
    narrow(*phi, width);
    changed = true;
  }
  return changed;
}

}  // namespace upsweep::passes
