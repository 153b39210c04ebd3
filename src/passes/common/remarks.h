// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remarks: the compiler's decisions about lines of a kernel, for programs built with -Rupsweep. They are diagnostics of LLVM's
// context, whose handler collects them.
#ifndef UPSWEEP_PASSES_COMMON_REMARKS_H
#define UPSWEEP_PASSES_COMMON_REMARKS_H

#include <llvm/ADT/Twine.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

#include <string>

namespace upsweep::passes {

/// An attribute of functions of a program that is built with remarks.
inline constexpr llvm::StringLiteral kRemarksAttribute = "upsweep-remarks";

[[nodiscard]] inline bool wants_remarks(const llvm::Function &function) { return function.hasFnAttribute(kRemarksAttribute); }

class Remark : public llvm::DiagnosticInfo {
public:
  Remark(unsigned line, unsigned column, std::string text)
      : DiagnosticInfo(kind(), llvm::DS_Remark), line_(line), column_(column), text_(std::move(text)) {}
  void print(llvm::DiagnosticPrinter &printer) const override;
  static bool classof(const llvm::DiagnosticInfo *info) { return info->getKind() == kind(); }

  /// 0 if unknown.
  [[nodiscard]] unsigned line() const { return line_; }
  [[nodiscard]] unsigned column() const { return column_; }
  /// "file:line:column: remark: text [-Rupsweep]"
  [[nodiscard]] const std::string &text() const { return text_; }

private:
  static int kind();
  unsigned line_, column_;
  std::string text_;
};

/// Tells a decision about an instruction, unless the compiler made it, or about a whole kernel. The caller has asked
/// wants_remarks().
void remark(const llvm::Instruction &about, const llvm::Twine &text);
void remark(const llvm::Function &kernel, const llvm::Twine &text);

}  // namespace upsweep::passes
#endif
