// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/source_lines.h"

#include "llvm/ADT/STLExtras.h"

namespace upsweep::compiler::spirv {
namespace {

// Instructions of NonSemantic.Shader.DebugInfo.100.
constexpr uint32_t kDebugSource = 35, kDebugLine = 103, kDebugNoLine = 104;

/// The end of a file's name, since a module may repeat a long name in many messages.
std::string short_name(const std::string &name) {
  constexpr size_t kMostBytes = 255;
  return name.size() <= kMostBytes ? name : "..." + name.substr(name.size() - kMostBytes);
}

}  // namespace

SourceLines::SourceLines(llvm::ArrayRef<Instruction> all) {
  for (const Instruction &i : all)
    if (i.op == Op::OpExtInstImport && text_at(i.operands, 0) == "NonSemantic.Shader.DebugInfo.100") debug_import_ = i.result;
  if (debug_import_ != 0 || llvm::any_of(all, [](const Instruction &i) { return i.op == Op::OpLine; })) collect(all);
}

void SourceLines::add_extended(const Instruction &i) {
  const auto number = [&](size_t index) { return numbers_.lookup(i.at(index)); };
  if (i.at(1) == kDebugSource)
    files_[i.result] = files_.lookup(i.at(2));
  else if (i.at(1) == kDebugLine)
    lines_.push_back({i.at(2), number(3), number(5)});
}

void SourceLines::collect(llvm::ArrayRef<Instruction> all) {
  line_of_instruction_.reserve(all.size());
  bool is_named = false;
  for (const Instruction &i : all) {
    const bool is_debug = i.op == Op::OpExtInst && debug_import_ != 0 && i.at(0) == debug_import_;
    if (i.op == Op::OpString)
      files_[i.result] = short_name(text_at(i.operands, 0));
    else if (i.op == Op::OpConstant)
      numbers_[i.result] = i.at(0);
    else if (i.op == Op::OpLine)
      lines_.push_back({i.at(0), i.at(1), i.at(2)});
    else if (is_debug)
      add_extended(i);
    if (i.op == Op::OpLine || (is_debug && i.at(1) == kDebugLine)) is_named = true;
    if (i.op == Op::OpNoLine || (is_debug && i.at(1) == kDebugNoLine)) is_named = false;
    line_of_instruction_.push_back(is_named ? static_cast<uint32_t>(lines_.size()) : 0);
    // "until … the end of the block"
    if (is_terminator(i.op) || i.op == Op::OpFunctionEnd) is_named = false;
  }
}

std::optional<SourceLines::Place> SourceLines::place(size_t index) const {
  if (index >= line_of_instruction_.size() || line_of_instruction_[index] == 0) return std::nullopt;
  const Line &line = lines_[line_of_instruction_[index] - 1];
  const auto file = files_.find(line.file);
  const bool is_named = file != files_.end() && !file->second.empty();
  return Place{is_named ? llvm::StringRef(file->second) : "<source>", line.line, line.column};
}

std::string SourceLines::place_of(size_t index) const {
  const std::optional<Place> found = place(index);
  if (!found) return {};
  std::string text = found->file.str() + ":" + std::to_string(found->line);
  if (found->column != 0) text += ":" + std::to_string(found->column);
  return text;
}

}  // namespace upsweep::compiler::spirv
