// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a program of control flow as OpenCL C.
#include "flow_program.h"

namespace upsweep::fuzz::flow {
namespace {

using Op = Expression::Op;
using Kind = Statement::Kind;

std::string variable_name(unsigned number) { return "v" + std::to_string(number); }

std::string text_of(const Expression &value) {
  const auto operand = [&](size_t i) { return text_of(value.operands[i]); };
  const auto binary = [&](const char *symbol) { return "(" + operand(0) + " " + symbol + " " + operand(1) + ")"; };
  switch (value.op) {
  case Op::kLiteral: return std::to_string(value.number) + "u";
  case Op::kVariable: return variable_name(value.number);
  case Op::kGlobalId: return "gl";
  case Op::kLocalId: return "lx";
  case Op::kUniform: return "n";
  case Op::kInput: return "in[" + operand(0) + " & 63u]";
  case Op::kAdd: return binary("+");
  case Op::kMultiply: return binary("*");
  case Op::kXor: return binary("^");
  case Op::kAnd: return binary("&");
  case Op::kShift: return "(" + operand(0) + " >> (" + operand(1) + " & 7u))";
  case Op::kLess: return binary("<");
  case Op::kEqual: return binary("==");
  }
  return "";
}

class Printer {
public:
  std::string run(const Program &program, const std::string &suffix) {
    if (program.sub_group_size)
      text_ += "__attribute__((intel_reqd_sub_group_size(" + std::to_string(program.sub_group_size) + ")))\n";
    text_ += "kernel void flow" + suffix + "(global uint *out, global const uint *in, uint n) {\n";
    if (program.exchanges) text_ += "  local uint shared_values[" + std::to_string(kMostItems) + "];\n";
    text_ += "  uint gl = (uint)get_global_linear_id(), lx = (uint)get_local_linear_id();\n";
    text_ += "  uint v0 = gl, v1 = lx, v2 = n, v3 = n + 5u";
    for (unsigned v = 4; v < program.variables; ++v) text_ += ", " + variable_name(v) + " = 0u";
    text_ += ";\n";
    write(program.body);
    for (unsigned v = 0; v < program.variables; ++v) line("out[gl] = out[gl] * 33u + " + variable_name(v) + ";");
    return text_ + "}\n";
  }

private:
  struct Loop {
    uint32_t number;
    unsigned switches;  ///< around the current statement and inside the loop
  };

  void line(const std::string &text) { text_ += std::string(indent_, ' ') + text + "\n"; }

  void write(const Block &block) {
    for (const Statement &statement : block) write(statement);
  }

  void body(const Block &block) {
    indent_ += 2;
    write(block);
    indent_ -= 2;
  }

  void loop(const Statement &statement, const std::string &head, const std::string &tail) {
    const uint32_t number = loops_++;
    open_.push_back({number, 0});
    line(head);
    body(statement.bodies[0]);
    line("  next" + std::to_string(number) + ":;");
    line(tail);
    line("end" + std::to_string(number) + ":;");
    open_.pop_back();
  }

  void write_loop(const Statement &statement) {
    const std::string count = variable_name(statement.variable);
    const std::string limit = "(" + text_of(statement.value) + " & 3u)";
    if (statement.kind == Kind::kFor) {
      loop(statement, "for (" + count + " = 0u; " + count + " < " + limit + "; ++" + count + ") {", "}");
    } else if (statement.kind == Kind::kDo) {
      line(count + " = 0u;");
      loop(statement, "do {",
           "} while (++" + count + " < " + std::to_string(statement.number) + "u && " + text_of(statement.value) + ");");
    } else {
      line(count + " = 0u;");
      loop(statement, "for (;;) { ++" + count + "; if (" + count + " - 1u >= " + limit + ") break;", "}");
    }
  }

  void write_switch(const Statement &statement) {
    line("switch (" + text_of(statement.value) + " & 3u) {");
    if (!open_.empty()) ++open_.back().switches;
    for (size_t i = 0; i < statement.bodies.size(); ++i) {
      line(i + 1 < statement.bodies.size() ? "case " + std::to_string(i) + "u:;" : "default:;");
      body(statement.bodies[i]);
      if (!(statement.number >> i & 1)) line("  break;");
    }
    if (!open_.empty()) --open_.back().switches;
    line("}");
  }

  void write_jump(const Statement &statement) {
    const bool leaves = statement.kind == Kind::kBreak;
    const Loop &loop = open_[open_.size() - 1 - statement.number];
    if (statement.number == 0 && (!leaves || loop.switches == 0))
      line(leaves ? "break;" : "continue;");
    else
      line((leaves ? "goto end" : "goto next") + std::to_string(loop.number) + ";");
  }

  void write(const Statement &statement) {
    const std::string value = text_of(statement.value), variable = variable_name(statement.variable);
    switch (statement.kind) {
    case Kind::kAssign: return line(variable + " = " + value + ";");
    case Kind::kStore: return line("out[gl] = out[gl] * 33u + " + value + ";");
    case Kind::kIf:
      line("if (" + value + ") {");
      body(statement.bodies[0]);
      if (statement.bodies.size() > 1) {
        line("} else {");
        body(statement.bodies[1]);
      }
      return line("}");
    case Kind::kFor:
    case Kind::kDo:
    case Kind::kForever: return write_loop(statement);
    case Kind::kSwitch: return write_switch(statement);
    case Kind::kBreak:
    case Kind::kContinue: return write_jump(statement);
    case Kind::kGoto: {
      const std::string again = statement.forward ? "" : " && " + variable + "++ < 2u";
      return line("if (" + value + again + ") goto label" + std::to_string(statement.number) + ";");
    }
    case Kind::kLabel: return line("label" + std::to_string(statement.number) + ":;");
    case Kind::kReturn: return line("if (" + value + ") return;");
    case Kind::kExchange:
      line("shared_values[lx] = v0;");
      line("barrier(CLK_LOCAL_MEM_FENCE);");
      line("v1 ^= shared_values[(lx + 1u) % (uint)(get_local_size(0) * get_local_size(1))];");
      return line("barrier(CLK_LOCAL_MEM_FENCE);");
    }
  }

  std::string text_;
  size_t indent_ = 2;
  uint32_t loops_ = 0;
  std::vector<Loop> open_;
};

}  // namespace

std::string print(const Program &program, const std::string &suffix) { return Printer().run(program, suffix); }

}  // namespace upsweep::fuzz::flow
