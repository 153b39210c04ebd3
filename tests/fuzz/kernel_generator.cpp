// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws a program from the grammar. Barriers and collectives come only where all work-items of the group come (those of
// non-uniform sub-groups anywhere outside loops that work-items leave one by one), and conditions there are of uniform values.
#include "kernel_program.h"

#include <algorithm>
#include <random>

namespace upsweep::fuzz {
namespace {

constexpr std::array<unsigned, 6> kWidths = {1, 2, 3, 4, 8, 16};
constexpr int kDeepestNest = 3, kDeepestExpression = 4, kDeepestLoop = 2;

class Generator {
public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  Program run() {
    shape();
    for (uint64_t count = below(3); count > 0; --count) helper();
    program_.variables.clear();
    variables_ = &program_.variables;
    for (uint64_t count = 3 + below(5); count > 0; --count) declare(any_type());
    program_.variables.push_back({{Base::kUint, 1}, literal({Base::kUint, 1})});
    program_.variables.push_back({{Base::kUint, 4}, literal({Base::kUint, 4})});  // a ballot's
    assignable_ = program_.variables.size();
    program_.body = block(5 + below(10), {.uniform = true, .kernel = true});
    return std::move(program_);
  }

private:
  /// Where a statement stands.
  struct Place {
    bool uniform = false;  ///< all work-items of the group come here together
    bool kernel = false;   ///< not in a helper
    bool exits = false;    ///< in a loop that work-items may leave one by one
    bool in_switch = false;
    int nest = 0, loops = 0;
  };

  uint64_t below(uint64_t n) { return random_() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }

  void shape() {
    constexpr std::array<std::array<size_t, 3>, 10> kLocals = {
        {{1, 1, 1}, {5, 1, 1}, {8, 1, 1}, {16, 1, 1}, {17, 1, 1}, {32, 1, 1}, {40, 1, 1}, {8, 4, 1}, {5, 3, 2}, {3, 7, 1}}};
    program_.local = kLocals[below(kLocals.size())];
    for (size_t d = 0; d < 3; ++d) {
      program_.global[d] = program_.local[d] * (d == 2 ? 1 : 1 + below(2));
      // A last group that is smaller.
      if (program_.local[d] > 1 && chance(20)) program_.global[d] += 1 + below(program_.local[d] - 1);
    }
    for (uint32_t &argument : program_.arguments) argument = chance(50) ? static_cast<uint32_t>(below(9)) : number32();
  }

  void helper() {
    Helper made;
    made.inlined = chance(50);
    made.variables = {{{Base::kUint, 1}}, {{Base::kUint, 1}}};
    variables_ = &made.variables;
    assignable_ = 2;
    for (uint64_t count = 1 + below(3); count > 0; --count) declare(any_type());
    assignable_ = made.variables.size();
    made.body = block(2 + below(4), {.nest = 1, .loops = 1});
    made.result = expression({Base::kUint, 1}, 2);
    program_.helpers.push_back(std::move(made));
  }

  void declare(Type type) {
    variables_->push_back({type, expression(type, 2)});
    assignable_ = variables_->size();
  }

  // Types and numbers.

  Type any_type() {
    const Base base = chance(40) ? (chance(50) ? Base::kInt : Base::kUint) : static_cast<Base>(below(9));
    return {base, chance(55) ? 1 : kWidths[below(kWidths.size())]};
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
    if (chance(50)) return converted(type, 0);
    return literal(type);
  }

  Expression make(Op op, Type type, std::vector<Expression> arguments) {
    return {.op = op, .type = type, .arguments = std::move(arguments)};
  }

  /// From a type that is at hand.
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
    return make(chance(50) ? Op::kInput : Op::kElement, type, {expression(type, depth - 1)});
  }

  Expression chosen(Type type, int depth) {
    const Type condition{type.width == 1 ? Base::kInt : signed_of(type.base), type.width};
    const bool selectable = type.width > 1 || bits_of(type.base) == 32;
    Expression test = chance(60) ? truth(condition, depth - 1) : expression(condition, depth - 1);
    return make(selectable && chance(50) ? Op::kSelect : Op::kChoose, type,
                {std::move(test), expression(type, depth - 1), expression(type, depth - 1)});
  }

  /// A comparison that gives this type, a signed integer.
  Expression truth(Type type, int depth) {
    std::vector<Base> bases;
    for (int b = 0; b < 9; ++b)
      if (truth_of({static_cast<Base>(b), type.width}) == type) bases.push_back(static_cast<Base>(b));
    if (bases.empty()) return leaf(type);
    const Type operand{bases[below(bases.size())], type.width};
    // Clang 19 evaluates && and || of constant vectors to 1 where the specification has -1.
    const bool logical = !is_float(operand.base) && (operand.width == 1 || has_variable(operand));
    Expression left = operand.width > 1 && logical
                          ? Expression{.op = Op::kVariable, .type = operand, .number = variable_of(operand)}
                          : expression(operand, depth - 1);
    return make(static_cast<Op>(static_cast<unsigned>(Op::kLess) + below(logical ? 6 : 4)), type,
                {std::move(left), expression(operand, depth - 1)});
  }

  Expression rearranged(Type type, int depth) {
    if (type.width == 1 || chance(60)) {
      Expression e = make(Op::kSwizzle, type, {expression({type.base, kWidths[1 + below(5)]}, depth - 1)});
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

  /// The same for all work-items of a group.
  Expression uniform(int depth) {
    const Type type{Base::kUint, 1};
    if (depth > 0) return make(chance(50) ? Op::kAdd : Op::kXor, type, {uniform(depth - 1), uniform(depth - 1)});
    if (!uniform_counters_.empty() && chance(50))
      return {.op = Op::kVariable, .type = type, .number = uniform_counters_[below(uniform_counters_.size())]};
    if (chance(30)) return literal(type);
    const Op op = chance(50) ? Op::kArgument : Op::kGroupId;
    return {.op = op, .type = type, .number = op == Op::kArgument ? below(2) : 0};
  }

  // Statements.

  std::vector<Statement> block(uint64_t count, Place place) {
    std::vector<Statement> body;
    for (; count > 0; --count) body.push_back(statement(place));
    return body;
  }

  Statement statement(Place place) {
    using Kind = Statement::Kind;
    const uint64_t kind = below(100);
    if (place.kernel && kind < 22 && (place.uniform || !place.exits)) {
      if (place.uniform && kind < 7) return exchange();
      if (place.uniform || kind < 8) return collective(place);
    }
    if (place.nest < kDeepestNest) {
      if (kind < 40) return branch(place);
      if (kind < 52 && place.loops < kDeepestLoop) return loop(place);
      if (kind < 57 && !place.uniform) return switched(place);
    }
    if (kind < 62 && (place.exits || place.in_switch) && !place.uniform) {
      Statement s{.kind = Kind::kIf, .value = condition(), .bodies = {{}, {}}};
      s.bodies[0].push_back({.kind = chance(50) && place.exits ? Kind::kContinue : Kind::kBreak});
      return s;
    }
    if (kind < 66 && !place.kernel) {
      Statement s{.kind = Kind::kIf, .value = condition(), .bodies = {{}, {}}};
      s.bodies[0].push_back({.kind = Kind::kReturn, .value = expression({Base::kUint, 1}, 2)});
      return s;
    }
    if (kind < 68 && place.kernel)
      return {.kind = Kind::kAtomic,
              .value = expression({Base::kUint, 1}, 3),
              .index = expression({Base::kUint, 1}, 2),
              .combination = static_cast<Combination>(below(3))};
    return assignment();
  }

  unsigned target() {
    // The parameters of a helper may be assigned too.
    return static_cast<unsigned>(below(assignable_));
  }

  Statement assignment() {
    using Kind = Statement::Kind;
    if (chance(10))
      return {.kind = Kind::kAssignElement, .value = expression({Base::kUint, 1}, 3), .index = expression({Base::kUint, 1}, 2)};
    const unsigned v = target();
    const Type type = (*variables_)[v].type;
    if (type.width > 1 && chance(30))
      return {
          .kind = Kind::kAssignComponent, .variable = v, .number = below(type.width), .value = expression({type.base, 1}, 3)};
    return {.kind = Kind::kAssign, .variable = v, .value = expression(type, kDeepestExpression)};
  }

  Statement branch(Place place) {
    const bool together = place.uniform && chance(50);
    Statement s{.kind = Statement::Kind::kIf, .value = together ? uniform_condition() : condition()};
    place.uniform = together;
    ++place.nest;
    s.bodies.push_back(block(1 + below(3), place));
    s.bodies.push_back(chance(50) ? block(1 + below(3), place) : std::vector<Statement>{});
    return s;
  }

  Expression uniform_condition() { return make(Op::kLess, {Base::kInt, 1}, {uniform(1), uniform(0)}); }

  unsigned counter() {
    variables_->push_back({{Base::kUint, 1}, literal({Base::kUint, 1})});
    return static_cast<unsigned>(variables_->size() - 1);
  }

  Statement loop(Place place) {
    using Kind = Statement::Kind;
    const bool together = place.uniform && chance(60), counts_up = together || chance(60);
    Statement s{.kind = counts_up ? Kind::kFor : Kind::kDo, .variable = counter()};
    s.number = counts_up ? (chance(50) ? 3 : 7) : 1 + below(6);
    s.value = together ? uniform(1) : counts_up ? expression({Base::kUint, 1}, 2) : condition();
    place.uniform = together;
    place.exits = !together;
    place.in_switch = false;
    ++place.nest;
    ++place.loops;
    if (together) uniform_counters_.push_back(s.variable);
    s.bodies.push_back(block(1 + below(4), place));
    if (together) uniform_counters_.pop_back();
    return s;
  }

  Statement switched(Place place) {
    Statement s{.kind = Statement::Kind::kSwitch, .number = below(16), .value = expression({Base::kUint, 1}, 2)};
    place.in_switch = true;
    ++place.nest;
    for (int i = 0; i < 4; ++i) s.bodies.push_back(block(1 + below(2), place));
    return s;
  }

  Statement exchange() {
    const unsigned v = target();
    return {
        .kind = Statement::Kind::kExchange, .variable = v, .number = below(40), .value = expression((*variables_)[v].type, 2)};
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

  Statement collective(Place place) {
    constexpr std::array<Base, 4> kBases = {Base::kInt, Base::kUint, Base::kLong, Base::kUlong};
    Statement s{.kind = Statement::Kind::kCollective};
    s.scope = !place.uniform ? Scope::kNonUniform : chance(50) ? Scope::kWorkGroup : Scope::kSubGroup;
    s.collective = static_cast<Collective>(below(8));
    s.combination = static_cast<Combination>(below(3));
    if (s.scope == Scope::kNonUniform && (s.collective == Collective::kBroadcast || s.collective == Collective::kShuffle))
      s.collective = Collective::kReduce;
    if (s.scope == Scope::kWorkGroup && s.collective >= Collective::kShuffle) s.collective = Collective::kInclusive;
    Type type{kBases[below(kBases.size())], 1};
    if (s.collective == Collective::kAll || s.collective == Collective::kAny) type = {Base::kInt, 1};
    Type stored = s.collective == Collective::kBallot ? Type{Base::kUint, 4} : type;
    if (!find(stored, s.variable)) {
      stored = type = {Base::kUint, 1};
      if (s.collective >= Collective::kAll) s.collective = Collective::kInclusive;
      find(stored, s.variable);
    }
    s.number = below(40);
    s.value = s.collective == Collective::kBallot ? condition() : expression(type, 3);
    s.index = expression({Base::kUint, 1}, 2);
    return s;
  }

  std::mt19937_64 random_;
  Program program_;
  std::vector<Variable> *variables_ = nullptr;
  size_t assignable_ = 0;  ///< variables before this one; those after it count loops
  std::vector<unsigned> uniform_counters_;
  int calls_ = 0;
};

}  // namespace

Program generate(uint64_t seed) { return Generator(seed).run(); }

}  // namespace upsweep::fuzz
