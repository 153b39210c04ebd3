// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws programs of control flow until one ends.
#include "flow_program.h"

#include <algorithm>
#include <random>

namespace upsweep::fuzz::flow {
namespace {

using Op = Expression::Op;
using Kind = Statement::Kind;

class Generator {
public:
  Generator(uint64_t seed, int deepest) : random_(seed), deepest_(deepest) {}

  Program run() {
    Program program;
    shape(program);
    has_gotos_ = chance(40);
    program.exchanges = !has_gotos_ && chance(30);
    exchanges_ = program.exchanges;
    next_variable_ = 4;
    program.body = block(2 + below(4), {.uniform = true});
    if (has_gotos_) direct(program.body);
    program.variables = next_variable_;
    return program;
  }

private:
  struct Place {
    bool uniform = false;  ///< all work-items of the group arrive here together
    int depth = 0;
    uint32_t loops = 0;
    bool in_switch = false;  ///< nearer than the nearest loop
  };

  uint64_t below(uint64_t n) { return random_() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }

  void shape(Program &program) {
    constexpr std::array<std::array<size_t, 2>, 12> kLocals = {
        {{1, 1}, {4, 1}, {5, 1}, {8, 1}, {16, 1}, {17, 1}, {33, 1}, {40, 1}, {64, 1}, {8, 4}, {5, 3}, {3, 7}}};
    program.local = kLocals[below(kLocals.size())];
    program.global = {program.local[0] * (1 + below(2)), program.local[1]};
    if (program.local[0] > 1 && chance(20)) program.global[0] += 1 + below(program.local[0] - 1);
    program.argument = static_cast<uint32_t>(chance(70) ? 1 + below(3) : below(40));
    if (chance(25)) program.sub_group_size = 4U << below(4);
  }

  static Expression of(Op op, std::vector<Expression> operands) { return {op, 0, std::move(operands)}; }
  Expression literal(uint64_t number) { return {Op::kLiteral, static_cast<uint32_t>(number)}; }
  Expression variable() { return {Op::kVariable, static_cast<uint32_t>(below(next_variable_))}; }

  Expression leaf() {
    switch (below(8)) {
    case 0: return literal(below(20));
    case 1: return {Op::kGlobalId};
    case 2: return {Op::kLocalId};
    case 3: return {Op::kUniform};
    case 4: return of(Op::kInput, {variable()});
    default: return variable();
    }
  }

  Expression value(int depth = 2) {
    if (depth == 0 || chance(30)) return leaf();
    constexpr std::array kOps = {Op::kAdd, Op::kMultiply, Op::kXor, Op::kAnd, Op::kShift};
    return of(kOps[below(kOps.size())], {value(depth - 1), value(depth - 1)});
  }

  /// A condition with the same value for all work-items.
  Expression uniform_condition() {
    const Expression argument{Op::kUniform};
    if (chance(50)) return of(Op::kLess, {literal(below(20)), argument});
    return of(Op::kAnd, {argument, literal(1 + below(3))});
  }

  Expression condition(bool uniform) {
    if (uniform || chance(25)) return uniform_condition();
    const Expression id{chance(50) ? Op::kGlobalId : Op::kLocalId};
    switch (below(4)) {
    case 0: return of(Op::kAnd, {id, literal(1 + below(7))});
    case 1: return of(Op::kLess, {literal(below(20)), id});
    case 2: return of(Op::kEqual, {of(Op::kAnd, {variable(), literal(3)}), literal(below(4))});
    default: return of(Op::kAnd, {value(), literal(1 + below(3))});
    }
  }

  Block block(uint64_t statements, Place place) {
    Block made;
    for (; statements > 0; --statements) statement(made, place);
    return made;
  }

  Place inside(const Place &place, bool uniform) const {
    Place inner = place;
    ++inner.depth;
    inner.uniform = place.uniform && uniform;
    return inner;
  }

  Statement leaf_statement() {
    if (chance(30)) return {.kind = Kind::kStore, .value = value()};
    return {.kind = Kind::kAssign, .variable = chance(70) ? static_cast<unsigned>(below(2)) : 3, .value = value()};
  }

  void statement(Block &to, const Place &place) {
    if (has_gotos_ && chance(15)) {
      to.push_back({.kind = Kind::kLabel, .number = labels_++});
      to.push_back(leaf_statement());
    }
    const uint64_t kind = below(100);
    if (place.depth >= deepest_ || kind < 25)
      to.push_back(leaf_statement());
    else if (kind < 45)
      to.push_back(branch(place));
    else if (kind < 65)
      to.push_back(loop(place));
    else if (kind < 72)
      to.push_back(multiway(place));
    else if (place.uniform && exchanges_ && kind < 82)
      to.push_back({.kind = Kind::kExchange});
    else
      to.push_back(jump(place));
  }

  Statement branch(const Place &place) {
    const bool uniform = place.uniform && chance(50);
    Statement made{.kind = Kind::kIf, .value = condition(uniform)};
    for (uint64_t bodies = 1 + below(2); bodies > 0; --bodies)
      made.bodies.push_back(block(1 + below(3), inside(place, uniform)));
    return made;
  }

  Statement loop(const Place &place) {
    const bool uniform = place.uniform && chance(60);
    constexpr std::array kLoops = {Kind::kFor, Kind::kDo, Kind::kForever};
    Statement made{.kind = kLoops[below(kLoops.size())], .variable = next_variable_++};
    made.number = static_cast<uint32_t>(1 + below(4));
    if (made.kind == Kind::kDo)
      made.value = condition(uniform);
    else
      made.value = uniform || chance(40) ? (chance(50) ? Expression{Op::kUniform} : literal(1 + below(3))) : value();
    Place inner = inside(place, uniform);
    ++inner.loops;
    inner.in_switch = false;
    made.bodies.push_back(block(1 + below(4), inner));
    return made;
  }

  Statement multiway(const Place &place) {
    const bool uniform = place.uniform && chance(50);
    Statement made{.kind = Kind::kSwitch, .number = static_cast<uint32_t>(below(16))};
    made.value = uniform ? Expression{Op::kUniform} : value();
    Place inner = inside(place, uniform);
    inner.in_switch = true;
    for (int i = 0; i < 4; ++i) made.bodies.push_back(block(below(3), inner));
    return made;
  }

  /// A conditional jump; its condition may be uniform.
  Statement jump(const Place &place) {
    Statement guarded{.kind = Kind::kIf, .value = condition(false)};
    const uint64_t kind = below(10);
    if (has_gotos_ && kind < 5)
      return {.kind = Kind::kGoto, .variable = next_variable_++, .number = 0, .value = condition(false)};
    if (kind == 9) return {.kind = Kind::kReturn, .value = condition(false)};
    if (place.loops == 0) return leaf_statement();
    Statement leave{.kind = kind < 5 ? Kind::kContinue : Kind::kBreak,
                    .number = static_cast<uint32_t>(chance(60) ? 0 : below(place.loops))};
    guarded.bodies.push_back({leave});
    return guarded;
  }

  /// Gives each goto a label of the program, and marks forward ones.
  void direct(Block &body) {
    const uint32_t labels = labels_;
    for (Statement &statement : body) {
      if (statement.kind == Kind::kLabel) passed_.push_back(statement.number);
      if (statement.kind == Kind::kGoto && labels > 0) {
        statement.number = static_cast<uint32_t>(below(labels));
        statement.forward = std::find(passed_.begin(), passed_.end(), statement.number) == passed_.end();
      } else if (statement.kind == Kind::kGoto) {
        statement = leaf_statement();
      }
      for (Block &inner : statement.bodies) direct(inner);
    }
  }

  std::mt19937_64 random_;
  int deepest_;
  bool has_gotos_ = false, exchanges_ = false;
  uint32_t labels_ = 0;
  std::vector<uint32_t> passed_;
  unsigned next_variable_ = 0;
};

}  // namespace

Program generate(uint64_t seed, int deepest) {
  for (uint64_t attempt = 0;; ++attempt) {
    Program program = Generator(seed * 0x9e3779b97f4a7c15 + attempt, deepest).run();
    if (interpret(program)) return program;
  }
}

}  // namespace upsweep::fuzz::flow
