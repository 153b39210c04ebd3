// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each piece is one register wide.
#include "passes/cpu/split_stores.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// Elements per register, or 0 if the vector is not a whole number of registers greater than one.
unsigned elements_per_register(Type *type, unsigned register_bits) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector || !(vector->isIntOrIntVectorTy() || vector->isFPOrFPVectorTy())) return 0;
  unsigned element_bits = vector->getScalarSizeInBits();
  if (element_bits < 8 || !isPowerOf2_32(element_bits)) return 0;
  unsigned elements = register_bits / element_bits;
  return vector->getNumElements() > elements && vector->getNumElements() % elements == 0 ? elements : 0;
}

void split(StoreInst &store, unsigned elements) {
  IRBuilder<> builder(&store);
  Value *whole = store.getValueOperand();
  unsigned count = cast<FixedVectorType>(whole->getType())->getNumElements();
  uint64_t element_bytes = whole->getType()->getScalarSizeInBits() / 8;
  for (unsigned first = 0; first < count; first += elements) {
    SmallVector<int, 64> picked;
    for (unsigned i = 0; i < elements; ++i) picked.push_back(static_cast<int>(first + i));
    uint64_t offset = first * element_bytes;
    Value *place = store.getPointerOperand();
    if (offset > 0) place = builder.CreateConstGEP1_64(builder.getInt8Ty(), place, offset);
    builder.CreateAlignedStore(builder.CreateShuffleVector(whole, picked), place, commonAlignment(store.getAlign(), offset))
        ->copyMetadata(store, LLVMContext::MD_nontemporal);
  }
  store.eraseFromParent();
}

}  // namespace

bool split_stores(Function &function, unsigned register_bits) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (!store || !store->isSimple()) continue;
    unsigned elements = elements_per_register(store->getValueOperand()->getType(), register_bits);
    if (elements == 0) continue;
    split(*store, elements);
    changed = true;
  }
  return changed;
}

bool split_wide_stores(Function &function, FunctionAnalysisManager &analyses) {
  const TargetTransformInfo &costs = analyses.getResult<TargetIRAnalysis>(function);
  const uint64_t bits = costs.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  return bits >= 128 && split_stores(function, bits);  // opt may have no target
}

}  // namespace upsweep::passes
