// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries to remove statements, to replace a statement by its body, and an expression by an operand or a literal, until no
// change keeps the failure.
#include "kernel_shrinker.h"

namespace upsweep::fuzz {
namespace {

class Shrinker {
public:
  Shrinker(Program program, const std::function<bool(const Program &)> &still_fails)
      : program_(std::move(program)), still_fails_(still_fails) {}

  Program run() {
    do {
      progress_ = false;
      statements(program_.body);
      for (Helper &helper : program_.helpers) {
        statements(helper.body);
        expression(helper.result);
        starts(helper.variables, 2);
      }
      starts(program_.variables, 0);
    } while (progress_);
    return std::move(program_);
  }

private:
  /// Keeps the change if the program still fails.
  template <typename T>
  bool attempt(T &place, T replacement) {
    std::swap(place, replacement);
    if (still_fails_(program_)) return progress_ = true;
    std::swap(place, replacement);
    return false;
  }

  void starts(std::vector<Variable> &variables, size_t parameters) {
    for (size_t v = parameters; v < variables.size(); ++v) expression(variables[v].start);
  }

  void statements(std::vector<Statement> &body) {
    for (size_t i = body.size(); i-- > 0;) {
      std::vector<Statement> without = body;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      if (attempt(body, without)) continue;
      bool replaced = false;
      if (body[i].kind == Statement::Kind::kIf)
        for (const std::vector<Statement> &inner : body[i].bodies) {
          std::vector<Statement> flat = without;
          flat.insert(flat.begin() + static_cast<std::ptrdiff_t>(i), inner.begin(), inner.end());
          if (!inner.empty() && (replaced = attempt(body, flat))) break;
        }
      if (replaced) continue;
      for (std::vector<Statement> &inner : body[i].bodies) statements(inner);
      expression(body[i].value);
      expression(body[i].index);
    }
  }

  void expression(Expression &e) {
    if (e.op == Op::kLiteral || e.op == Op::kVariable) return;
    for (const Expression &argument : std::vector<Expression>(e.arguments))
      if (argument.type == e.type && attempt(e, argument)) return expression(e);
    if (attempt(e, Expression{.op = Op::kLiteral, .type = e.type, .number = 1})) return;
    for (Expression &argument : e.arguments) expression(argument);
  }

  Program program_;
  const std::function<bool(const Program &)> &still_fails_;
  bool progress_ = false;
};

}  // namespace

Program shrunk(Program program, const std::function<bool(const Program &)> &still_fails) {
  return Shrinker(std::move(program), still_fails).run();
}

}  // namespace upsweep::fuzz
