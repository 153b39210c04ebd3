// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces an address to the objects that it may point into, with its offset from each as a number modulo a power of two.
#include "passes/common/claimed_alignment.h"

#include "targets/cpu/kernel_abi.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

#include <cstddef>
#include <optional>

using namespace llvm;

namespace upsweep::passes {
namespace {

struct Claim {
  Value *pointer;
  Align align;
};

/// The claims of an instruction: none, one, or a copy's two.
SmallVector<Claim, 2> claims_of(Instruction &instruction) {
  if (Value *pointer = getLoadStorePointerOperand(&instruction)) return {{pointer, getLoadStoreAlignment(&instruction)}};
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) return {{update->getPointerOperand(), update->getAlign()}};
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return {{exchange->getPointerOperand(), exchange->getAlign()}};
  if (auto *fill = dyn_cast<MemIntrinsic>(&instruction)) {
    SmallVector<Claim, 2> claims{{fill->getRawDest(), fill->getDestAlign().valueOrOne()}};
    if (auto *copy = dyn_cast<MemTransferInst>(fill))
      claims.push_back({copy->getRawSource(), copy->getSourceAlign().valueOrOne()});
    return claims;
  }
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call) return {};
  const auto masked = [&](unsigned pointer) {
    return Claim{call->getArgOperand(pointer), cast<ConstantInt>(call->getArgOperand(pointer + 1))->getAlignValue()};
  };
  switch (call->getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather: return {masked(0)};
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter: return {masked(1)};
  default: return {};
  }
}

constexpr uint64_t kExact = uint64_t{1} << 32;  ///< exceeds every alignment

/// The difference of an address and an object's address: `offset` modulo `modulus`.
struct Distance {
  uint64_t offset = 0;
  uint64_t modulus = kExact;

  void add(uint64_t bytes) { offset += bytes; }
  void add_multiple_of(uint64_t bytes) {
    if (bytes) modulus = std::min(modulus, bytes & -bytes);
  }
  /// Merges another distance; false if nothing changes.
  bool join(const Distance &other) {
    const uint64_t before = modulus;
    modulus = std::min(modulus, other.modulus);
    add_multiple_of(offset - other.offset);
    return modulus != before;
  }
  [[nodiscard]] bool fits(Align align) const { return offset % std::min(modulus, align.value()) == 0; }
};

/// Limit of the values that contribute to one address, whose distances are computed. Addresses with more are skipped, so that
/// the time is linear in the number of accesses.
constexpr size_t kMostValues = 256;

class Origins {
public:
  Origins(Value *pointer, const DataLayout &layout) : layout_(layout) {
    reach(pointer, {});
    while (!open_.empty() && seen_.size() <= kMostValues) step(open_.pop_back_val());
    if (!open_.empty()) objects.clear();
  }
  /// The origins of the address: objects, arguments and loaded pointers.
  MapVector<Value *, Distance> objects;

private:
  void reach(Value *value, const Distance &distance) {
    auto [known, is_new] = seen_.try_emplace(value, distance);
    if (is_new || known->second.join(distance)) open_.push_back(value);
  }
  void step(Value *value);
  void step_over(GEPOperator &place, Distance distance);

  const DataLayout &layout_;
  DenseMap<Value *, Distance> seen_;
  SmallVector<Value *, 8> open_;
};

void Origins::step_over(GEPOperator &place, Distance distance) {
  const unsigned bits = layout_.getIndexTypeSizeInBits(place.getType()->getScalarType());
  MapVector<Value *, APInt> indices;
  APInt constant(bits, 0);
  // LLVM does not collect the indices of vectors of addresses.
  if (place.getType()->isVectorTy() || !place.collectOffset(layout_, bits, indices, constant)) {
    distance.add_multiple_of(1);
  } else {
    distance.add(constant.getZExtValue());
    for (const auto &[index, scale] : indices) distance.add_multiple_of(scale.getZExtValue());
  }
  reach(place.getPointerOperand(), distance);
}

void Origins::step(Value *value) {
  const Distance distance = seen_.lookup(value);
  if (auto *place = dyn_cast<GEPOperator>(value)) return step_over(*place, distance);
  if (isa<ConstantVector, AddrSpaceCastOperator, BitCastOperator, PHINode, FreezeInst, ShuffleVectorInst>(value)) {
    const auto *user = cast<User>(value);
    for (Value *operand : user->operands()) reach(operand, distance);
  } else if (auto *select = dyn_cast<SelectInst>(value)) {
    reach(select->getTrueValue(), distance);
    reach(select->getFalseValue(), distance);
  } else if (auto *insert = dyn_cast<InsertElementInst>(value)) {
    reach(insert->getOperand(0), distance);
    reach(insert->getOperand(1), distance);
  } else if (auto *extract = dyn_cast<ExtractElementInst>(value)) {
    reach(extract->getVectorOperand(), distance);
  } else {
    objects[value] = distance;
  }
}

/// The alignment that the driver guarantees for a pointer in UpsweepGroup.
std::optional<Align> alignment_of_field(const LoadInst &load, const DataLayout &layout) {
  APInt offset(64, 0);
  const Value *base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const auto *group = dyn_cast<Argument>(base);
  if (!group || group->getArgNo() != 0 || group->getDereferenceableBytes() != sizeof(UpsweepGroup)) return std::nullopt;
  if (offset == offsetof(UpsweepGroup, local)) return Align(UPSWEEP_LOCAL_ALIGN);
  for (const size_t field :
       {offsetof(UpsweepGroup, arguments), offsetof(UpsweepGroup, frames), offsetof(UpsweepGroup, scratch)})
    if (offset == field) return Align(UPSWEEP_MEMORY_ALIGN);
  return std::nullopt;
}

/// Empty if only the program can guarantee the alignment.
std::optional<Align> alignment_of(const Value &object, const DataLayout &layout) {
  if (const auto *variable = dyn_cast<AllocaInst>(&object)) return variable->getAlign();
  if (const auto *variable = dyn_cast<GlobalVariable>(&object)) return variable->getPointerAlignment(layout);
  if (const auto *argument = dyn_cast<Argument>(&object)) {
    if (argument->getDereferenceableBytes()) return argument->getParamAlign();
    return std::nullopt;
  }
  if (const auto *load = dyn_cast<LoadInst>(&object)) return alignment_of_field(*load, layout);
  return std::nullopt;
}

void raise(Value &object, Align align) {
  if (auto *variable = dyn_cast<AllocaInst>(&object))
    variable->setAlignment(std::max(variable->getAlign(), align));
  else if (auto *global = dyn_cast<GlobalVariable>(&object); global && global->hasInitializer())
    global->setAlignment(std::max(global->getPointerAlignment(global->getDataLayout()), align));
}

}  // namespace

void align_variables(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  for (Instruction &instruction : instructions(function))
    for (const Claim &claim : claims_of(instruction)) {
      if (claim.align == Align(1)) continue;
      for (auto &[object, distance] : Origins(claim.pointer, layout).objects)
        if (distance.fits(claim.align)) raise(*object, claim.align);
    }
}

Error check_alignment(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  std::string wrong;
  raw_string_ostream text(wrong);
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      for (const Claim &claim : claims_of(instruction)) {
        if (claim.align == Align(1)) continue;
        for (const auto &[object, distance] : Origins(claim.pointer, layout).objects) {
          const std::optional<Align> known = alignment_of(*object, layout);
          if (!known || (*known >= claim.align && distance.fits(claim.align))) continue;
          text << "error: " << function.getName() << ": an access claims an alignment of " << claim.align.value() << " bytes, "
               << "the accessed object has an alignment of " << known->value() << " at a distance of " << distance.offset
               << " modulo " << distance.modulus << "\n  " << instruction << "\n  " << *object << "\n";
        }
      }
  return wrong.empty() ? Error::success() : createStringError(wrong);
}

}  // namespace upsweep::passes
