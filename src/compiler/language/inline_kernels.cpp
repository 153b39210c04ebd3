// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/inline_kernels.h"

#include "passes/common/kernel_info.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Frontend/MultiplexConsumer.h"

namespace upsweep::compiler {
namespace {

using namespace clang;

class InlineKernels : public ASTConsumer {
public:
  explicit InlineKernels(DiagnosticsEngine &diagnostics) : diagnostics_(diagnostics) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group) visit(*declaration);
    return true;
  }

private:
  /// Kernels are in namespaces, never in bodies, classes or templates.
  void visit(Decl &declaration) {
    if (llvm::isa<NamespaceDecl, LinkageSpecDecl>(declaration))
      for (Decl *inner : Decl::castToDeclContext(&declaration)->decls()) visit(*inner);
    else if (auto *function = llvm::dyn_cast<FunctionDecl>(&declaration); function && function->hasAttr<OpenCLKernelAttr>())
      visit_kernel(*function);
  }

  /// Checks all declarations: C's rule for inline definitions considers each of them.
  void visit_kernel(FunctionDecl &function) {
    for (FunctionDecl *each : function.redecls()) each->setInlineSpecified(false);
    name_apart(function);
    if (!function.isThisDeclarationADefinition()) return;
    if (!isExternallyVisible(function.getLinkageInternal())) warn(function, "has internal linkage");
    // Clang keeps the type of the first declaration.
    else if (function.getType()->castAs<FunctionType>()->getCallConv() != CC_OpenCLKernel)
      warn(function, "is not a kernel in an earlier declaration");
  }

  /// Clang would take the kernel for the library's function of the same name.
  static void name_apart(FunctionDecl &function) {
    if (!function.getIdentifier() || function.hasAttr<AsmLabelAttr>()) return;
    const std::string symbol = passes::kernel_symbol(function.getName());
    if (symbol != function.getName())
      function.addAttr(AsmLabelAttr::CreateImplicit(function.getASTContext(), symbol, /*IsLiteralLabel=*/false));
  }

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
