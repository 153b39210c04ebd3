// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peels off a vector of addresses what is the same for all lanes, tests the rest where it is defined, and branches at each
// access.
#include "passes/cpu/likely_rows.h"

#include "passes/cpu/lanes/likely_steps.h"

#include <llvm/Analysis/VectorUtils.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace upsweep::passes {
namespace {

constexpr uint32_t kRowWeight = 1000;    // against 1; for the layout of the code only
constexpr unsigned kMostAccesses = 128;  // of a function: each makes three blocks

/// A vector whose lanes are `step` apart wherever those of the addresses are an element apart.
struct Core {
  Value *vector;
  int64_t step;
};

/// All operations are of 64 bits, modulo 2^64, as addresses are.
Core core_of(Value *pointers, int64_t bytes, const DataLayout &layout) {
  Core core{pointers, bytes};
  const auto divide = [&](int64_t factor) {
    if (factor <= 0 || core.step % factor != 0) return false;
    core.step /= factor;
    return true;
  };
  while (true) {
    Value *next = nullptr;
    const APInt *factor = nullptr;
    if (auto *address = dyn_cast<GetElementPtrInst>(core.vector)) {
      // Neither may be a vector but the last index.
      Value *index = address->getNumIndices() == 1 ? address->getOperand(1) : nullptr;
      if (!index || !index->getType()->isVectorTy() || !index->getType()->getScalarType()->isIntegerTy(64)) return core;
      Value *base = address->getPointerOperand();
      if (base->getType()->isVectorTy() && !getSplatValue(base)) return core;
      const int64_t size = layout.getTypeAllocSize(address->getSourceElementType()).getFixedValue();
      if (!divide(size)) return core;
      next = index;
    } else if (!core.vector->getType()->isIntOrIntVectorTy()) {
      return core;
    } else if (Value *a = nullptr, *b = nullptr; match(core.vector, m_Add(m_Value(a), m_Value(b)))) {
      next = getSplatValue(a) ? b : getSplatValue(b) ? a : nullptr;
    } else if (match(core.vector, m_Shl(m_Value(a), m_APInt(factor))) && factor->ult(32)) {
      if (!divide(int64_t{1} << factor->getZExtValue())) return core;
      next = a;
    }
    if (!next) return core;
    core.vector = next;
  }
}

class Versions {
public:
  explicit Versions(Function &function) : function_(function) {}
  void make(IntrinsicInst &access);

private:
  Value *test_of(const Core &core);

  Function &function_;
  DenseMap<std::pair<Value *, int64_t>, Value *> tests_;
};

/// An i1: lane L has lane 0's value + L × step. Lanes that are inactive take part: theirs is mostly computed like the others'.
Value *Versions::test_of(const Core &core) {
  Value *&test = tests_[{core.vector, core.step}];
  if (test) return test;
  IRBuilder<> builder(function_.getContext());
  if (auto *instruction = dyn_cast<Instruction>(core.vector))
    builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
  else
    builder.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
  // An inactive lane's value may be poison.
  Value *vector = builder.CreateFreeze(core.vector);
  const unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
  if (vector->getType()->isPtrOrPtrVectorTy())
    vector = builder.CreatePtrToInt(vector, FixedVectorType::get(builder.getInt64Ty(), lanes));
  SmallVector<Constant *, 64> steps;
  for (unsigned lane = 0; lane < lanes; ++lane) steps.push_back(builder.getInt64(lane * static_cast<uint64_t>(core.step)));
  Value *first = builder.CreateVectorSplat(lanes, builder.CreateExtractElement(vector, uint64_t{0}));
  Value *as_row = builder.CreateICmpEQ(vector, builder.CreateAdd(first, ConstantVector::get(steps)));
  Value *bits = builder.CreateBitCast(as_row, builder.getIntNTy(lanes));
  return test = builder.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType()), "row");
}

void Versions::make(IntrinsicInst &access) {
  const bool loads = access.getIntrinsicID() == Intrinsic::masked_gather;
  Value *pointers = access.getArgOperand(loads ? 0 : 1), *mask = access.getArgOperand(loads ? 2 : 3);
  const Align align = cast<ConstantInt>(access.getArgOperand(loads ? 1 : 2))->getAlignValue();
  Type *type = loads ? access.getType() : access.getArgOperand(0)->getType();
  const DataLayout &layout = function_.getParent()->getDataLayout();
  const auto bytes = static_cast<int64_t>(layout.getTypeAllocSize(type->getScalarType()).getFixedValue());
  Value *test = test_of(core_of(pointers, bytes, layout));
  Instruction *row = nullptr, *others = nullptr;
  SplitBlockAndInsertIfThenElse(test, access.getIterator(), &row, &others,
                                MDBuilder(access.getContext()).createBranchWeights(kRowWeight, 1));
  IRBuilder<> builder(row);
  Value *first = builder.CreateExtractElement(builder.CreateFreeze(pointers), uint64_t{0});
  const bool whole = match(mask, m_AllOnes());
  Value *loaded = nullptr;
  if (loads)
    loaded = whole ? static_cast<Value *>(builder.CreateAlignedLoad(type, first, align))
                   : builder.CreateMaskedLoad(type, first, align, mask, access.getArgOperand(3));
  else if (whole)
    builder.CreateAlignedStore(access.getArgOperand(0), first, align);
  else
    builder.CreateMaskedStore(access.getArgOperand(0), first, align, mask);
  BasicBlock *end = access.getParent();
  access.setMetadata(kLikelyRow, nullptr);
  access.moveBefore(others);
  if (!loads) return;
  PHINode *phi = PHINode::Create(type, 2, "", end->begin());
  access.replaceAllUsesWith(phi);
  phi->addIncoming(loaded, row->getParent());
  phi->addIncoming(&access, others->getParent());
}

}  // namespace

bool version_likely_rows(Function &function) {
  SmallVector<IntrinsicInst *, 32> accesses;
  for (Instruction &instruction : instructions(function))
    if (instruction.hasMetadata(kLikelyRow))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && (call->getIntrinsicID() == Intrinsic::masked_gather || call->getIntrinsicID() == Intrinsic::masked_scatter))
        accesses.push_back(call);
  if (accesses.empty() || accesses.size() > kMostAccesses) return false;
  Versions versions(function);
  for (IntrinsicInst *access : accesses) versions.make(*access);
  return true;
}

}  // namespace upsweep::passes
