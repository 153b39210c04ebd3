// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Per block and array: vector loads whose addresses differ by more than a cache line are of different rows.
#include "passes/cpu/prefetch_rows.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr uint64_t kLeastBytes = 32;  // shorter vectors are not treated as rows
constexpr int64_t kLineBytes = 64;
constexpr int64_t kDistanceBytes = 2048;  // the best of 512, 1024 and 2048 on Zen 5, in cache and in memory

/// An address: `offset` bytes after element `index` (null: 0) of the array.
struct Place {
  const Value *index = nullptr;
  int64_t offset = 0;
  bool operator==(const Place &other) const { return index == other.index && std::abs(offset - other.offset) <= kLineBytes; }
};

/// Extracts x from an extension of x + constant, the form of 32-bit ids.
Place place_of(const Value *pointer, const DataLayout &layout) {
  APInt offset(64, 0);
  pointer = pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  Place place{pointer, offset.getSExtValue()};
  auto *address = dyn_cast<GEPOperator>(pointer);
  if (!address || address->getNumIndices() != 1) return place;
  place.index = address->getOperand(1);
  if (auto *extension = dyn_cast<CastInst>(place.index); extension && extension->isIntegerCast())
    place.index = extension->getOperand(0);
  auto *sum = dyn_cast<BinaryOperator>(place.index);
  auto *constant = sum && sum->getOpcode() == Instruction::Add ? dyn_cast<ConstantInt>(sum->getOperand(1)) : nullptr;
  if (!constant) return place;
  place.index = sum->getOperand(0);
  place.offset +=
      constant->getSExtValue() * static_cast<int64_t>(layout.getTypeAllocSize(address->getSourceElementType()).getFixedValue());
  return place;
}

struct Row {
  Place place;
  LoadInst *load;
};

bool prefetch_in(BasicBlock &block) {
  const DataLayout &layout = block.getDataLayout();
  SmallMapVector<const Value *, SmallVector<Row, 4>, 4> arrays;
  for (Instruction &instruction : block) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->isSimple() || !isa<FixedVectorType>(load->getType())) continue;
    if (layout.getTypeStoreSize(load->getType()) < kLeastBytes) continue;
    Place place = place_of(load->getPointerOperand(), layout);
    SmallVector<Row, 4> &rows = arrays[getUnderlyingObject(load->getPointerOperand())];
    if (none_of(rows, [&](const Row &row) { return row.place == place; })) rows.push_back({place, load});
  }
  bool changed = false;
  for (auto &[array, rows] : arrays) {
    if (rows.size() < 2 || isa<AllocaInst>(array)) continue;
    for (const Row &row : rows) {
      IRBuilder<> builder(row.load);
      Value *ahead = builder.CreateConstGEP1_64(builder.getInt8Ty(), row.load->getPointerOperand(), kDistanceBytes);
      constexpr uint32_t kRead = 0, kKeep = 3, kData = 1;
      builder.CreateIntrinsic(Intrinsic::prefetch, {ahead->getType()},
                              {ahead, builder.getInt32(kRead), builder.getInt32(kKeep), builder.getInt32(kData)});
      changed = true;
    }
  }
  return changed;
}

}  // namespace

bool prefetch_rows(Function &entry) {
  if (!entry.hasFnAttribute(kRowsAttribute)) return false;
  bool changed = false;
  for (BasicBlock &block : entry) changed |= prefetch_in(block);
  return changed;
}

}  // namespace upsweep::passes
