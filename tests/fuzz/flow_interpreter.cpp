// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the output of a program of control flow. Statements become steps with jumps, and each work-item runs one step after
// another. It shares no code with the compiler under test.
#include "flow_program.h"

#include <algorithm>

namespace upsweep::fuzz::flow {
namespace {

using Op = Expression::Op;
using Kind = Statement::Kind;

constexpr size_t kMostSteps = 6000;  // of a work-item

struct Step {
  enum class Kind : uint8_t { kAssign, kStore, kIncrement, kUnless, kJump, kExchange, kReturn, kEnd } kind;
  unsigned variable = 0;
  Expression value{};
  size_t target = 0;
};

class Steps {
public:
  explicit Steps(const Program &program) {
    add(program.body);
    const size_t returned = made_.size() + program.variables;
    for (unsigned v = 0; v < program.variables; ++v) emit({Step::Kind::kStore, 0, {Op::kVariable, v}});
    emit({Step::Kind::kEnd});
    for (auto [step, label] : gotos_) made_[step].target = labels_[label];
    for (size_t step : returns_) made_[step].target = returned;
  }
  std::vector<Step> take() { return std::move(made_); }

private:
  struct Loop {
    std::vector<size_t> breaks, continues;
  };

  size_t emit(Step step) {
    made_.push_back(std::move(step));
    return made_.size() - 1;
  }
  /// A jump whose target is set later.
  size_t unless(Expression value) { return emit({Step::Kind::kUnless, 0, std::move(value)}); }
  size_t jump() { return emit({Step::Kind::kJump}); }
  void land(size_t step) { made_[step].target = made_.size(); }
  void land(const std::vector<size_t> &steps) {
    for (size_t step : steps) land(step);
  }

  static Expression variable(unsigned number) { return {Op::kVariable, number}; }
  static Expression literal(uint32_t number) { return {Op::kLiteral, number}; }
  static Expression low_bits(const Expression &value) { return {Op::kAnd, 0, {value, literal(3)}}; }
  static Expression less(Expression a, Expression b) { return {Op::kLess, 0, {std::move(a), std::move(b)}}; }

  void add(const Block &block) {
    for (const Statement &statement : block) add(statement);
  }

  void add_if(const Statement &statement) {
    const size_t otherwise = unless(statement.value);
    add(statement.bodies[0]);
    if (statement.bodies.size() == 1) return land(otherwise);
    const size_t end = jump();
    land(otherwise);
    add(statement.bodies[1]);
    land(end);
  }

  void add_loop(const Statement &statement) {
    emit({Step::Kind::kAssign, statement.variable, literal(0)});
    const size_t head = made_.size();
    loops_.emplace_back();
    if (statement.kind == Kind::kFor)
      loops_.back().breaks.push_back(unless(less(variable(statement.variable), low_bits(statement.value))));
    if (statement.kind == Kind::kForever) {
      emit({Step::Kind::kIncrement, statement.variable});
      Expression before{Op::kAdd, 0, {variable(statement.variable), literal(UINT32_MAX)}};
      loops_.back().breaks.push_back(unless(less(std::move(before), low_bits(statement.value))));
    }
    add(statement.bodies[0]);
    Loop loop = std::move(loops_.back());
    loops_.pop_back();
    land(loop.continues);
    if (statement.kind != Kind::kForever) emit({Step::Kind::kIncrement, statement.variable});
    if (statement.kind == Kind::kDo) {
      loop.breaks.push_back(unless(less(variable(statement.variable), literal(statement.number))));
      loop.breaks.push_back(unless(statement.value));
    }
    made_[jump()].target = head;
    land(loop.breaks);
  }

  void add_switch(const Statement &statement) {
    std::vector<size_t> entries, ends;
    for (uint32_t i = 0; i < 3; ++i) {
      const size_t other = unless({Op::kEqual, 0, {low_bits(statement.value), literal(i)}});
      entries.push_back(jump());
      land(other);
    }
    entries.push_back(jump());
    for (size_t i = 0; i < 4; ++i) {
      land(entries[i]);
      add(statement.bodies[i]);
      if (!(statement.number >> i & 1)) ends.push_back(jump());
    }
    land(ends);
  }

  void add_goto(const Statement &statement) {
    std::vector<size_t> stays = {unless(statement.value)};
    if (!statement.forward) {
      emit({Step::Kind::kIncrement, statement.variable});
      stays.push_back(unless(less(variable(statement.variable), literal(3))));
    }
    gotos_.push_back({jump(), statement.number});
    land(stays);
  }

  void add(const Statement &statement) {
    switch (statement.kind) {
    case Kind::kAssign: emit({Step::Kind::kAssign, statement.variable, statement.value}); break;
    case Kind::kStore: emit({Step::Kind::kStore, 0, statement.value}); break;
    case Kind::kIf: return add_if(statement);
    case Kind::kFor:
    case Kind::kDo:
    case Kind::kForever: return add_loop(statement);
    case Kind::kSwitch: return add_switch(statement);
    case Kind::kBreak: loops_[loops_.size() - 1 - statement.number].breaks.push_back(jump()); break;
    case Kind::kContinue: loops_[loops_.size() - 1 - statement.number].continues.push_back(jump()); break;
    case Kind::kGoto: return add_goto(statement);
    case Kind::kLabel:
      labels_.resize(std::max<size_t>(labels_.size(), statement.number + 1));
      labels_[statement.number] = made_.size();
      break;
    case Kind::kReturn: {
      const size_t stays = unless(statement.value);
      returns_.push_back(jump());
      land(stays);
      break;
    }
    case Kind::kExchange: emit({Step::Kind::kExchange}); break;
    }
  }

  std::vector<Step> made_;
  std::vector<Loop> loops_;
  std::vector<std::pair<size_t, uint32_t>> gotos_;
  std::vector<size_t> labels_, returns_;
};

struct Item {
  uint32_t global_id = 0, local_id = 0, output = 0;
  std::vector<uint32_t> variables;
  size_t at = 0, steps = 0;
};

class Interpreter {
public:
  explicit Interpreter(const Program &program) : program_(program), steps_(Steps(program).take()), in_(inputs()) {}

  std::optional<std::vector<uint32_t>> run() {
    const auto [width, height] = program_.global;
    output_.resize(width * height);
    for (size_t y = 0; y < height; y += program_.local[1])
      for (size_t x = 0; x < width; x += program_.local[0])
        if (!run_group(x, y, std::min(program_.local[0], width - x), std::min(program_.local[1], height - y)))
          return std::nullopt;
    return output_;
  }

private:
  bool run_group(size_t x, size_t y, size_t width, size_t height) {
    std::vector<Item> items;
    for (size_t row = 0; row < height; ++row)
      for (size_t column = 0; column < width; ++column) {
        Item item;
        item.global_id = static_cast<uint32_t>((y + row) * program_.global[0] + x + column);
        item.local_id = static_cast<uint32_t>(items.size());
        item.variables = {item.global_id, item.local_id, program_.argument, program_.argument + 5};
        item.variables.resize(program_.variables);
        items.push_back(std::move(item));
      }
    for (;;) {
      for (Item &item : items)
        if (!run_to_barrier(item)) return false;
      if (steps_[items[0].at].kind == Step::Kind::kEnd) break;
      if (!exchange(items)) return false;
    }
    for (const Item &item : items) {
      if (steps_[item.at].kind != Step::Kind::kEnd) return false;
      output_[item.global_id] = item.output;
    }
    return true;
  }

  bool exchange(std::vector<Item> &items) const {
    std::vector<uint32_t> values;
    for (const Item &item : items) {
      if (item.at != items[0].at) return false;
      values.push_back(item.variables[0]);
    }
    for (Item &item : items) {
      item.variables[1] ^= values[(item.local_id + 1) % values.size()];
      ++item.at;
    }
    return true;
  }

  bool run_to_barrier(Item &item) const {
    for (;; ++item.steps) {
      const Step &step = steps_[item.at];
      if (step.kind == Step::Kind::kEnd || step.kind == Step::Kind::kExchange) return true;
      if (item.steps == kMostSteps) return false;
      ++item.at;
      switch (step.kind) {
      case Step::Kind::kAssign: item.variables[step.variable] = evaluate(step.value, item); break;
      case Step::Kind::kStore: item.output = item.output * 33 + evaluate(step.value, item); break;
      case Step::Kind::kIncrement: ++item.variables[step.variable]; break;
      case Step::Kind::kUnless:
        if (evaluate(step.value, item) == 0) item.at = step.target;
        break;
      default: item.at = step.target;
      }
    }
  }

  uint32_t evaluate(const Expression &value, const Item &item) const {
    const auto operand = [&](size_t i) { return evaluate(value.operands[i], item); };
    switch (value.op) {
    case Op::kLiteral: return value.number;
    case Op::kVariable: return item.variables[value.number];
    case Op::kGlobalId: return item.global_id;
    case Op::kLocalId: return item.local_id;
    case Op::kUniform: return program_.argument;
    case Op::kInput: return in_[operand(0) & 63];
    case Op::kAdd: return operand(0) + operand(1);
    case Op::kMultiply: return operand(0) * operand(1);
    case Op::kXor: return operand(0) ^ operand(1);
    case Op::kAnd: return operand(0) & operand(1);
    case Op::kShift: return operand(0) >> (operand(1) & 7);
    case Op::kLess: return operand(0) < operand(1);
    case Op::kEqual: return operand(0) == operand(1);
    }
    return 0;
  }

  const Program &program_;
  std::vector<Step> steps_;
  std::array<uint32_t, kInputs> in_;
  std::vector<uint32_t> output_;
};

}  // namespace

std::array<uint32_t, kInputs> inputs() {
  std::array<uint32_t, kInputs> made{};
  for (uint32_t i = 0; i < kInputs; ++i) made[i] = i * 2654435761u ^ i >> 3;
  return made;
}

std::optional<std::vector<uint32_t>> interpret(const Program &program) { return Interpreter(program).run(); }

}  // namespace upsweep::fuzz::flow
