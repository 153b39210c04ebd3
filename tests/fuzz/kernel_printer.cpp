// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a program as OpenCL C. Signed arithmetic is done in unsigned types, since overflow is undefined. Results are cast
// back to their type, since small integers are promoted.
#include "kernel_program.h"

#include <algorithm>
#include <sstream>

namespace upsweep::fuzz {
namespace {

constexpr const char *kOperators[] = {"-", "~",  "!",  "+", "-",  "*",  "/",  "%",  "&", "|",
                                      "^", "<<", ">>", "<", "<=", "==", "!=", "&&", "||"};
const char *symbol(Op op) { return kOperators[static_cast<int>(op) - static_cast<int>(Op::kNegate)]; }

const char *function_of(Op op) {
  switch (op) {
  case Op::kSelect: return "select";
  case Op::kMin: return "min";
  case Op::kMax: return "max";
  case Op::kRotate: return "rotate";
  case Op::kPopcount: return "popcount";
  case Op::kLeadingZeros: return "clz";
  case Op::kAddSaturated: return "add_sat";
  case Op::kSubtractSaturated: return "sub_sat";
  case Op::kHalvedSum: return "hadd";
  default: return "mul_hi";
  }
}

bool assigns(const std::vector<Statement> &body, size_t variable) {
  using Kind = Statement::Kind;
  return std::ranges::any_of(body, [&](const Statement &s) {
    const bool has_target = s.kind == Kind::kAssign || s.kind == Kind::kAssignComponent || s.kind == Kind::kFor ||
                            s.kind == Kind::kDo || s.kind == Kind::kExchange || s.kind == Kind::kCollective ||
                            s.kind == Kind::kLoad;
    return (has_target && s.variable == variable) ||
           std::ranges::any_of(s.bodies, [&](const auto &inner) { return assigns(inner, variable); });
  });
}

class Printer {
public:
  Printer(const Program &program, std::string suffix) : program_(program), suffix_(std::move(suffix)) {}

  std::string program() {
    const Program &program = program_;
    text_ << "#pragma OPENCL FP_CONTRACT OFF\n";
    if (program.picture) samplers();
    if (program.members > 0) record();
    for (size_t i = 0; i < program.helpers.size(); ++i) helper(program.helpers[i], i);
    size_t items = program.local[0] * program.local[1] * program.local[2];
    if (program.sub_group_size != 0) text_ << "__attribute__((intel_reqd_sub_group_size(" << program.sub_group_size << ")))\n";
    text_ << "kernel void fuzzed" << suffix_
          << "(global ulong *out, global const uint *in, global uint *bins, global uchar *heap, uint a0, uint a1" << images()
          << ") {\n"
          << "  const uint global_id = (uint)get_global_linear_id(), local_id = (uint)get_local_linear_id();\n"
          << "  const uint group_id = (uint)(get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * "
             "get_group_id(2)));\n"
          << "  const uint items = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));\n"
          << "  local ulong16 shared[" << items << "];\n";
    regions();
    members_ = program.members;
    variables(program.variables, 0, program.body);
    if (members_ > 0) text_ << "  Record" << suffix_ << " records[4] = {record, record, record, record};\n";
    statements(program.body, 1);
    for (size_t v = 0; v < program.variables.size(); ++v) digest(program.variables[v].type, v, program.variables.size());
    text_ << "}\n";
    return text_.str();
  }

private:
  void record() {
    text_ << "typedef struct {\n";
    for (unsigned m = 0; m < program_.members; ++m)
      text_ << "  " << type_name(program_.variables[m].type) << " v" << m << ";\n";
    text_ << "} Record" << suffix_ << ";\n";
  }

  void samplers() {
    const std::string start = "constant sampler_t ", value = suffix_ + " = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST | ";
    text_ << start << "border" << value << "CLK_ADDRESS_CLAMP;\n" << start << "edge" << value << "CLK_ADDRESS_CLAMP_TO_EDGE;\n";
  }

  std::string images() const {
    if (!program_.picture) return "";
    return std::string(", read_only image2d_t picture, ") + (program_.reads_canvas ? "read_write" : "write_only") +
           " image2d_t canvas";
  }

  /// Component by component as uint, exact for every kind.
  static std::string component_read(const Picture &picture, const std::string &arguments, unsigned component) {
    const std::string suffix = std::string("(") + arguments + ").s" + std::to_string(component);
    switch (picture.kind) {
    case Picture::kInt16: return "(uint)read_imagei" + suffix;
    case Picture::kFloat: return "as_uint(read_imagef" + suffix + ")";
    case Picture::kUnorm8: return "convert_uint_sat_rte(read_imagef" + suffix + " * 255.0f)";
    default: return "read_imageui" + suffix;
    }
  }

  std::string texel(const Expression &e) {
    const bool floats = (e.number & kFloatCoordinates) != 0;
    std::string at;
    for (const Expression &argument : e.arguments)
      at += (at.empty() ? "" : ", ") + ("(int)((" + expression(argument) + ") & 31) - 4") + (floats ? " + 0.25f" : "");
    return component_read(*program_.picture,
                          std::string("picture, ") + ((e.number & kBorder) != 0 ? "border" : "edge") + suffix_ +
                              (floats ? ", (float2)(" : ", (int2)(") + at + ")",
                          e.components[0]);
  }

  /// The place of the work-item's texel.
  std::string own_place() const {
    const std::string width = std::to_string(program_.canvas->width);
    return "(int2)(global_id % " + width + ", global_id / " + width + ")";
  }

  void paint(const Statement &s, int depth) {
    line(depth) << "{\n";
    line(depth + 1) << "const uint p = " << expression(s.value) << ";\n";
    line(depth + 1) << "const uint4 colour = (uint4)(p, p * 3 + 1, ~p, p >> 5);\n";
    constexpr const char *kWrites[] = {"ui", "ui", "i", "f", "f"};
    constexpr const char *kColours[] = {"colour", "colour", "as_int4(colour)", "convert_float4(colour)",
                                        "convert_float4(colour & 255) / 255.0f"};
    const auto kind = static_cast<size_t>(program_.canvas->kind);
    line(depth + 1) << "write_image" << kWrites[kind] << "(canvas, " << own_place() << ", " << kColours[kind] << ");\n";
    if (program_.reads_canvas)
      line(depth + 1) << "atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);\n";
    line(depth) << "}\n";
  }

  void regions() {
    size_t offset = 0;
    for (size_t r = 0; r < program_.regions.size(); ++r) {
      const Region &region = program_.regions[r];
      const std::string type = type_name({region.type.base, is_packed(region) ? 1 : region.type.width});
      text_ << "  global " << type << " *const r" << r << " = (global " << type << " *)(heap + " << offset << ");\n";
      offset += region_bytes(region);
    }
  }

  std::string name(uint64_t variable) const { return (variable < members_ ? "record.v" : "v") + std::to_string(variable); }

  /// Const if possible: the compiler then evaluates a constant initial value.
  void variables(const std::vector<Variable> &list, size_t parameters, const std::vector<Statement> &body) {
    text_ << "  uint box[8] = {1, 2, 3, 4, 5, 6, 7, 8}, chest[8] = {11, 12, 13, 14, 15, 16, 17, 18}, *pointer = box;\n"
          << "  " << type_name(program_.crate) << " crate[8] = {0};\n";
    if (members_ > 0) text_ << "  Record" << suffix_ << " record;\n";
    for (size_t v = parameters; v < list.size(); ++v) {
      if (v < members_)
        text_ << "  ";
      else
        text_ << (assigns(body, v) ? "  " : "  const ") << type_name(list[v].type) << " ";
      text_ << name(v) << " = " << expression(list[v].start) << ";\n";
    }
  }

  void helper(const Helper &helper, size_t number) {
    text_ << (helper.inlined ? "inline " : "__attribute__((noinline)) ") << "uint helper" << number << "_" << suffix_
          << "(uint v0, uint v1, global const uint *in, uint a0, uint a1, uint global_id, uint local_id, uint group_id"
          << (program_.picture ? ", read_only image2d_t picture" : "") << ") {\n";
    variables(helper.variables, 2, helper.body);
    statements(helper.body, 1);
    text_ << "  return " << expression(helper.result) << ";\n}\n";
  }

  /// A NaN's sign and payload are not specified.
  void digest(Type type, size_t v, size_t count) {
    text_ << "  {\n    ulong digest = 0;\n";
    for (unsigned c = 0; c < type.width; ++c) {
      std::string part = component(name(v), type.width, c);
      std::string bits = is_float(type.base) ? "(isnan(" + part + ") ? 1u : as_uint(" + part + "))" : part;
      text_ << "    digest = digest * 31 + (ulong)" << bits << ";\n";
    }
    text_ << "    out[global_id * " << count << " + " << v << "] = digest;\n  }\n";
  }

  static std::string component(const std::string &value, unsigned width, unsigned c) {
    return width == 1 ? value : value + ".s" + "0123456789abcdef"[c];
  }

  std::string literal(const Expression &e) {
    std::ostringstream out;
    if (is_float(e.type.base))
      out << "as_float(0x" << std::hex << e.number << "u)";
    else
      out << "0x" << std::hex << e.number << (bits_of(e.type.base) == 64 ? "ul" : "u");
    return "(" + type_name(e.type) + ")(" + (is_float(e.type.base) ? "" : "(" + type_name({e.type.base, 1}) + ")") + out.str() +
           ")";
  }

  std::string list(const std::vector<Expression> &arguments) {
    std::string text;
    for (const Expression &argument : arguments) text += (text.empty() ? "" : ", ") + expression(argument);
    return text;
  }

  /// Computed in a type without overflow: small integers as uint, whose low bits count.
  std::string wrapping(const Expression &e) {
    if (is_float(e.type.base)) return "(" + infix(e) + ")";
    Type wide{unsigned_of(e.type.base), e.type.width};
    if (wide.width == 1 && bits_of(wide.base) < 32) wide.base = Base::kUint;
    const std::string to = (wide.width == 1 ? "(" : "as_") + type_name(wide) + (wide.width == 1 ? ")" : "");
    const std::string back = e.type.width == 1 ? "(" + type_name(e.type) + ")" : "as_" + type_name(e.type);
    if (e.op == Op::kNegate) return back + "(-" + to + "(" + expression(e.arguments[0]) + "))";
    return back + "(" + to + "(" + expression(e.arguments[0]) + ") " + symbol(e.op) + " " + to + "(" +
           expression(e.arguments[1]) + "))";
  }

  std::string infix(const Expression &e) {
    if (e.arguments.size() == 1) return symbol(e.op) + expression(e.arguments[0]);
    return expression(e.arguments[0]) + " " + symbol(e.op) + " " + expression(e.arguments[1]);
  }

  std::string divided(const Expression &e) {
    const std::string type = "(" + type_name(e.type) + ")", scalar = "(" + type_name({e.type.base, 1}) + ")";
    return expression(e.arguments[0]) + " " + symbol(e.op) + " " + type + "((" + expression(e.arguments[1]) + " & " + type +
           "(" + scalar + "15)) | " + type + "(" + scalar + "1))";
  }

  std::string expression(const Expression &e) {
    const std::string cast = e.type.width == 1 ? "(" + type_name(e.type) + ")" : "";
    switch (e.op) {
    case Op::kLiteral: return literal(e);
    case Op::kVariable: return name(e.number);
    case Op::kWideId: return kWideIds[e.number].text;
    case Op::kSubGroupId: return "get_sub_group_id()";
    case Op::kCrated: return "crate[" + expression(e.arguments[0]) + " & 7]";
    case Op::kPointed: return "*pointer";
    case Op::kGlobalId: return "global_id";
    case Op::kLocalId: return "local_id";
    case Op::kGroupId: return "group_id";
    case Op::kArgument: return "a" + std::to_string(e.number);
    case Op::kInput: return "in[" + expression(e.arguments[0]) + " & " + std::to_string(program_.reach - 1) + "]";
    case Op::kElement: return "box[" + expression(e.arguments[0]) + " & 7]";
    case Op::kNegate:
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply: return e.number == kPlain ? cast + "(" + infix(e) + ")" : "(" + wrapping(e) + ")";
    case Op::kDivide:
    case Op::kRemainder: return cast + "(" + divided(e) + ")";
    case Op::kChoose:
      return cast + "(" + expression(e.arguments[0]) + " ? " + expression(e.arguments[1]) + " : " + expression(e.arguments[2]) +
             ")";
    case Op::kSelect:
      return "select(" + expression(e.arguments[2]) + ", " + expression(e.arguments[1]) + ", " + expression(e.arguments[0]) +
             ")";
    case Op::kConvert: return "convert_" + type_name(e.type) + "(" + list(e.arguments) + ")";
    case Op::kConvertSaturated: return "convert_" + type_name(e.type) + "_sat(" + list(e.arguments) + ")";
    case Op::kReinterpret: return "as_" + type_name(e.type) + "(" + list(e.arguments) + ")";
    case Op::kSwizzle: return swizzle(e);
    case Op::kCompose: return "(" + type_name(e.type) + ")(" + list(e.arguments) + ")";
    case Op::kCall:
      return "helper" + std::to_string(e.number) + "_" + suffix_ + "(" + list(e.arguments) +
             ", in, a0, a1, global_id, local_id, group_id" + (program_.picture ? ", picture)" : ")");
    case Op::kTexel: return "(" + texel(e) + ")";
    case Op::kCanvas: return "(" + component_read(*program_.canvas, "canvas, " + own_place(), e.components[0]) + ")";
    default: break;
    }
    if (e.op >= Op::kSelect) return std::string(function_of(e.op)) + "(" + list(e.arguments) + ")";
    return cast + "(" + infix(e) + ")";
  }

  std::string swizzle(const Expression &e) {
    std::string text = "(" + expression(e.arguments[0]) + ").s";
    for (unsigned c : e.components) text += "0123456789abcdef"[c];
    return text;
  }

  std::ostringstream &line(int depth) {
    text_ << std::string(static_cast<size_t>(2 * depth), ' ');
    return text_;
  }

  void block(const std::vector<Statement> &body, int depth) {
    text_ << "{\n";
    statements(body, depth + 1);
    line(depth) << "}";
  }

  void statements(const std::vector<Statement> &body, int depth) {
    for (const Statement &s : body) statement(s, depth);
  }

  void statement(const Statement &s, int depth) {
    using Kind = Statement::Kind;
    const std::string v = name(s.variable);
    switch (s.kind) {
    case Kind::kAssign: line(depth) << v << " = " << expression(s.value) << ";\n"; break;
    case Kind::kAssignComponent:
      line(depth) << v << ".s" << "0123456789abcdef"[s.number] << " = " << expression(s.value) << ";\n";
      break;
    case Kind::kAssignElement:
      line(depth) << "box[" << expression(s.index) << " & 7] = " << expression(s.value) << ";\n";
      break;
    case Kind::kAssignCrated:
      line(depth) << "crate[" << expression(s.index) << " & 7] = " << expression(s.value) << ";\n";
      break;
    case Kind::kAssignPointed: line(depth) << "*pointer = " << expression(s.value) << ";\n"; break;
    case Kind::kPoint:
      line(depth) << "pointer = " << expression(s.value) << " ? &box[" << expression(s.index) << " & 7] : &chest["
                  << expression(s.index) << " & 7];\n";
      break;
    case Kind::kSave: line(depth) << "records[" << expression(s.index) << " & 3] = record;\n"; break;
    case Kind::kRestore: line(depth) << "record = records[" << expression(s.index) << " & 3];\n"; break;
    case Kind::kStore:
    case Kind::kLoad: access(s, v, depth); break;
    case Kind::kIf:
      if (s.region != kNoRegion && !is_packed(program_.regions[s.region]))
        line(depth) << "global " << type_name(program_.regions[s.region].type) << " *at" << s.variable << " = r" << s.region
                    << " + (" << expression(s.index) << ");\n";
      line(depth) << "if (" << expression(s.value) << ") ";
      block(s.bodies[0], depth);
      if (!s.bodies[1].empty()) block_after(" else ", s.bodies[1], depth);
      text_ << "\n";
      break;
    case Kind::kFor:
      line(depth) << "for (" << v << " = 0; " << v << " < (" << expression(s.value) << " & " << s.number << "); ++" << v
                  << ") ";
      block(s.bodies[0], depth);
      text_ << "\n";
      break;
    case Kind::kDo:
      line(depth) << v << " = " << s.number << ";\n";
      line(depth) << "do ";
      block(s.bodies[0], depth);
      text_ << " while (--" << v << " > 0 && " << expression(s.value) << ");\n";
      break;
    case Kind::kSwitch: cases(s, depth); break;
    case Kind::kBreak: line(depth) << "break;\n"; break;
    case Kind::kContinue: line(depth) << "continue;\n"; break;
    case Kind::kReturn: line(depth) << "return " << expression(s.value) << ";\n"; break;
    case Kind::kExchange: exchange(s, v, depth); break;
    case Kind::kCollective: line(depth) << v << " = " << collective(s) << ";\n"; break;
    case Kind::kAtomic: {
      constexpr const char *kNames[] = {"add", "min", "max"};
      const auto combination = static_cast<unsigned>(s.combination);
      line(depth) << "atomic_" << kNames[combination] << "(&bins[" << 8 * combination << " + (" << expression(s.index)
                  << " & 7)], " << expression(s.value) << ");\n";
      break;
    }
    case Kind::kPaint: paint(s, depth); break;
    }
  }

  void block_after(const char *word, const std::vector<Statement> &body, int depth) {
    text_ << word;
    block(body, depth);
  }

  void cases(const Statement &s, int depth) {
    line(depth) << "switch (" << expression(s.value) << " & " << kSwitchMask << ") {\n";
    for (size_t i = 0; i < s.bodies.size(); ++i) {
      line(depth) << (i == s.labels.size() ? std::string("default") : "case " + std::to_string(s.labels[i])) << ": ";
      block(s.bodies[i], depth);
      text_ << (s.number >> i & 1 ? "\n" : " break;\n");
    }
    line(depth) << "}\n";
  }

  /// Spelling 1: by the pointer that the surrounding guard has created.
  void access(const Statement &s, const std::string &v, int depth) {
    const Region &region = program_.regions[s.region];
    const std::string width = std::to_string(region.type.width), r = "r" + std::to_string(s.region);
    const bool stores = s.kind == Statement::Kind::kStore;
    if (is_packed(region) && region.type.width > 1) {
      if (stores)
        line(depth) << "vstore" << width << "(" << expression(s.value) << ", " << expression(s.index) << ", " << r << ");\n";
      else
        line(depth) << v << " = vload" << width << "(" << expression(s.index) << ", " << r << ");\n";
      return;
    }
    const std::string place =
        s.spelling == 1 && !is_packed(region) ? "*at" + std::to_string(s.number) : r + "[" + expression(s.index) + "]";
    if (stores)
      line(depth) << place << " = " << expression(s.value) << ";\n";
    else
      line(depth) << v << " = " << place << ";\n";
  }

  void exchange(const Statement &s, const std::string &v, int depth) {
    const std::string type = type_name(s.value.type);
    line(depth) << "((local " << type << " *)&shared[local_id])[0] = " << expression(s.value) << ";\n";
    line(depth) << "barrier(CLK_LOCAL_MEM_FENCE);\n";
    line(depth) << v << " = ((local " << type << " *)&shared[(local_id + " << s.number << ") % items])[0];\n";
    line(depth) << "barrier(CLK_LOCAL_MEM_FENCE);\n";
  }

  std::string collective(const Statement &s) {
    constexpr const char *kCombinations[] = {"add", "min", "max"};
    const std::string combination = kCombinations[static_cast<unsigned>(s.combination)], value = expression(s.value);
    std::string scope = s.scope == Scope::kWorkGroup ? "work_group_" : "sub_group_";
    if (s.scope == Scope::kNonUniform) scope += "non_uniform_";
    switch (s.collective) {
    case Collective::kReduce: return scope + "reduce_" + combination + "(" + value + ")";
    case Collective::kInclusive: return scope + "scan_inclusive_" + combination + "(" + value + ")";
    case Collective::kExclusive: return scope + "scan_exclusive_" + combination + "(" + value + ")";
    case Collective::kAll: return scope + "all(" + value + ")";
    case Collective::kAny: return scope + "any(" + value + ")";
    case Collective::kShuffle: return "sub_group_shuffle(" + value + ", " + expression(s.index) + " % get_sub_group_size())";
    case Collective::kBallot: return "sub_group_ballot(" + value + ")";
    case Collective::kBroadcast: break;
    }
    const std::string from = std::to_string(s.number);
    if (s.scope == Scope::kSubGroup) return "sub_group_broadcast(" + value + ", " + from + " % get_sub_group_size())";
    return "work_group_broadcast(" + value + ", " + from + " % get_local_size(0), " + from + " % get_local_size(1), " + from +
           " % get_local_size(2))";
  }

  const Program &program_;
  std::string suffix_;
  unsigned members_ = 0;  ///< in the function that is written
  std::ostringstream text_;
};

}  // namespace

std::string type_name(Type type) {
  constexpr const char *kNames[] = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float"};
  std::string name = kNames[static_cast<int>(type.base)];
  return type.width == 1 ? name : name + std::to_string(type.width);
}

std::string print(const Program &program, const std::string &suffix) { return Printer(program, suffix).program(); }

}  // namespace upsweep::fuzz
