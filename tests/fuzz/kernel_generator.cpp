// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws a program from the grammar. Barriers and collectives come only where all work-items of the group come (those of
// non-uniform sub-groups anywhere outside loops that work-items leave one by one), and conditions there are of uniform values.
#include "kernel_program.h"

#include <algorithm>
#include <bit>
#include <random>

namespace upsweep::fuzz {
namespace {

constexpr std::array<unsigned, 6> kWidths = {1, 2, 3, 4, 8, 16};
constexpr int kDeepestNest = 4, kDeepestExpression = 4, kDeepestLoop = 3;

class Generator {
public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  Program run() {
    tiny_ = chance(70);
    small_ = tiny_ || chance(75);
    shape();
    program_.crate = any_type();
    for (uint64_t count = tiny_ ? chance(10) : below(small_ ? 2 : 3); count > 0; --count) helper();
    program_.variables.clear();
    variables_ = &program_.variables;
    for (uint64_t count = tiny_ ? 2 : 2 + below(small_ ? 2 : 6); count > 0; --count) declare(any_type());
    if (chance(35)) program_.members = static_cast<unsigned>(2 + below(program_.variables.size() - 1));
    program_.variables.push_back({{Base::kUint, 1}, literal({Base::kUint, 1})});
    if (!small_) program_.variables.push_back({{Base::kUint, 4}, literal({Base::kUint, 4})});  // a ballot's
    assignable_ = program_.variables.size();
    regions();
    const uint64_t statements = tiny_ ? 1 + below(2) : small_ ? 2 + below(4) : 5 + below(10);
    program_.body = block(statements, {.uniform = true, .kernel = true, .nest = tiny_ ? 1 : 0});
    return std::move(program_);
  }

private:
  /// Where a statement stands.
  struct Place {
    bool uniform = false;  ///< all work-items of the group come here together
    bool sub = false;      ///< all those of a sub-group do
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

  bool is_line() const { return program_.global[1] == 1 && program_.global[2] == 1; }

  void helper() {
    Helper made;
    in_helper_ = true;
    made.inlined = chance(50);
    made.variables = {{{Base::kUint, 1}}, {{Base::kUint, 1}}};
    variables_ = &made.variables;
    assignable_ = 2;
    for (uint64_t count = 1 + below(3); count > 0; --count) declare(any_type());
    assignable_ = made.variables.size();
    made.body = block(2 + below(4), {.nest = 1, .loops = 1});
    made.result = expression({Base::kUint, 1}, 2);
    in_helper_ = false;
    program_.helpers.push_back(std::move(made));
  }

  void declare(Type type) {
    variables_->push_back({type, expression(type, 2)});
    assignable_ = variables_->size();
  }

  // Types and numbers.

  Type any_type() {
    const Base base = chance(40) ? (chance(50) ? Base::kInt : Base::kUint) : static_cast<Base>(below(9));
    return {base, chance(tiny_ ? 85 : small_ ? 75 : 55) ? 1 : kWidths[below(kWidths.size())]};
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
    if (place.kernel && kind < 14 && (place.uniform || place.sub || !place.exits)) {
      if (place.uniform && kind < 4) return exchange();
      if (place.uniform || place.sub || kind < 6) return collective(place);
    }
    if (place.kernel && kind < (tiny_ && place.nest <= 1 ? 65 : 26)) return guarded(place);
    if (place.nest < kDeepestNest) {
      if (kind < 40) return branch(place);
      if (kind < 52 && place.loops < kDeepestLoop) return loop(place);
      if (kind < 57 && !place.uniform && !place.sub) return switched(place);
    }
    if (kind < 62 && (place.exits || place.in_switch) && !place.uniform && !place.sub) {
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
    if (chance(20)) return to_memory();
    const unsigned v = target();
    const Type type = (*variables_)[v].type;
    if (type.width > 1 && chance(30))
      return {
          .kind = Kind::kAssignComponent, .variable = v, .number = below(type.width), .value = expression({type.base, 1}, 3)};
    return {.kind = Kind::kAssign, .variable = v, .value = expression(type, kDeepestExpression)};
  }

  /// Private arrays, and structures in them.
  Statement to_memory() {
    using Kind = Statement::Kind;
    constexpr Type kNumber{Base::kUint, 1};
    Statement s{.kind = Kind::kAssignElement, .index = expression(kNumber, 2)};
    switch (below(5)) {
    case 0: s.kind = Kind::kAssignCrated; break;
    case 1: s.kind = Kind::kAssignPointed; break;
    case 2:
      s.kind = Kind::kPoint;
      s.value = condition();
      return s;
    case 3:
      if (program_.members > 0 && !in_helper_) s.kind = chance(50) ? Kind::kSave : Kind::kRestore;
      break;
    default: break;
    }
    s.value = expression(s.kind == Kind::kAssignCrated ? program_.crate : kNumber, 3);
    return s;
  }

  Statement branch(Place place) {
    const bool together = (place.uniform || place.sub) && chance(50), of_sub_group = together && place.kernel && chance(30);
    Statement s{.kind = Statement::Kind::kIf,
                .value = of_sub_group ? sub_group_condition()
                         : together   ? uniform_condition()
                                      : condition()};
    place.sub = together;
    place.uniform = place.uniform && together && !of_sub_group;
    ++place.nest;
    s.bodies.push_back(block(1 + below(3), place));
    s.bodies.push_back(chance(50) ? block(1 + below(3), place) : std::vector<Statement>{});
    return s;
  }

  Expression sub_group_condition() {
    const Type type{Base::kUint, 1};
    return make(
        chance(50) ? Op::kLess : Op::kEqual, {Base::kInt, 1},
        {make(Op::kAnd, type, {{.op = Op::kSubGroupId, .type = type}, number(type, 1 + below(3))}), number(type, below(3))});
  }

  Expression uniform_condition() { return make(Op::kLess, {Base::kInt, 1}, {uniform(1), uniform(0)}); }

  unsigned counter() {
    variables_->push_back({{Base::kUint, 1}, literal({Base::kUint, 1})});
    return static_cast<unsigned>(variables_->size() - 1);
  }

  Statement loop(Place place) {
    using Kind = Statement::Kind;
    const bool together = (place.uniform || place.sub) && chance(60), counts_up = together || chance(60);
    Statement s{.kind = counts_up ? Kind::kFor : Kind::kDo, .variable = counter()};
    s.number = counts_up ? (chance(50) ? 3 : 7) : 1 + below(6);
    s.value = together ? uniform(1) : counts_up ? expression({Base::kUint, 1}, 2) : condition();
    place.uniform = place.uniform && together;
    place.sub = together;
    place.exits = !together;
    place.in_switch = false;
    ++place.nest;
    ++place.loops;
    if (together) uniform_counters_.push_back(s.variable);
    s.bodies.push_back(block(1 + below(4), place));
    if (together && chance(30)) {
      Statement leave{.kind = Kind::kIf, .value = uniform_condition(), .bodies = {{}, {}}};
      leave.bodies[0].push_back({.kind = chance(50) ? Kind::kContinue : Kind::kBreak});
      s.bodies[0].insert(s.bodies[0].begin() + static_cast<std::ptrdiff_t>(below(s.bodies[0].size() + 1)), leave);
    }
    if (together) uniform_counters_.pop_back();
    return s;
  }

  Statement switched(Place place) {
    Statement s{.kind = Statement::Kind::kSwitch, .number = below(64), .value = expression({Base::kUint, 1}, 2)};
    place.in_switch = true;
    ++place.nest;
    const uint64_t cases = 1 + below(5), start = below(12), step = chance(60) ? 1 : 1 + below(3);
    for (uint64_t i = 0; i <= cases; ++i) {
      s.bodies.push_back(block(1 + below(2), place));
      if (i < cases && start + i * step <= kSwitchMask) s.labels.push_back(static_cast<uint32_t>(start + i * step));
    }
    s.bodies.resize(s.labels.size() + 1);
    return s;
  }

  // Places in memory, of which each work-item has its own: numbers that step from work-item to work-item, guards that only some
  // of them pass, and what the compiler may make of a number behind its guard.

  /// A place is `times` × index + `plus`, or `plus` - index if `backward`.
  struct Owner {
    Type type;
    Expression index;
    uint64_t limit = 0;  ///< a power of two; work-items with an index below it have a place
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

  /// The place, in one of its spellings. Behind the guard alone they are the same, and none overflows.
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

  Statement guarded(Place place) {
    using Kind = Statement::Kind;
    const auto last = static_cast<unsigned>(program_.regions.size() - 1), region = 1 + static_cast<unsigned>(below(last));
    Owner owner = region == last ? this->owner(false) : owners_[region];
    Expression index = owner.index;
    if (owner.variable != 0 && chance(80)) index = {.op = Op::kVariable, .type = owner.type, .number = owner.variable};
    if (region == last && !uniform_counters_.empty() && chance(60))
      index = make(Op::kAdd, owner.type,
                   {std::move(index),
                    cast(owner.type, {.op = Op::kVariable, .type = {Base::kUint, 1}, .number = uniform_counters_.back()})});
    Statement s{.kind = Kind::kIf, .value = guard(owner, index), .bodies = {{}, {}}};
    place.uniform = place.sub = false;
    place.nest += 2;
    const bool points = chance(40);
    if (points) {
      s.region = region;
      s.variable = ++pointers_;
      s.index = place_of(owner, index, false);
    }
    for (uint64_t count = 1 + below(2); count > 0; --count) {
      if (chance(25)) s.bodies[0].push_back(statement(place));
      Statement access{.kind = Kind::kStore, .number = s.variable, .region = region, .spelling = points && chance(80)};
      access.index = place_of(owner, index, true);
      if ((region == last || chance(30)) && find(program_.regions[region].type, access.variable))
        access.kind = Kind::kLoad;
      else if (region != last)
        access.value = expression(program_.regions[region].type, 2);
      else
        access = assignment();
      s.bodies[0].push_back(std::move(access));
    }
    if (chance(20)) s.bodies[1].push_back(assignment());
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
    s.scope = place.uniform && chance(50)  ? Scope::kWorkGroup
              : place.uniform || place.sub ? Scope::kSubGroup
                                           : Scope::kNonUniform;
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
  std::vector<Owner> owners_;  ///< of each region
  unsigned pointers_ = 0;
  int calls_ = 0;
  bool tiny_ = false, small_ = false, in_helper_ = false;
};

}  // namespace

Program generate(uint64_t seed) { return Generator(seed).run(); }

}  // namespace upsweep::fuzz
