// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens libraries lazily and collects LLVM's diagnostics through its context.
#include "compiler/session.h"

#include "builtins/builtins.h"
#include "passes/common/remarks.h"
#include "passes/cpu/image_functions.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace upsweep::compiler {
namespace {

using Remarks = std::set<std::tuple<unsigned, unsigned, std::string>>;

/// LLVM's default handler would print and exit.
class Collector : public llvm::DiagnosticHandler {
public:
  Collector(std::string &errors, Remarks &remarks) : errors_(errors), remarks_(remarks) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (const auto *remark = llvm::dyn_cast<passes::Remark>(&info))
      remarks_.emplace(remark->line(), remark->column(), remark->text());
    if (info.getSeverity() != llvm::DS_Error) return true;
    const size_t before = errors_.size();
    llvm::raw_string_ostream stream(errors_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    stream << (errors_.empty() ? "" : "\n");
    info.print(printer);
    // A kernel is compiled for whole and for partial sub-groups, each with its inline assembly.
    if (info.getKind() == llvm::DK_SrcMgr && llvm::StringRef(errors_).drop_front(before).contains("is already defined"))
      stream << "note: a kernel is compiled several times, so a label in inline assembly must be a number (1:) or end in %=";
    return true;
  }

private:
  std::string &errors_;
  Remarks &remarks_;
};

}  // namespace

Session::Session() { context_.setDiagnosticHandler(std::make_unique<Collector>(errors_, remarks_)); }

llvm::Expected<passes::Library *> Session::open(std::unique_ptr<passes::Library> &library, llvm::StringRef archive) {
  if (!library) {
    auto loaded = passes::Library::open(archive, context_, &library == &nvptx_library_);
    if (!loaded) return loaded.takeError();
    library = std::move(*loaded);
  }
  return library.get();
}

llvm::Expected<passes::Library *> Session::library() { return open(library_, builtins_archive()); }

llvm::Expected<passes::Library *> Session::nvptx_library() { return open(nvptx_library_, nvptx_builtins_archive()); }

llvm::Expected<llvm::SmallVector<passes::Library *, 2>> Session::image_rows(unsigned level) {
  llvm::SmallVector<passes::Library *, 2> opened;
  for (const unsigned each : passes::image_levels(level)) {
    auto library = open(image_rows_[each - 2], image_rows_archive(each));
    if (!library) return library.takeError();
    opened.push_back(*library);
  }
  return opened;
}

llvm::Error Session::take_errors() {
  if (errors_.empty()) return llvm::Error::success();
  return llvm::createStringError(llvm::inconvertibleErrorCode(), std::exchange(errors_, {}));
}

std::string Session::take_remarks() {
  std::string text;
  for (const auto &[line, column, remark] : std::exchange(remarks_, {})) text += remark + "\n";
  return text;
}

}  // namespace upsweep::compiler
