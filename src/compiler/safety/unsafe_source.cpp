// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks attributes by kind, whatever their spelling: `__attribute__`, `[[gnu::...]]`, `asm("label")` or a pragma. `used`,
// `retain` and visibility are harmless: all symbols of a program but one become local.
#include "compiler/safety/unsafe_source.h"

#include "compiler/safety/static_constructors.h"
#include "compiler/safety/unsafe_module.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace upsweep::compiler {
namespace {

using namespace clang;

/// The name of an attribute of this kind in messages; empty for permitted attributes.
llvm::StringRef description(attr::Kind kind) {
  switch (kind) {
  case attr::Constructor:
  case attr::InitPriority:
  case attr::InitSeg: return "a function that runs when the program is loaded";
  case attr::Destructor: return "a function that runs when the program is unloaded";
  case attr::IFunc:
  case attr::CPUDispatch:
  case attr::CPUSpecific:
  case attr::TargetClones: return "a function that is chosen at load time";
  case attr::Alias:
  case attr::WeakRef: return "an alias of another symbol";
  case attr::AsmLabel: return "the choice of a symbol's name";
  case attr::Section:
  case attr::CodeSeg:
  case attr::PragmaClangBSSSection:
  case attr::PragmaClangDataSection:
  case attr::PragmaClangRelroSection:
  case attr::PragmaClangRodataSection:
  case attr::PragmaClangTextSection: return "the choice of a section";
  case attr::Naked: return "a function without entry and exit";
  case attr::PatchableFunctionEntry: return "space for patches in a function";
  case attr::TLSModel:
  case attr::Thread: return "a thread-local variable";
  default: return "";
  }
}

void report_unsafe(CompilerInstance &clang, SourceLocation where, llvm::StringRef text) {
  DiagnosticsEngine &diagnostics = clang.getDiagnostics();
  diagnostics.Report(where, diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0 [%1]")) << text << kUnsafeSourceHint;
}

class ModuleChecker : public ASTConsumer {
public:
  ModuleChecker(CompilerInstance &clang, CodeGenerator &generator, const Options &options, bool for_cpu)
      : clang_(clang), generator_(generator), options_(options), for_cpu_(for_cpu) {}

  void HandleTranslationUnit(ASTContext &) override {
    llvm::Module *module = generator_.GetModule();
    // Report nothing about a source that the syntax tree's checks rejected.
    if (!module || clang_.getDiagnostics().hasErrorOccurred()) return;
    refuse_late_statics(*module);
    if (options_.allow_unsafe_source) {
      (void)evaluate_constructors(*module);  // GPUs run no constructors
      return;
    }
    for (const UnsafeConstruct &each : find_unsafe(*module, for_cpu_)) report_unsafe(clang_, place(each), each.text);
  }

private:
  /// Rejects `static` in a function with a value that the first call computes: in C++ other callers must wait for it, by
  /// library functions that work-items lack.
  void refuse_late_statics(const llvm::Module &module) {
    const llvm::Function *lock = module.getFunction("__cxa_guard_acquire");
    if (!lock) return;
    DiagnosticsEngine &diagnostics = clang_.getDiagnostics();
    const unsigned id = diagnostics.getCustomDiagID(
        DiagnosticsEngine::Error,
        "the initial value of '%0' is not known at compile time; static variables in functions need constant initializers");
    const llvm::SmallVector<const llvm::User *> users(lock->users());
    for (const llvm::User *user : llvm::reverse(users)) {  // in the order of the source
      const auto *call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call) continue;
      const std::string guard = llvm::demangle(call->getArgOperand(0)->stripPointerCasts()->getName());
      llvm::StringRef name = guard;
      name.consume_front("guard variable for ");
      diagnostics.Report(place({"", call->getFunction()}), id) << name;
    }
  }

  SourceLocation place(const UnsafeConstruct &construct) const {
    if (construct.assembly)
      if (const llvm::MDNode *lines = construct.assembly->getMetadata("srcloc"); lines && lines->getNumOperands() > 0)
        return SourceLocation::getFromRawEncoding(static_cast<SourceLocation::UIntTy>(
            llvm::mdconst::extract<llvm::ConstantInt>(lines->getOperand(0))->getZExtValue()));
    const Decl *declaration = construct.value ? generator_.GetDeclForMangledName(construct.value->getName()) : nullptr;
    return declaration ? declaration->getLocation() : SourceLocation();
  }

  CompilerInstance &clang_;
  CodeGenerator &generator_;
  const Options &options_;
  const bool for_cpu_;
};

}  // namespace

void refuse_unsafe(CompilerInstance &clang, const Attr &attribute) {
  const llvm::StringRef what = description(attribute.getKind());
  if (what.empty() || attribute.isInherited()) return;
  // Attributes from pragmas have no spelling.
  const llvm::StringRef spelling = attribute.isImplicit() ? "" : attribute.getSpelling();
  const std::string name = attribute.getKind() == attr::AsmLabel ? "asm" : spelling.str();
  report_unsafe(clang, attribute.getLocation(), (name.empty() ? "" : "'" + name + "': ") + what.str() + " is not supported");
}

void refuse_unsafe(CompilerInstance &clang, SourceLocation where, llvm::StringRef what) {
  report_unsafe(clang, where, what.str() + " is not supported");
}

std::unique_ptr<ASTConsumer> unsafe_module_check(CompilerInstance &clang, CodeGenerator &generator, const Options &options,
                                                 bool for_cpu) {
  return std::make_unique<ModuleChecker>(clang, generator, options, for_cpu);
}

}  // namespace upsweep::compiler
