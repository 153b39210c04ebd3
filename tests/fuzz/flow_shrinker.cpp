// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes programs of control flow smaller, one edit at a time.
#include "flow_program.h"

#include <algorithm>

namespace upsweep::fuzz::flow {
namespace {

using Kind = Statement::Kind;

class Edit {
public:
  explicit Edit(size_t number) : left_(number) {}

  bool apply(Block &block) {
    for (size_t i = 0; i < block.size(); ++i) {
      if (is_this()) {
        block.erase(block.begin() + static_cast<ptrdiff_t>(i));
        return true;
      }
      if (apply(block, i)) return true;
    }
    return false;
  }

private:
  bool is_this() { return left_-- == 0; }

  /// Replaces a statement by one of its bodies, or simplifies a part of it.
  bool apply(Block &block, size_t at) {
    for (size_t b = 0; b < block[at].bodies.size(); ++b) {
      if (is_this()) {
        Block body = std::move(block[at].bodies[b]);
        block.erase(block.begin() + static_cast<ptrdiff_t>(at));
        block.insert(block.begin() + static_cast<ptrdiff_t>(at), body.begin(), body.end());
        return true;
      }
      if (apply(block[at].bodies[b])) return true;
    }
    return apply(block[at].value);
  }

  bool apply(Expression &value) {
    for (size_t i = 0; i < value.operands.size(); ++i) {
      if (is_this()) {
        Expression operand = value.operands[i];
        value = std::move(operand);
        return true;
      }
      if (apply(value.operands[i])) return true;
    }
    return false;
  }

  size_t left_;
};

/// Whether each jump has its loop, and each goto its label.
bool is_whole(const Block &block, size_t loops, std::vector<uint32_t> &labels, std::vector<uint32_t> &gotos) {
  for (const Statement &statement : block) {
    const bool loop = statement.kind == Kind::kFor || statement.kind == Kind::kDo || statement.kind == Kind::kForever;
    if ((statement.kind == Kind::kBreak || statement.kind == Kind::kContinue) && statement.number >= loops) return false;
    if (statement.kind == Kind::kLabel) labels.push_back(statement.number);
    if (statement.kind == Kind::kGoto) gotos.push_back(statement.number);
    for (const Block &body : statement.bodies)
      if (!is_whole(body, loops + (loop ? 1 : 0), labels, gotos)) return false;
  }
  return true;
}

}  // namespace

std::optional<Program> edited(Program program, size_t edit, bool &last) {
  last = !Edit(edit).apply(program.body);
  std::vector<uint32_t> labels, gotos;
  if (last || !is_whole(program.body, 0, labels, gotos)) return std::nullopt;
  for (uint32_t label : gotos)
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) return std::nullopt;
  if (!interpret(program)) return std::nullopt;
  return program;
}

}  // namespace upsweep::fuzz::flow
