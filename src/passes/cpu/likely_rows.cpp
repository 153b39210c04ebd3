// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Separates the lane-invariant part of a vector of addresses, tests the rest at its definition, and branches at each access.
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

constexpr uint32_t kRowWeight = 1000;    // against 1; only affects the code's layout
constexpr unsigned kMostAccesses = 128;  // per function; each access adds three blocks

/// A vector that increases by `step` from lane to lane exactly where the addresses increase by one element.
struct Core {
  Value *vector;
  int64_t step;
};

/// All operations are 64-bit, modulo 2^64, like addresses.
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
      // Only the last index may be a vector.
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
    // Flags are valid only for active lanes; they would make frozen values poison.
    if (auto *passed = dyn_cast<Instruction>(core.vector)) passed->dropPoisonGeneratingFlags();
    core.vector = next;
  }
}

class Versions {
public:
  explicit Versions(Function &function) : function_(function) {}
  void make(IntrinsicInst &access);

private:
  Value *row_of(Core &core);

  Function &function_;
  DenseMap<std::pair<Value *, int64_t>, Value *> rows_;  ///< of frozen vectors
};

/// Whether each lane is in a row with the middle lane, which is at an edge less often than lane 0.
Value *Versions::row_of(Core &core) {
  IRBuilder<> builder(function_.getContext());
  // An inactive lane's value may be poison, and must be equal in the test and in the address.
  if (!isa<FreezeInst>(core.vector)) {
    builder.SetInsertPoint(*cast<Instruction>(core.vector)->getInsertionPointAfterDef());
    auto *frozen = cast<FreezeInst>(builder.Insert(new FreezeInst(core.vector)));
    core.vector->replaceUsesWithIf(frozen, [&](const Use &use) { return use.getUser() != frozen; });
    core.vector = frozen;
  }
  Value *&row = rows_[{core.vector, core.step}];
  if (row) return row;
  builder.SetInsertPoint(cast<Instruction>(core.vector)->getNextNode());
  Value *vector = core.vector;
  const unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
  if (vector->getType()->isPtrOrPtrVectorTy())
    vector = builder.CreatePtrToInt(vector, FixedVectorType::get(builder.getInt64Ty(), lanes));
  SmallVector<Constant *, 64> steps;
  for (unsigned lane = 0; lane < lanes; ++lane)
    steps.push_back(builder.getInt64((uint64_t{lane} - lanes / 2) * static_cast<uint64_t>(core.step)));
  Value *middle = builder.CreateVectorSplat(lanes, builder.CreateExtractElement(vector, uint64_t{lanes / 2}));
  return row = builder.CreateICmpEQ(vector, builder.CreateAdd(middle, ConstantVector::get(steps)), "in_row");
}

void Versions::make(IntrinsicInst &access) {
  const bool loads = access.getIntrinsicID() == Intrinsic::masked_gather;
  Value *pointers = access.getArgOperand(loads ? 0 : 1), *mask = access.getArgOperand(loads ? 2 : 3);
  const Align align = cast<ConstantInt>(access.getArgOperand(loads ? 1 : 2))->getAlignValue();
  Type *type = loads ? access.getType() : access.getArgOperand(0)->getType();
  const DataLayout &layout = function_.getParent()->getDataLayout();
  const auto bytes = static_cast<int64_t>(layout.getTypeAllocSize(type->getScalarType()).getFixedValue());
  Core core = core_of(pointers, bytes, layout);
  if (!isa<Instruction>(core.vector)) return;  // constants have other users
  Value *in_row = row_of(core);
  pointers = access.getArgOperand(loads ? 0 : 1);  // may equal the core
  const bool whole = match(mask, m_AllOnes());
  IRBuilder<> builder(&access);
  const unsigned lanes = cast<FixedVectorType>(type)->getNumElements();
  if (!whole) in_row = builder.CreateOr(in_row, builder.CreateNot(mask));
  Value *bits = builder.CreateBitCast(in_row, builder.getIntNTy(lanes));
  Value *test = builder.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType()), "row");
  Instruction *row = nullptr, *others = nullptr;
  SplitBlockAndInsertIfThenElse(test, access.getIterator(), &row, &others,
                                MDBuilder(access.getContext()).createBranchWeights(kRowWeight, 1));
  builder.SetInsertPoint(row);
  Value *first = builder.CreateGEP(builder.getInt8Ty(), builder.CreateExtractElement(pointers, uint64_t{lanes / 2}),
                                   builder.getInt64(static_cast<uint64_t>(-bytes) * (lanes / 2)));
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
