// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads the library lazily and collects what LLVM reports through its context.
#include "compiler/session.h"

#include "builtins/builtins.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace upsweep::compiler {
namespace {

/// LLVM's own handler would print and exit.
class Collector : public llvm::DiagnosticHandler {
public:
  explicit Collector(std::string &errors) : errors_(errors) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream stream(errors_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    stream << (errors_.empty() ? "" : "\n");
    info.print(printer);
    return true;
  }

private:
  std::string &errors_;
};

}  // namespace

Session::Session() { context_.setDiagnosticHandler(std::make_unique<Collector>(errors_)); }

llvm::Expected<passes::Library *> Session::library() {
  if (!library_) {
    auto loaded = passes::Library::open(builtins_archive(), context_);
    if (!loaded) return loaded.takeError();
    library_ = std::move(*loaded);
  }
  return library_.get();
}

llvm::Error Session::take_errors() {
  if (errors_.empty()) return llvm::Error::success();
  return llvm::createStringError(llvm::inconvertibleErrorCode(), std::exchange(errors_, {}));
}

}  // namespace upsweep::compiler
