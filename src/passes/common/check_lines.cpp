// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named metadata, which linking of modules joins.
#include "passes/common/check_lines.h"

#include <llvm/IR/Constants.h>
#include <llvm/Support/Path.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr StringLiteral kName = "upsweep.check.lines";

uint32_t number(const MDNode &node, unsigned operand) {
  return static_cast<uint32_t>(mdconst::extract<ConstantInt>(node.getOperand(operand))->getZExtValue());
}

/// Debug information shortens a name by the folder that it shares with the source.
bool is_end_of_path(StringRef path, StringRef end) {
  return path.ends_with(end) && (path.size() == end.size() || sys::path::is_separator(path[path.size() - end.size() - 1]));
}

}  // namespace

void add_check_lines(Module &module, StringRef file, uint32_t line, uint32_t off) {
  LLVMContext &context = module.getContext();
  const auto word = [&](uint32_t value) { return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), value)); };
  module.getOrInsertNamedMetadata(kName)->addOperand(
      MDNode::get(context, {MDString::get(context, file), word(line), word(off)}));
}

CheckLines::CheckLines(const Module &module) {
  const NamedMDNode *lines = module.getNamedMetadata(kName);
  if (!lines) return;
  for (const MDNode *line : lines->operands())
    files_[cast<MDString>(line->getOperand(0))->getString()][number(*line, 1)] = number(*line, 2);
}

uint32_t CheckLines::off(StringRef file, uint32_t line) const {
  if (file.empty()) return 0;
  for (const auto &[path, lines] : files_) {
    if (!is_end_of_path(path, file)) continue;
    const auto behind = lines.upper_bound(line);
    if (behind != lines.begin()) return std::prev(behind)->second;
  }
  return 0;
}

}  // namespace upsweep::passes
