// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses instructions in LLVM's format: one per line, operands separated by ", ".
#include "compiler/code/ptx_repairs.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/raw_ostream.h>

namespace upsweep::compiler {
namespace {

using llvm::StringRef;

struct Instruction {
  StringRef operation, type;
  llvm::SmallVector<StringRef, 3> operands;
};

/// Lines that are not instructions get an operation that is ignored.
Instruction parse(StringRef line) {
  Instruction result;
  auto [name, operands] = line.trim().split(' ');
  std::tie(result.operation, result.type) = name.rsplit('.');
  operands.trim().rtrim(';').split(result.operands, ", ");
  return result;
}

/// A 16-bit constant widened to 32 bits, or the operation that widens a register to `wide`.
std::string widened(StringRef operand, bool is_signed, StringRef wide, std::string &code) {
  long long number = 0;
  if (!operand.getAsInteger(0, number))
    return is_signed ? llvm::itostr(static_cast<int16_t>(number)) : llvm::utostr(static_cast<uint16_t>(number));
  code += ("cvt." + StringRef(is_signed ? "s32.s16 " : "u32.u16 ") + wide + ", " + operand + "; ").str();
  return wide.str();
}

std::string repaired_short(const Instruction &given) {
  const bool is_signed = given.type == "s16";
  if (!is_signed && given.type != "u16") return {};
  if (given.operation == "neg" && given.operands.size() == 2)
    return ("\tmul.lo.s16 \t" + given.operands[0] + ", " + given.operands[1] + ", -1;").str();
  const bool is_absolute = given.operation == "abs" && given.operands.size() == 2;
  const bool is_extreme = (given.operation == "min" || given.operation == "max") && given.operands.size() == 3;
  if (!is_absolute && !is_extreme) return {};
  std::string code = "\t{ .reg .b32 %wide_a, %wide_b; ";
  std::string inputs = widened(given.operands[1], is_signed, "%wide_a", code);
  if (is_extreme) inputs += ", " + widened(given.operands[2], is_signed, "%wide_b", code);
  return (code + given.operation + (is_signed ? ".s32" : ".u32") + " %wide_a, " + inputs + "; cvt.u16.u32 " +
          given.operands[0] + ", %wide_a; }")
      .str();
}

std::string repaired_choice(const Instruction &given) {
  constexpr StringRef kMinusOne = "0fBF800000", kMinusZero = "0f80000000";
  if (given.operation != "selp" || given.operands.size() != 4) return {};
  const StringRef a = given.operands[1], b = given.operands[2];
  if (!(a == kMinusOne && b == kMinusZero) && !(a == kMinusZero && b == kMinusOne)) return {};
  return ("\t{ .reg .b32 %bits; selp.b32 %bits, 0x" + a.drop_front(2) + ", 0x" + b.drop_front(2) + ", " + given.operands[3] +
          "; mov.b32 " + given.operands[0] + ", %bits; }")
      .str();
}

/// Repairs the instructions of a function.
class Repairs {
public:
  /// The replacement of the line, or "" to keep it.
  std::string operator()(StringRef line) {
    if (line == "{") high_words_.clear();
    if (line.contains("16 ")) return repaired_short(parse(line));
    if (line.contains("selp.f32")) return repaired_choice(parse(line));
    if (line.contains("mul.hi.u32") || line.contains("cvt.u64.u32") || line.contains("sub.s64"))
      return repaired_high(parse(line));
    return {};
  }

private:
  std::string repaired_high(const Instruction &given) {
    if (given.operation == "mul.hi" && given.operands.size() == 3) high_words_.insert(given.operands[0]);
    if (given.operation == "cvt.u64" && given.operands.size() == 2 && high_words_.contains(given.operands[1]))
      high_words_.insert(given.operands[0]);
    if (given.operation != "sub" || given.operands.size() != 3 || !high_words_.contains(given.operands[1])) return {};
    return ("\t{ .reg .b64 %minus; not.b64 %minus, " + given.operands[2] + "; add.s64 %minus, %minus, 1; add.s64 " +
            given.operands[0] + ", " + given.operands[1] + ", %minus; }")
        .str();
  }

  llvm::StringSet<> high_words_;  ///< registers that hold the upper half of a product of 32-bit numbers
};

}  // namespace

llvm::SmallVector<char, 0> repair_ptx(StringRef text) {
  llvm::SmallVector<char, 0> result;
  result.reserve(text.size());
  llvm::raw_svector_ostream out(result);
  Repairs repaired;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    const std::string better = repaired(line);
    out << (better.empty() ? line : StringRef(better)) << '\n';
    text = rest;
  }
  return result;
}

}  // namespace upsweep::compiler
