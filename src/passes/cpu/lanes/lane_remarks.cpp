// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classifies the written code by its loads, stores and calls.
#include "passes/cpu/lanes/lane_remarks.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "passes/common/remarks.h"
#include "passes/cpu/lanes/likely_steps.h"

using namespace llvm;

namespace upsweep::passes {
namespace {

/// The accesses in the code of one instruction.
struct Accesses {
  unsigned scalars = 0;        ///< loads or stores of one work-item's type
  unsigned elements = 0;       ///< of the widest vector access
  bool is_gather = false;      ///< or a scatter
  bool is_likely_row = false;  ///< likewise, tested at run time
};

const Value *address_of(const Instruction &instruction) {
  if (const Value *pointer = getLoadStorePointerOperand(&instruction)) return pointer;
  if (const auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) return atomic->getPointerOperand();
  if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) return exchange->getPointerOperand();
  return nullptr;
}

/// The type that a load or a store accesses.
Type *type_of_access(const Instruction &instruction) {
  const auto *store = dyn_cast<StoreInst>(&instruction);
  return store ? store->getValueOperand()->getType() : instruction.getType();
}

void count(const Instruction &written, Type *type, Accesses &accesses) {
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&written)) {
    const bool loads = intrinsic->getIntrinsicID() == Intrinsic::masked_load;
    if (loads || intrinsic->getIntrinsicID() == Intrinsic::masked_store)
      accesses.elements =
          cast<FixedVectorType>(loads ? intrinsic->getType() : intrinsic->getArgOperand(0)->getType())->getNumElements();
    if (intrinsic->getIntrinsicID() != Intrinsic::masked_gather && intrinsic->getIntrinsicID() != Intrinsic::masked_scatter)
      return;
    accesses.is_gather = true;
    accesses.is_likely_row = intrinsic->hasMetadata(kLikelyRow);
    return;
  }
  if (!isa<LoadInst, StoreInst>(written)) return;
  Type *accessed = type_of_access(written);
  // Slots hold values between blocks.
  const auto *slot = dyn_cast<AllocaInst>(getLoadStorePointerOperand(&written));
  if (slot && accessed == slot->getAllocatedType() && accessed != type) return;
  if (accessed == type)
    ++accesses.scalars;
  else if (const auto *wide = dyn_cast<FixedVectorType>(accessed))
    accesses.elements = std::max(accesses.elements, wide->getNumElements());
}

std::string bytes_text(uint64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

std::string pattern_of(const Shape &address) {
  if (address.kind == Shape::kStep || address.kind == Shape::kLooseStep)
    return "neighbouring work-items are " + bytes_text(std::abs(address.step)) + " apart";
  return "the addresses of neighbouring work-items have no known distance";
}

}  // namespace

WrittenCode::WrittenCode(const IRBuilderBase &builder)
    : builder_(builder), block_(builder.GetInsertBlock()), last_(block_->empty() ? nullptr : &block_->back()) {}

void WrittenCode::remark_on(const Instruction &instruction, const Shape &address, unsigned lanes, bool is_masked) const {
  const bool is_loop = builder_.GetInsertBlock() != block_;
  if (isa<CallInst>(instruction) && is_loop && !isa<IntrinsicInst>(instruction))
    return remark(instruction, "call of a function that is not inlined: it runs for one work-item after another");
  const Value *pointer = address_of(instruction);
  // Private variables have no neighbours' bytes.
  if (!pointer || isa<AllocaInst>(getUnderlyingObject(pointer))) return;
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction)) {
    if (is_loop) remark(instruction, "atomic: it runs for one work-item after another");
    return;
  }
  const bool stores = isa<StoreInst>(instruction);
  const std::string name = stores ? "store" : "load";
  Type *type = type_of_access(instruction);
  const uint64_t bytes = instruction.getModule()->getDataLayout().getTypeStoreSize(type);
  if (is_loop) return remark(instruction, name + ": it runs for one work-item after another");
  Accesses accesses;
  for (auto written = last_ ? std::next(last_->getIterator()) : block_->begin(); written != block_->end(); ++written)
    count(*written, type, accesses);
  const std::string masked = is_masked ? ", masked" : "";
  const unsigned components = isa<FixedVectorType>(type) ? cast<FixedVectorType>(type)->getNumElements() : 1;
  const unsigned whole = components == 3 ? 4 * lanes : components * lanes;
  const std::string each = " of " + bytes_text(bytes) + " a work-item";
  if (accesses.is_likely_row)
    remark(instruction,
           (stores ? "scatter" : "gather") + each + ": " + pattern_of(address) + "; a row is tested for at run time" + masked);
  else if (accesses.is_gather)
    remark(instruction, (stores ? "scatter" : "gather") + each + ": " + pattern_of(address) + masked);
  else if (accesses.elements > whole)
    remark(instruction, "strided " + name + each + ": " + pattern_of(address) + masked);
  else if (accesses.elements)
    remark(instruction, "row " + name + each + ": one vector of neighbours" + masked);
  else if (accesses.scalars == 1)
    remark(instruction, "uniform " + name + " of " + bytes_text(bytes) + ": one for the whole sub-group");
  else if (accesses.scalars)
    remark(instruction, name + each + ", one work-item after another: " + pattern_of(address) + masked);
}

bool leaves_loop(const BranchInst &branch, const LoopInfo &loops) {
  const Loop *loop = loops.getLoopFor(branch.getParent());
  return loop && any_of(branch.successors(), [&](const BasicBlock *to) { return !loop->contains(to); });
}

void remark_on_branch(const BranchInst &branch, bool ends_loop) {
  remark(branch, ends_loop ? "divergent loop: it runs until the last work-item of the sub-group leaves it, under a mask"
                           : "divergent branch: a sub-group whose work-items disagree runs both sides, under masks");
}

}  // namespace upsweep::passes
