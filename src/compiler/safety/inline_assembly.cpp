// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans directives, quotation marks and assignments. Uses a list of permitted directives, since LLVM's assembler has about 200,
// among them .incbin, .include, .section, .macro and .set, and ignores case.
#include "compiler/safety/inline_assembly.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace upsweep::compiler {
namespace {

/// Data among the instructions, alignment, and the choice of syntax.
constexpr llvm::StringLiteral kPermitted[] = {".byte",  ".short",   ".word",   ".value",        ".hword",
                                              ".2byte", ".long",    ".int",    ".4byte",        ".quad",
                                              ".8byte", ".p2align", ".balign", ".intel_syntax", ".att_syntax"};

/// Directives that start with .l, which the assembler also accepts in capitals. All other names that start with .L are local
/// labels.
constexpr llvm::StringLiteral kNotLabels[] = {".lcomm", ".line", ".linkonce",    ".ln",
                                              ".loc",   ".lsym", ".lto_discard", ".lto_set_conditional"};

/// Characters of names in LLVM's AsmLexer, except '$', which LLVM's IR doubles, and '#', which starts a comment on x86.
bool is_name_character(char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '@' || c == '?'; }

class Scanner {
public:
  explicit Scanner(llvm::StringRef text) : rest_(text) {}

  std::optional<std::string> run() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '"') return "a quoted name";  // the assembler treats ".incbin" in quotes as the directive
      if (c == '=') return "an assignment to a symbol";
      if (c == '$')
        skip_operand();
      else if (!is_name_character(c))
        rest_ = rest_.drop_front();
      else if (std::optional<std::string> reason = name())
        return reason;
    }
    return std::nullopt;
  }

private:
  /// $$, $(, $|, $), $0 or ${0:modifier}: a new token starts after it, since operands and variants may expand to nothing.
  void skip_operand() {
    rest_ = rest_.drop_front();
    if (rest_.starts_with("{"))
      rest_ = rest_.drop_front(std::min(rest_.find('}'), rest_.size() - 1) + 1);
    else if (!rest_.empty() && llvm::isDigit(rest_.front()))
      rest_ = rest_.drop_while([](char c) { return llvm::isDigit(c); });
    else
      rest_ = rest_.drop_front(std::min<size_t>(1, rest_.size()));
  }

  std::optional<std::string> name() {
    const llvm::StringRef name = rest_.take_while(is_name_character);
    rest_ = rest_.drop_front(name.size());
    if (!name.starts_with(".")) return std::nullopt;
    if (name.starts_with(".L") && !llvm::is_contained(kNotLabels, name.lower())) return std::nullopt;
    // ".$0" and ".in$(cbin$)" become complete names only by expansion.
    if (rest_.starts_with("$") && !rest_.starts_with("$|") && !rest_.starts_with("$)"))
      return "the incomplete directive '" + name.str() + "'";
    if (name == "." || llvm::is_contained(kPermitted, name.lower())) return std::nullopt;
    return "the directive '" + name.str() + "'";
  }

  llvm::StringRef rest_;
};

}  // namespace

std::optional<std::string> reason_to_refuse(llvm::StringRef assembly) { return Scanner(assembly).run(); }

}  // namespace upsweep::compiler
