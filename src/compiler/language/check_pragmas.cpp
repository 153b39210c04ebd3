// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handler of Clang's preprocessor. A pragma holds until the end of its file; included files have their own.
#include "compiler/language/check_pragmas.h"

#include "base/finding_kinds.h"
#include "passes/common/check_lines.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Pragma.h"

namespace upsweep::compiler {
namespace {

class Handler : public clang::PragmaHandler {
public:
  explicit Handler(CheckPragmas &pragmas) : PragmaHandler("check"), pragmas_(pragmas) {}

  void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer, clang::Token &token) override {
    const clang::SourceManager &sources = preprocessor.getSourceManager();
    const clang::PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(introducer.Loc));
    preprocessor.LexUnexpandedToken(token);  // behind "check"
    const std::string state = next_word(preprocessor, token);
    if (state != "on" && state != "off")
      return warn(preprocessor, token, "'#pragma upsweep check' needs 'on' or 'off', and then kinds of findings");
    uint32_t kinds = 0;
    std::string word = next_word(preprocessor, token);
    if (word.empty()) kinds = kAllFindingKinds;
    for (; !word.empty(); word = next_word(preprocessor, token)) {
      const uint32_t found = finding_kinds(word);
      if (!found)
        return warn(preprocessor, token, "'" + word + "' is neither a kind of findings nor a check; the pragma has no effect");
      kinds |= found;
    }
    if (!place.isValid()) return;
    // A macro may have both pragmas in one line.
    const bool on = state == "on";
    pragmas_.turn(place.getFilename(), place.getLine() + (on ? 1 : 0), on, kinds);
  }

private:
  /// Reads a word such as "out-of-bounds", of several tokens; empty at the end of the line. Spaces around hyphens do not end a
  /// word, since clang-format inserts them. `token` is the word's first token, and afterwards the next word's.
  static std::string next_word(clang::Preprocessor &preprocessor, clang::Token &token) {
    std::string word;
    while (token.isNot(clang::tok::eod) &&
           (word.empty() || !token.hasLeadingSpace() || token.is(clang::tok::minus) || word.ends_with('-'))) {
      word += preprocessor.getSpelling(token);
      preprocessor.LexUnexpandedToken(token);
    }
    return word;
  }

  static void warn(clang::Preprocessor &preprocessor, const clang::Token &token, const std::string &text) {
    clang::DiagnosticsEngine &diagnostics = preprocessor.getDiagnostics();
    const unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Warning, "%0");
    diagnostics.Report(token.getLocation(), id) << text;
  }

  CheckPragmas &pragmas_;
};

}  // namespace

void CheckPragmas::watch(clang::Preprocessor &preprocessor) { preprocessor.AddPragmaHandler("upsweep", new Handler(*this)); }

void CheckPragmas::turn(const std::string &file, uint32_t line, bool on, uint32_t kinds) {
  std::vector<Step> &steps = files_[file];
  const uint32_t before = steps.empty() ? 0 : steps.back().off;
  const uint32_t now = on ? before & ~kinds : before | kinds;
  if (now != before) steps.push_back({line, now});
}

void CheckPragmas::add_to(llvm::Module &module) const {
  for (const auto &[file, steps] : files_)
    for (const Step &step : steps) passes::add_check_lines(module, file, step.line, step.off);
}

}  // namespace upsweep::compiler
