// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws places in memory, each owned by one work-item: indices that step from work-item to work-item, guards that only some
// work-items pass, and facts that the compiler can derive from a guard. A part of kernel_generator.cpp.
#ifndef UPSWEEP_TESTS_FUZZ_KERNEL_PLACES_H
#define UPSWEEP_TESTS_FUZZ_KERNEL_PLACES_H

#include <bit>

#include "kernel_expressions.h"

namespace upsweep::fuzz {

class PlaceDrawing : protected ExpressionDrawing {
protected:
  using ExpressionDrawing::ExpressionDrawing;

  /// A place is `times` × index + `plus`, or `plus` - index if `backward`.
  struct Owner {
    Type type;
    Expression index;
    uint64_t limit = 0;  ///< a power of two; only work-items with a smaller index have a place
    uint64_t times = 1, plus = 0;
    bool backward = false;
    unsigned variable = 0;  ///< 0: none; else the index
  };

  static Expression number(Type type, uint64_t value) { return {.op = Op::kLiteral, .type = type, .number = value}; }

  Expression plain(Op op, Type type, Expression a, Expression b, bool safe) {
    Expression e = make(op, type, {std::move(a), std::move(b)});
    if (safe) e.number = kPlain;
    return e;
  }

  Expression cast(Type type, Expression e) {
    if (e.type == type) return e;
    return make(Op::kConvert, type, {std::move(e)});
  }

  Owner owner(bool written) {
    constexpr std::array<Base, 6> kIndices = {Base::kUint, Base::kInt, Base::kUlong, Base::kLong, Base::kUshort, Base::kShort};
    Owner made;
    made.type = {chance(75) ? kIndices[below(4)] : kIndices[below(6)], 1};
    Expression id{.op = Op::kGlobalId, .type = {Base::kUint, 1}};
    if (chance(60)) id = {.op = Op::kWideId, .type = {Base::kUlong, 1}, .number = is_line() && chance(70) ? 1U : 0U};
    if (!written && chance(30)) id = {.op = Op::kWideId, .type = {Base::kUlong, 1}, .number = 2 + below(2)};
    id = cast(made.type, std::move(id));
    constexpr std::array<uint64_t, 8> kFactors = {1, 1, 1, 1, 1, 2, 3, 4};
    const uint64_t factor = kFactors[below(kFactors.size())];
    const bool known = chance(60), safe = known && bits_of(made.type.base) >= 32;
    Expression offset = known ? number(made.type, below(70))
                              : cast(made.type, {.op = Op::kArgument, .type = {Base::kUint, 1}, .number = below(2)});
    if (factor != 1) id = plain(Op::kMultiply, made.type, std::move(id), number(made.type, factor), safe);
    const bool signed_safe = safe && is_signed(made.type.base);
    switch (below(4)) {
    case 0: made.index = plain(Op::kAdd, made.type, std::move(id), std::move(offset), safe); break;
    case 1: made.index = plain(Op::kSubtract, made.type, std::move(offset), std::move(id), signed_safe); break;
    default: made.index = plain(Op::kSubtract, made.type, std::move(id), std::move(offset), signed_safe); break;
    }
    made.limit = uint64_t{4} << below(5);
    if (made.limit <= 32 && chance(40)) made.times = uint64_t{2} << below(2);
    made.plus = chance(50) ? below(16) : made.limit * below(2);
    made.backward = made.times == 1 && chance(20);
    if (made.backward) made.plus += made.limit - 1;
    return made;
  }

  void regions() {
    program_.regions.push_back({{Base::kUint, 1}});
    owners_.emplace_back();
    for (uint64_t count = tiny_ ? 1 : 2 + below(2); count > 0; --count) {
      Type type = program_.variables[below(program_.variables.size())].type;
      if (is_float(type.base)) type.base = Base::kUshort;
      program_.regions.push_back({type, chance(20)});
      Owner made = owner(true);
      if (chance(50)) {
        made.variable = static_cast<unsigned>(variables_->size());
        variables_->push_back({made.type, made.index});
      }
      owners_.push_back(std::move(made));
    }
    program_.regions.push_back({program_.variables[below(program_.variables.size())].type, chance(20)});
    owners_.emplace_back();
  }

  Expression guard(const Owner &owner, const Expression &index) {
    const Type truth{Base::kInt, 1};
    const Expression limit = number(owner.type, owner.limit);
    switch (below(6)) {
    case 0:
      return make(Op::kEqual, truth,
                  {make(Op::kAnd, owner.type, {index, number(owner.type, ~(owner.limit - 1))}), number(owner.type, 0)});
    case 1:
      if (is_signed(owner.type.base)) break;
      return make(Op::kNot, truth, {make(Op::kLessEqual, truth, {limit, index})});
    case 2:
      if (is_signed(owner.type.base)) break;
      return make(
          Op::kEqual, truth,
          {make(Op::kShiftRight, owner.type, {index, number(owner.type, static_cast<uint64_t>(std::countr_zero(owner.limit)))}),
           number(owner.type, 0)});
    case 3:
      if (is_signed(owner.type.base)) break;
      return make(Op::kLessEqual, truth, {index, number(owner.type, owner.limit - 1)});
    default: break;
    }
    Expression below_limit = make(Op::kLess, truth, {index, limit});
    if (!is_signed(owner.type.base)) return below_limit;
    return make(Op::kLogicalAnd, truth, {make(Op::kLessEqual, truth, {number(owner.type, 0), index}), std::move(below_limit)});
  }

  /// The place, in one of several spellings. They are equal behind the guard only, and none overflows.
  Expression place_of(const Owner &owner, const Expression &index, bool guarded) {
    constexpr std::array<Base, 4> kTypes = {Base::kUlong, Base::kUint, Base::kInt, Base::kLong};
    const Type type = chance(50) ? owner.type : Type{kTypes[below(kTypes.size())], 1};
    Expression e = cast(type, index);
    if (owner.backward) return plain(Op::kSubtract, type, number(type, owner.plus), std::move(e), guarded);
    if (owner.times != 1)
      e = chance(50)
              ? plain(Op::kMultiply, type, std::move(e), number(type, owner.times), guarded)
              : make(Op::kShiftLeft, type, {std::move(e), number(type, static_cast<uint64_t>(std::countr_zero(owner.times)))});
    if (owner.plus == 0) return e;
    const bool apart = owner.plus < owner.times || (owner.times == 1 && owner.plus % owner.limit == 0);
    if (guarded && apart && chance(40))
      return make(chance(70) ? Op::kOr : Op::kXor, type, {std::move(e), number(type, owner.plus)});
    return plain(Op::kAdd, type, std::move(e), number(type, owner.plus), guarded);
  }

  std::vector<Owner> owners_;  ///< of each region
};

}  // namespace upsweep::fuzz
#endif
