// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws a program from the grammar. Barriers and collectives appear only where all work-items of the group arrive, and
// conditions around them are uniform. Collectives of non-uniform sub-groups may appear anywhere outside loops that work-items
// leave in different rounds.
#include "kernel_places.h"

namespace upsweep::fuzz {
namespace {

constexpr int kDeepestNest = 4, kDeepestExpression = 4, kDeepestLoop = 3;

class Generator : PlaceDrawing {
public:
  explicit Generator(uint64_t seed) : PlaceDrawing(seed) {}

  Program run() {
    tiny_ = chance(70);
    small_ = tiny_ || chance(75);
    shape();
    program_.crate = any_type();
    if (chance(20)) program_.sub_group_size = 4U << below(4);
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
    bool uniform = false;  ///< all work-items of the group arrive here together
    bool sub = false;      ///< all work-items of a sub-group
    bool kernel = false;   ///< not in a helper
    bool exits = false;    ///< in a loop that work-items may leave in different rounds
    bool in_switch = false;
    int nest = 0, loops = 0;
  };

  void shape() {
    constexpr std::array<std::array<size_t, 3>, 10> kLocals = {
        {{1, 1, 1}, {5, 1, 1}, {8, 1, 1}, {16, 1, 1}, {17, 1, 1}, {32, 1, 1}, {40, 1, 1}, {8, 4, 1}, {5, 3, 2}, {3, 7, 1}}};
    program_.local = kLocals[below(kLocals.size())];
    for (size_t d = 0; d < 3; ++d) {
      program_.global[d] = program_.local[d] * (d == 2 ? 1 : 1 + below(2));
      // The last group may be smaller.
      if (program_.local[d] > 1 && chance(20)) program_.global[d] += 1 + below(program_.local[d] - 1);
    }
    for (uint32_t &argument : program_.arguments) argument = chance(50) ? static_cast<uint32_t>(below(9)) : number32();
  }

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

  Statement collective(Place place) {
    constexpr std::array<Base, 8> kBases = {Base::kInt,  Base::kUint,  Base::kLong,  Base::kUlong,
                                            Base::kChar, Base::kUchar, Base::kShort, Base::kUshort};
    Statement s{.kind = Statement::Kind::kCollective};
    s.scope = place.uniform && chance(50)  ? Scope::kWorkGroup
              : place.uniform || place.sub ? Scope::kSubGroup
                                           : Scope::kNonUniform;
    s.collective = static_cast<Collective>(below(8));
    s.combination = static_cast<Combination>(below(3));
    if (s.scope == Scope::kNonUniform && (s.collective == Collective::kBroadcast || s.collective == Collective::kShuffle))
      s.collective = Collective::kReduce;
    if (s.scope == Scope::kWorkGroup && s.collective >= Collective::kShuffle) s.collective = Collective::kInclusive;
    // Types below 32 bits need cl_khr_subgroup_extended_types.
    Type type{kBases[below(s.scope == Scope::kWorkGroup ? 4 : kBases.size())], 1};
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

  unsigned pointers_ = 0;
};

}  // namespace

Program generate(uint64_t seed) { return Generator(seed).run(); }

}  // namespace upsweep::fuzz
