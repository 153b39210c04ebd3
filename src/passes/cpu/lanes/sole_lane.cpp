// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conditions of the branches that dominate a block tell which lanes run it.
#include "passes/cpu/lanes/sole_lane.h"

#include "targets/cpu/kernel_abi.h"

#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace upsweep::passes {
namespace {

constexpr unsigned kAllDimensions = 7;
constexpr unsigned kIdBits = 12;
static_assert(UPSWEEP_MAX_WORK_GROUP_SIZE == 1U << kIdBits, "ids of a work-group differ by less");

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

/// The value without conversions between 32 and 64 bits, under which different ids stay different.
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

/// The dimensions of a work-item's number in its work-group or sub-group: the number of the sub-group's first work-item plus
/// the lane.
unsigned dimensions_of_place(const Value *value) {
  value = without_casts(value);
  return intrinsic_of(*value) == Ups::kLane ? kAllDimensions : dimensions_of_number(value, 0);
}

/// The divisor without its guard against 0 (safe_division.h).
const Value *without_guard(const Value *divisor) {
  const Value *whole = nullptr;
  for (divisor = without_casts(divisor);
       match(divisor, m_Freeze(m_Value(whole))) || match(divisor, m_c_UMax(m_Value(whole), m_One()));)
    divisor = without_casts(whole);
  return divisor;
}

/// Splits a value into `base` and constants, whose sum is `added`. False for 32-bit constants beyond 2^16, which could wrap.
bool split_sum(const Value *value, const Value *&base, int64_t &added) {
  added = 0;
  const APInt *constant = nullptr;
  for (base = without_casts(value); match(base, m_Add(m_Value(value), m_APInt(constant))); base = without_casts(value)) {
    if (constant->getSignificantBits() > 16) return false;
    added += constant->getSExtValue();
  }
  return true;
}

}  // namespace

/// The dimensions, as bits, in which lanes with the same value have the same local id.
unsigned SoleLanes::dimensions_of(const Value *id) const {
  const Value *whole = nullptr;
  if (const unsigned dimensions = dimensions_of_place(id)) return dimensions;
  if (match(id, m_ZExtOrSExt(m_Value(whole))) || match(id, m_Trunc(m_Value(whole))) || extends_low_bits(id, whole))
    return id->getType()->getScalarSizeInBits() < 16 ? 0 : dimensions_of(whole);
  if (const unsigned dimensions = dimensions_of_sum(id)) return dimensions;
  if (const unsigned dimensions = dimensions_of_remainder(id)) return dimensions;
  const auto *call = dyn_cast<CallBase>(id);
  if (!call || intrinsic_of(*call) != Ups::kLocalId) return 0;
  const auto *dimension = dyn_cast<ConstantInt>(call->getArgOperand(0));
  return dimension && dimension->getZExtValue() < 3 ? 1U << dimension->getZExtValue() : 0;
}

/// The same for an id plus a uniform value, or times a power of two.
unsigned SoleLanes::dimensions_of_sum(const Value *id) const {
  const Value *whole = nullptr, *other = nullptr;
  const APInt *shift = nullptr;
  if (match(id, m_Shl(m_Value(whole), m_APInt(shift)))) {
    const auto *call = dyn_cast<CallBase>(without_casts(whole));
    return call && (*shift + kIdBits).ule(id->getType()->getScalarSizeInBits()) ? dimensions_of(call) : 0;
  }
  if (!match(id, m_Add(m_Value(whole), m_Value(other))) && !match(id, m_DisjointOr(m_Value(whole), m_Value(other))) &&
      !match(id, m_Sub(m_Value(whole), m_Value(other))))
    return 0;
  if (uniformity_.is_uniform(*other)) return dimensions_of(whole);
  return uniformity_.is_uniform(*whole) ? dimensions_of(other) : 0;
}

/// The same for two remainders: of a place, whose values are consecutive in a sub-group, by at least the number of lanes; and
/// of an id by the size of its dimension.
unsigned SoleLanes::dimensions_of_remainder(const Value *id) const {
  const Value *whole = nullptr, *other = nullptr, *divisor = nullptr;
  const APInt *mask = nullptr;
  unsigned dimensions = 0;
  const auto find_place = [&] {
    for (;;) {
      whole = without_casts(whole);
      dimensions = dimensions_of_place(whole);
      if (dimensions || !match(whole, m_Add(m_Value(whole), m_Value(other)))) return;
      if (uniformity_.is_uniform(*whole)) std::swap(whole, other);
      if (!uniformity_.is_uniform(*other)) return;
    }
  };
  if (match(id, m_And(m_Value(whole), m_APInt(mask)))) {  // a remainder of a signed id has the sign in its mask
    APInt low = *mask;
    low.clearSignBit();
    find_place();
    return is_enough(dimensions) && low.isMask() && low.uge(lanes_ - 1) ? dimensions : 0;
  }
  if (!match(id, m_URem(m_Value(whole), m_Value(divisor))) && !match(id, m_SRem(m_Value(whole), m_Value(divisor)))) return 0;
  find_place();
  divisor = without_guard(divisor);
  if (match(divisor, m_APInt(mask)))
    return is_enough(dimensions) && mask->isStrictlyPositive() && mask->uge(lanes_) ? dimensions : 0;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (dimensions == 1U << dimension &&
        (asks(*divisor, Ups::kLocalSize, dimension) || asks(*divisor, Ups::kEnqueuedLocalSize, dimension)))
      return dimensions;
  return 0;
}

/// Whether a comparison holds for the first or the last place alone. A place is 0 or more, and less than the size.
bool SoleLanes::leaves_one(ICmpInst::Predicate predicate, const Value *id, const Value *limit) const {
  const APInt *constant = nullptr;
  const bool includes = ICmpInst::isNonStrictPredicate(predicate);
  if (ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate))
    return match(limit, m_APInt(constant)) && *constant == (includes ? 0 : 1) &&
           (ICmpInst::isUnsigned(predicate) ? dimensions_of(id) : dimensions_of_place(id));
  if (!ICmpInst::isGT(predicate) && !ICmpInst::isGE(predicate)) return false;
  const Value *place = nullptr, *size = nullptr;
  int64_t more = 0, less = 0;
  if (!split_sum(id, place, more) || !split_sum(limit, size, less) || more < 0) return false;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (asks(*place, Ups::kLocalId, dimension) && asks(*size, Ups::kLocalSize, dimension))
      return less - more + (includes ? 0 : 1) >= -1;
  return false;
}

/// (x | y) == 0 means that both are 0.
void SoleLanes::add_equal(const Value *left, const Value *right, Equalities &found) const {
  SmallVector<const Value *, 4> ids{left};
  while (!ids.empty()) {
    const Value *id = ids.pop_back_val(), *one = nullptr, *other = nullptr;
    if (match(right, m_Zero()) && match(id, m_Or(m_Value(one), m_Value(other))))
      ids.append({one, other});
    else if (dimensions_of(id))
      found.push_back({id, right});
  }
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
  if (!value) predicate = ICmpInst::getInversePredicate(predicate);
  if (uniformity_.is_uniform(*left)) {
    std::swap(left, right);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  if (!uniformity_.is_uniform(*right)) return;
  if (predicate == ICmpInst::ICMP_EQ)
    add_equal(left, right, found);
  else if (leaves_one(predicate, left, right))
    found.push_back({left, condition});
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

/// The equalities that determine the lane, or none.
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
