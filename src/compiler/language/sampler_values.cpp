// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/sampler_values.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/MultiplexConsumer.h"

namespace upsweep::compiler {
namespace {

using namespace clang;

class SamplerValues : public ASTConsumer, public RecursiveASTVisitor<SamplerValues> {
public:
  explicit SamplerValues(DiagnosticsEngine &diagnostics) : diagnostics_(diagnostics) {}

  void Initialize(ASTContext &context) override { context_ = &context; }
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group) TraverseDecl(declaration);
    return true;
  }
  // Of a template each instance is code.
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitVarDecl(VarDecl *variable) {
    Expr *value = variable->getInit();
    if (variable->getType()->isSamplerT() && value && value->isGLValue()) variable->setInit(value_of(value));
    return true;
  }

  /// An argument that is chosen in C++ has no cast.
  bool VisitCallExpr(CallExpr *call) {
    for (unsigned i = 0; i < call->getNumArgs(); ++i)
      if (Expr *argument = call->getArg(i); argument->getType()->isSamplerT() && argument->isGLValue())
        call->setArg(i, value_of(argument));
    return true;
  }

  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) {
    Expr *of = cast->getSubExpr();
    if (of->getType()->isSamplerT() && of->isGLValue()) {
      if (cast->getCastKind() == CK_LValueToRValue && !program_scope_variable(of)) return true;
      cast->setSubExpr(value_of(of));
      cast->setCastKind(CK_NoOp);
    } else if (cast->getCastKind() == CK_IntToOCLSampler) {
      check_constant(of);
    }
    return true;
  }

private:
  /// The program-scope variable that an expression names.
  static const VarDecl *program_scope_variable(const Expr *expression) {
    const auto *name = llvm::dyn_cast<DeclRefExpr>(expression->IgnoreParens());
    const auto *variable = name ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    return variable && variable->hasGlobalStorage() ? variable : nullptr;
  }

  /// The value of a sampler that is read. Clang makes no variable of a program-scope sampler, so what it was made of takes the
  /// place; and it does not see that C++'s choice between two of them is a read.
  Expr *value_of(Expr *read) {
    read = read->IgnoreParens();
    if (!read->isGLValue()) return read;
    const QualType type = read->getType().getUnqualifiedType();
    if (const VarDecl *variable = program_scope_variable(read))
      if (const Expr *made = variable->getAnyInitializer()) return const_cast<Expr *>(made);
    if (auto *choice = llvm::dyn_cast<ConditionalOperator>(read))
      return new (*context_) ConditionalOperator(choice->getCond(), choice->getQuestionLoc(), value_of(choice->getTrueExpr()),
                                                 choice->getColonLoc(), value_of(choice->getFalseExpr()),
                                                 context_->OCLSamplerTy, VK_PRValue, OK_Ordinary);
    return ImplicitCastExpr::Create(*context_, type, CK_LValueToRValue, read, nullptr, VK_PRValue, FPOptionsOverride());
  }

  /// "A variable of sampler_t type declared in the program source must be initialized with a 32-bit unsigned integer constant"
  void check_constant(const Expr *value) {
    Expr::EvalResult result;
    if (value->isValueDependent() || (value->EvaluateAsInt(result, *context_) && !result.HasSideEffects)) return;
    diagnostics_.Report(value->getExprLoc(),
                        diagnostics_.getCustomDiagID(DiagnosticsEngine::Error,
                                                     "a sampler is made of a constant of 32 bits; this value is not known at "
                                                     "compile time (pass the sampler as an argument of the kernel)"));
  }

  DiagnosticsEngine &diagnostics_;
  ASTContext *context_ = nullptr;
};

}  // namespace

std::unique_ptr<ASTConsumer> with_sampler_values(std::unique_ptr<ASTConsumer> generator, CompilerInstance &clang) {
  std::vector<std::unique_ptr<ASTConsumer>> consumers;
  consumers.push_back(std::make_unique<SamplerValues>(clang.getDiagnostics()));
  consumers.push_back(std::move(generator));
  return std::make_unique<MultiplexConsumer>(std::move(consumers));
}

}  // namespace upsweep::compiler
