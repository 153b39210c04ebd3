// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/inline_kernels.h"

#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/MultiplexConsumer.h"

namespace upsweep::compiler {
namespace {

using namespace clang;

class InlineKernels : public ASTConsumer, public RecursiveASTVisitor<InlineKernels> {
public:
  explicit InlineKernels(DiagnosticsEngine &diagnostics) : diagnostics_(diagnostics) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group) TraverseDecl(declaration);
    return true;
  }

  /// Namespaces have kernels, bodies have none.
  static bool TraverseStmt(Stmt *) { return true; }

  /// The word may be on any declaration: C's rule for inline definitions looks at all of them.
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (!function->hasAttr<OpenCLKernelAttr>()) return true;
    for (FunctionDecl *each : function->redecls()) each->setInlineSpecified(false);
    if (!function->isThisDeclarationADefinition()) return true;
    if (!isExternallyVisible(function->getLinkageInternal())) warn(*function, "has internal linkage");
    // Clang leaves it the type of the first declaration.
    else if (function->getType()->castAs<FunctionType>()->getCallConv() != CC_OpenCLKernel)
      warn(*function, "is no kernel in an earlier declaration");
    return true;
  }

private:
  void warn(const FunctionDecl &function, llvm::StringRef why) {
    diagnostics_.Report(function.getLocation(),
                        diagnostics_.getCustomDiagID(DiagnosticsEngine::Warning, "kernel %0 %1: the host cannot create it"))
        << &function << why;
  }

  DiagnosticsEngine &diagnostics_;
};

}  // namespace

std::unique_ptr<ASTConsumer> with_inline_kernels(std::unique_ptr<ASTConsumer> generator, CompilerInstance &clang) {
  std::vector<std::unique_ptr<ASTConsumer>> consumers;
  consumers.push_back(std::make_unique<InlineKernels>(clang.getDiagnostics()));
  consumers.push_back(std::move(generator));
  return std::make_unique<MultiplexConsumer>(std::move(consumers));
}

}  // namespace upsweep::compiler
