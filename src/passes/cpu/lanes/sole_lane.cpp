// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conditions of the branches that dominate a block tell which lanes run it.
#include "passes/cpu/lanes/sole_lane.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace upsweep::passes {
namespace {

constexpr unsigned kAllDimensions = 7;

bool asks(const Value &value, Ups intrinsic, unsigned dimension) {
  if (intrinsic_of(value) != intrinsic) return false;
  const auto *asked = dyn_cast<ConstantInt>(cast<CallBase>(value).getArgOperand(0));
  return asked && asked->equalsInt(dimension);
}

/// A sign extension of the low 32 bits or more as LLVM writes it within one type: `(x << 32) >> 32`.
bool extends_low_bits(const Value *value, const Value *&whole) {
  const APInt *up = nullptr, *down = nullptr;
  return match(value, m_AShr(m_Shl(m_Value(whole), m_APInt(up)), m_APInt(down))) && *up == *down &&
         up->ule(value->getType()->getScalarSizeInBits() - 32);
}

/// Without conversions between 32 and 64 bits, which keep ids apart.
const Value *without_casts(const Value *value) {
  const Value *whole = nullptr;
  while (value->getType()->getScalarSizeInBits() >= 32 &&
         (match(value, m_ZExtOrSExt(m_Value(whole))) || match(value, m_Trunc(m_Value(whole))) ||
          match(value, m_And(m_Value(whole), m_SpecificInt(0xffffffff))) || extends_low_bits(value, whole)))
    value = whole;
  return value;
}

/// The dimensions of the number y * width + x of a work-item in its work-group, or of (z * height + y) * width + x; 0 for other
/// values.
unsigned dimensions_of_number(const Value *value, unsigned first) {
  value = without_casts(value);
  if (asks(*value, Ups::kLocalId, first)) return 1U << first;
  const Value *row = nullptr, *one = nullptr, *other = nullptr, *width = nullptr;
  if (first == 2 || !match(value, m_Add(m_Value(one), m_Value(other)))) return 0;
  if (asks(*without_casts(one), Ups::kLocalId, first)) std::swap(one, other);
  if (!asks(*without_casts(other), Ups::kLocalId, first)) return 0;
  if (!match(without_casts(one), m_Mul(m_Value(row), m_Value(width)))) return 0;
  if (asks(*without_casts(row), Ups::kLocalSize, first)) std::swap(row, width);
  if (!asks(*without_casts(width), Ups::kLocalSize, first)) return 0;
  const unsigned rows = dimensions_of_number(row, first + 1);
  return rows ? rows | 1U << first : 0;
}

}  // namespace

SoleLanes::SoleLanes(Function &item, const DominatorTree &tree, const LaneUniformity &uniformity, unsigned lanes)
    : tree_(tree), uniformity_(uniformity), lanes_(lanes) {
  for (const Instruction &instruction : instructions(item)) {
    if (intrinsic_of(instruction) != Ups::kLocalId) continue;
    const auto *dimension = dyn_cast<ConstantInt>(cast<CallBase>(instruction).getArgOperand(0));
    asked_ |= dimension && dimension->getZExtValue() < 3 ? 1U << dimension->getZExtValue() : kAllDimensions;
  }
}

/// The dimensions, as bits, in which lanes with the same value have the same local id.
unsigned SoleLanes::dimensions_of(const Value *id) const {
  const Value *whole = nullptr, *other = nullptr;
  const APInt *mask = nullptr;
  if (const unsigned dimensions = dimensions_of_number(id, 0)) return dimensions;
  if (match(id, m_ZExtOrSExt(m_Value(whole))) || match(id, m_Trunc(m_Value(whole))) || extends_low_bits(id, whole))
    return id->getType()->getScalarSizeInBits() < 16 ? 0 : dimensions_of(whole);
  if (match(id, m_Add(m_Value(whole), m_Value(other))) || match(id, m_DisjointOr(m_Value(whole), m_Value(other)))) {
    if (uniformity_.is_uniform(*other)) return dimensions_of(whole);
    return uniformity_.is_uniform(*whole) ? dimensions_of(other) : 0;
  }
  // Sub-groups are runs of consecutive ids, in one dimension. A remainder of a signed id has the sign in its mask.
  if (match(id, m_And(m_Value(whole), m_APInt(mask)))) {
    APInt low = *mask;
    low.clearSignBit();
    return asked_ == 1 && low.isMask() && low.uge(lanes_ - 1) ? dimensions_of(whole) : 0;
  }
  const auto *call = dyn_cast<CallBase>(id);
  if (!call) return 0;
  if (intrinsic_of(*call) == Ups::kLane) return kAllDimensions;
  if (intrinsic_of(*call) != Ups::kLocalId) return 0;
  const auto *dimension = dyn_cast<ConstantInt>(call->getArgOperand(0));
  return dimension && dimension->getZExtValue() < 3 ? 1U << dimension->getZExtValue() : 0;
}

void SoleLanes::add_equalities(const Value *condition, bool value, Equalities &found) const {
  const Value *left = nullptr, *right = nullptr;
  if (value ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
            : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    add_equalities(left, value, found);
    add_equalities(right, value, found);
    return;
  }
  ICmpInst::Predicate predicate;
  if (!match(condition, m_ICmp(predicate, m_Value(left), m_Value(right)))) return;
  if (predicate != (value ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE)) return;
  if (uniformity_.is_uniform(*left)) std::swap(left, right);
  if (!uniformity_.is_uniform(*right)) return;
  // (x | y) == 0 says that both are.
  SmallVector<const Value *, 4> ids{left};
  while (!ids.empty()) {
    const Value *id = ids.pop_back_val(), *one = nullptr, *other = nullptr;
    if (match(right, m_Zero()) && match(id, m_Or(m_Value(one), m_Value(other))))
      ids.append({one, other});
    else if (dimensions_of(id))
      found.push_back({id, right});
  }
}

SoleLanes::Equalities SoleLanes::equalities(const BasicBlock *block) const {
  Equalities found;
  for (const DomTreeNode *node = tree_.getNode(block); node && node->getIDom(); node = node->getIDom()) {
    const BasicBlock *decider = node->getIDom()->getBlock();
    const auto *branch = dyn_cast<BranchInst>(decider->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (unsigned i = 0; i < 2; ++i)
      if (tree_.dominates(BasicBlockEdge(decider, branch->getSuccessor(i)), block))
        add_equalities(branch->getCondition(), i == 0, found);
  }
  return found;
}

/// The equalities that tell the lane, or none where they do not.
SoleLanes::Equalities SoleLanes::deciding(const BasicBlock *block) const {
  Equalities found = equalities(block);
  unsigned dimensions = 0;
  for (const Equality &equality : found) {
    const unsigned more = dimensions_of(equality.first);
    if (is_enough(more)) return {equality};
    dimensions |= more;
  }
  return is_enough(dimensions) ? found : Equalities();
}

bool SoleLanes::runs_one(const BasicBlock *block) const { return !deciding(block).empty(); }

bool SoleLanes::run_same(const BasicBlock *block, const BasicBlock *other, const Loop *around) const {
  const Equalities wanted = deciding(block), given = equalities(other);
  return !wanted.empty() && all_of(wanted, [&](const Equality &equality) {
    const bool is_of_each_round =
        !around || (around->isLoopInvariant(equality.first) && around->isLoopInvariant(equality.second));
    return is_of_each_round && is_contained(given, equality);
  });
}

}  // namespace upsweep::passes
