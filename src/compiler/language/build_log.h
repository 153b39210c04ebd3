// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's messages as a build log of bounded size, since 100 MB of warnings help no user but cost time and memory. Clang itself
// limits errors to 100.
#ifndef UPSWEEP_COMPILER_LANGUAGE_BUILD_LOG_H
#define UPSWEEP_COMPILER_LANGUAGE_BUILD_LOG_H

#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace upsweep::compiler {

/// No warnings are printed beyond this size.
inline constexpr size_t kMaxLogBytes = size_t{1} << 20;
/// Limit of one message: a source can cause a message of any size.
inline constexpr size_t kMaxMessageBytes = size_t{64} << 10;

class BuildLogPrinter : public clang::DiagnosticConsumer {
public:
  BuildLogPrinter(std::string &log, clang::DiagnosticOptions &options) : log_(log), stream_(log), printer_(stream_, &options) {}

  void BeginSourceFile(const clang::LangOptions &language, const clang::Preprocessor *preprocessor) override {
    printer_.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { printer_.EndSourceFile(); }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &information) override;
  /// Appends the number of missing warnings at the end.
  void finish() override;

private:
  std::string &log_;
  llvm::raw_string_ostream stream_;
  clang::TextDiagnosticPrinter printer_;
  bool skips_notes_ = false;
  size_t skipped_ = 0;
};

}  // namespace upsweep::compiler
#endif
