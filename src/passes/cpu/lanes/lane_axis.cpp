// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges dimensions of local ids, and counts the accesses that decide between dimensions.
#include "passes/cpu/lanes/lane_axis.h"

#include "passes/common/intrinsics.h"
#include "passes/cpu/lanes/likely_steps.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <cstdlib>

using namespace llvm;

namespace upsweep::passes {

bool exchange_axes(Function &item, unsigned axis) {
  SmallVector<std::pair<Use *, uint64_t>, 8> dimensions;
  bool asks = false;
  for (Instruction &instruction : instructions(item)) {
    if (intrinsic_of(instruction) != Ups::kLocalId) continue;
    Use &use = cast<CallBase>(instruction).getArgOperandUse(0);
    auto *dimension = dyn_cast<ConstantInt>(use.get());
    if (!dimension) return false;
    asks |= dimension->equalsInt(axis);
    if (dimension->equalsInt(axis) || dimension->isZero()) dimensions.emplace_back(&use, dimension->isZero() ? axis : 0);
  }
  if (!asks) return false;
  for (auto [use, dimension] : dimensions) use->set(ConstantInt::get(use->get()->getType(), dimension));
  return true;
}

uint64_t spread_accesses(Function &item, const LaneShapes &shapes, const LoopInfo &loops) {
  // An estimate of a loop's iterations; nesting deeper than three counts as three.
  constexpr unsigned kLoopBits = 3, kDeepest = 3;
  const DataLayout &layout = item.getParent()->getDataLayout();
  uint64_t accesses = 0;
  for (Instruction &instruction : instructions(item)) {
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer || isa<AllocaInst>(getUnderlyingObject(pointer))) continue;
    const Shape shape = shapes.of(pointer);
    const auto bytes = static_cast<int64_t>(layout.getTypeAllocSize(getLoadStoreType(&instruction)).getFixedValue());
    if (shape.is_uniform() || (shape.kind != Shape::kVarying && std::abs(shape.step) <= bytes)) continue;
    if (is_likely_row(*pointer, static_cast<uint64_t>(bytes), shapes, layout)) continue;
    accesses += uint64_t{1} << (kLoopBits * std::min(loops.getLoopDepth(instruction.getParent()), kDeepest));
  }
  return accesses;
}

}  // namespace upsweep::passes
