// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws types, numbers and expressions. A part of kernel_generator.cpp.
#ifndef UPSWEEP_TESTS_FUZZ_KERNEL_EXPRESSIONS_H
#define UPSWEEP_TESTS_FUZZ_KERNEL_EXPRESSIONS_H

#include <algorithm>
#include <random>

#include "kernel_program.h"

namespace upsweep::fuzz {

class ExpressionDrawing {
protected:
  explicit ExpressionDrawing(uint64_t seed) : random_(seed) {}

  uint64_t below(uint64_t n) { return random_() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  bool is_line() const { return program_.global[1] == 1 && program_.global[2] == 1; }

  // Types and numbers.

  Type any_type() {
    const Base base = chance(40) ? (chance(50) ? Base::kInt : Base::kUint) : static_cast<Base>(below(9));
    return {base, chance(tiny_ ? 85 : small_ ? 75 : 55) ? 1 : kVectorWidths[below(kVectorWidths.size())]};
  }
  Type integer_type() {
    Type type = any_type();
    while (is_float(type.base)) type = any_type();
    return type;
  }

  uint32_t number32() {
    constexpr std::array<uint32_t, 8> kEdges = {0, 1, 2, 31, 0x7fffffff, 0x80000000, 0xffffffff, 0x8000};
    if (chance(40)) return kEdges[below(kEdges.size())];
    return chance(50) ? static_cast<uint32_t>(below(40)) : static_cast<uint32_t>(random_());
  }

  Expression literal(Type type) {
    uint64_t bits = number32();
    if (bits_of(type.base) == 64 && chance(50)) bits |= uint64_t{number32()} << 32;
    constexpr std::array<uint32_t, 7> kFloats = {0, 0x3f800000, 0x40490fdb, 0xc2c80000, 0x4f000000, 0x00000001, 0x7f7fffff};
    if (is_float(type.base)) bits = kFloats[below(kFloats.size())];
    return {.op = Op::kLiteral, .type = type, .number = bits};
  }

  // Expressions.

  Expression leaf(Type type) {
    std::vector<size_t> candidates;
    for (size_t v = 0; v < variables_->size(); ++v)
      if ((*variables_)[v].type == type) candidates.push_back(v);
    if (!candidates.empty() && chance(70))
      return {.op = Op::kVariable, .type = type, .number = candidates[below(candidates.size())]};
    if (type == Type{Base::kUint, 1} && chance(70)) {
      constexpr std::array<Op, 5> kIds = {Op::kGlobalId, Op::kGlobalId, Op::kLocalId, Op::kGroupId, Op::kArgument};
      const Op op = kIds[below(kIds.size())];
      return {.op = op, .type = type, .number = op == Op::kArgument ? below(2) : 0};
    }
    if (type == Type{Base::kUlong, 1} && chance(50) && !in_helper_) return wide_id();
    if (type == Type{Base::kUint, 1} && chance(20) && !in_helper_) return {.op = Op::kSubGroupId, .type = type};
    if (chance(50)) return converted(type, 0);
    return literal(type);
  }

  Expression wide_id() { return {.op = Op::kWideId, .type = {Base::kUlong, 1}, .number = below(kWideIds.size())}; }

  Expression make(Op op, Type type, std::vector<Expression> arguments) {
    return {.op = op, .type = type, .arguments = std::move(arguments)};
  }

  /// An expression of another type, converted to `type`.
  Expression converted(Type type, int depth) {
    for (int tries = 0; tries < 8 && !variables_->empty(); ++tries) {
      const Type from = (*variables_)[below(variables_->size())].type;
      if (from.width != type.width || from == type) continue;
      const bool must_saturate = is_float(from.base);
      const bool saturate = !is_float(type.base) && (must_saturate || chance(40));
      Expression inner =
          depth > 0 ? expression(from, depth - 1) : Expression{.op = Op::kVariable, .type = from, .number = variable_of(from)};
      return make(saturate ? Op::kConvertSaturated : Op::kConvert, type, {std::move(inner)});
    }
    return literal(type);
  }

  bool has_variable(Type type) {
    return std::any_of(variables_->begin(), variables_->end(), [&](const Variable &v) { return v.type == type; });
  }

  uint64_t variable_of(Type type) {
    uint64_t v = below(variables_->size());
    while ((*variables_)[v].type != type) v = (v + 1) % variables_->size();
    return v;
  }

  Expression expression(Type type, int depth) {
    if (depth <= 0 || chance(12)) return leaf(type);
    if (type == program_.crate && chance(8)) return make(Op::kCrated, type, {expression({Base::kUint, 1}, depth - 1)});
    switch (below(10)) {
    case 0: return converted(type, depth);
    case 1: return chosen(type, depth);
    case 2: return rearranged(type, depth);
    case 3:
      if (type == Type{Base::kUint, 1}) return looked_up(depth);
      [[fallthrough]];
    case 4:
      if (const auto base = signed_of(type.base); type.base == base && bits_of(base) >= 8 && !is_float(type.base))
        return truth(type, depth);
      [[fallthrough]];
    default: return is_float(type.base) ? float_operation(type, depth) : integer_operation(type, depth);
    }
  }

  Expression looked_up(int depth) {
    const Type type{Base::kUint, 1};
    if (!program_.helpers.empty() && chance(40) && calls_ < 6) {
      ++calls_;
      Expression e = make(Op::kCall, type, {expression(type, depth - 1), expression(type, depth - 1)});
      e.number = below(program_.helpers.size());
      return e;
    }
    if (chance(25)) return {.op = Op::kPointed, .type = type};
    return make(chance(50) ? Op::kInput : Op::kElement, type, {expression(type, depth - 1)});
  }

  Expression chosen(Type type, int depth) {
    const Type condition{type.width == 1 ? Base::kInt : signed_of(type.base), type.width};
    const bool selectable = type.width > 1 || bits_of(type.base) == 32;
    Expression test = chance(60) ? truth(condition, depth - 1) : expression(condition, depth - 1);
    return make(selectable && chance(50) ? Op::kSelect : Op::kChoose, type,
                {std::move(test), expression(type, depth - 1), expression(type, depth - 1)});
  }

  /// A comparison that returns this type, a signed integer.
  Expression truth(Type type, int depth) {
    std::vector<Base> bases;
    for (int b = 0; b < 9; ++b)
      if (truth_of({static_cast<Base>(b), type.width}) == type) bases.push_back(static_cast<Base>(b));
    if (bases.empty()) return leaf(type);
    const Type operand{bases[below(bases.size())], type.width};
    // Clang 19 evaluates && and || of constant vectors to 1; the specification requires -1.
    const bool logical = !is_float(operand.base) && (operand.width == 1 || has_variable(operand));
    Expression left = operand.width > 1 && logical
                          ? Expression{.op = Op::kVariable, .type = operand, .number = variable_of(operand)}
                          : expression(operand, depth - 1);
    return make(static_cast<Op>(static_cast<unsigned>(Op::kLess) + below(logical ? 6 : 4)), type,
                {std::move(left), expression(operand, depth - 1)});
  }

  Expression rearranged(Type type, int depth) {
    if (type.width == 1 || chance(60)) {
      Expression e = make(Op::kSwizzle, type, {expression({type.base, kVectorWidths[1 + below(5)]}, depth - 1)});
      for (unsigned c = 0; c < type.width; ++c) e.components.push_back(static_cast<unsigned>(below(e.arguments[0].type.width)));
      return e;
    }
    if (!is_float(type.base) && type.width != 3 && chance(30)) {
      const unsigned bits = bits_of(type.base);
      if (bits < 64 && type.width > 1 && type.width != 3)
        return make(Op::kReinterpret, type, {expression({widened(type.base), type.width / 2}, depth - 1)});
    }
    Expression e = make(Op::kCompose, type, {});
    for (unsigned c = 0; c < type.width; ++c) e.arguments.push_back(expression({type.base, 1}, c < 2 ? depth - 2 : 0));
    return e;
  }

  static Base widened(Base base) { return static_cast<Base>(static_cast<unsigned>(base) + 2); }

  Expression float_operation(Type type, int depth) {
    constexpr std::array<Op, 4> kOps = {Op::kNegate, Op::kAdd, Op::kSubtract, Op::kMultiply};
    const Op op = kOps[below(kOps.size())];
    std::vector<Expression> arguments = {expression(type, depth - 1)};
    if (op != Op::kNegate) arguments.push_back(expression(type, depth - 1));
    return make(op, type, std::move(arguments));
  }

  Expression integer_operation(Type type, int depth) {
    constexpr std::array<Op, 21> kOps = {Op::kNegate,
                                         Op::kComplement,
                                         Op::kAdd,
                                         Op::kSubtract,
                                         Op::kMultiply,
                                         Op::kDivide,
                                         Op::kRemainder,
                                         Op::kAnd,
                                         Op::kOr,
                                         Op::kXor,
                                         Op::kShiftLeft,
                                         Op::kShiftRight,
                                         Op::kMin,
                                         Op::kMax,
                                         Op::kRotate,
                                         Op::kPopcount,
                                         Op::kLeadingZeros,
                                         Op::kAddSaturated,
                                         Op::kSubtractSaturated,
                                         Op::kHalvedSum,
                                         Op::kHighProduct};
    const Op op = kOps[below(kOps.size())];
    std::vector<Expression> arguments = {expression(type, depth - 1)};
    const bool unary = op == Op::kNegate || op == Op::kComplement || op == Op::kPopcount || op == Op::kLeadingZeros;
    if (!unary) arguments.push_back(expression(type, depth - 1));
    return make(op, type, std::move(arguments));
  }

  Expression condition() {
    Expression e = truth({Base::kInt, 1}, 3);
    return chance(15) ? make(Op::kNot, {Base::kInt, 1}, {std::move(e)}) : e;
  }

  /// An expression that is uniform in a work-group.
  Expression uniform(int depth) {
    const Type type{Base::kUint, 1};
    if (depth > 0) return make(chance(50) ? Op::kAdd : Op::kXor, type, {uniform(depth - 1), uniform(depth - 1)});
    if (!uniform_counters_.empty() && chance(50))
      return {.op = Op::kVariable, .type = type, .number = uniform_counters_[below(uniform_counters_.size())]};
    if (chance(30)) return literal(type);
    const Op op = chance(50) ? Op::kArgument : Op::kGroupId;
    return {.op = op, .type = type, .number = op == Op::kArgument ? below(2) : 0};
  }

  /// An assignable variable of this type, or none.
  bool find(Type type, unsigned &found) {
    const uint64_t start = below(assignable_);
    for (size_t i = 0; i < assignable_; ++i) {
      found = static_cast<unsigned>((start + i) % assignable_);
      if ((*variables_)[found].type == type) return true;
    }
    return false;
  }

  static constexpr std::array<unsigned, 6> kVectorWidths = {1, 2, 3, 4, 8, 16};

  std::mt19937_64 random_;
  Program program_;
  std::vector<Variable> *variables_ = nullptr;
  size_t assignable_ = 0;  ///< earlier variables; later ones count loops or are indices
  std::vector<unsigned> uniform_counters_;
  int calls_ = 0;
  bool tiny_ = false, small_ = false, in_helper_ = false;
};

}  // namespace upsweep::fuzz
#endif
