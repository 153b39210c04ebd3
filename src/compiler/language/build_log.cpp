// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A note is printed exactly if its message is.
#include "compiler/language/build_log.h"

namespace upsweep::compiler {

void BuildLogPrinter::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &information) {
  DiagnosticConsumer::HandleDiagnostic(level, information);  // counts the message
  const bool is_full = log_.size() >= kMaxLogBytes;
  if (level == clang::DiagnosticsEngine::Note ? is_full && skips_notes_ : is_full && level < clang::DiagnosticsEngine::Error) {
    skipped_ += level == clang::DiagnosticsEngine::Note ? 0 : 1;
    skips_notes_ = true;
    return;
  }
  skips_notes_ = false;
  const size_t before = log_.size();
  printer_.HandleDiagnostic(level, information);
  if (log_.size() - before <= kMaxMessageBytes) return;
  log_.resize(before + kMaxMessageBytes);
  log_ += "...\n";
}

void BuildLogPrinter::finish() {
  if (skipped_ > 0) log_ += "note: the log is full; " + std::to_string(skipped_) + " more warnings are left out\n";
  skipped_ = 0;
}

}  // namespace upsweep::compiler
