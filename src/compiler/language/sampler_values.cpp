// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/sampler_values.h"

#include "compiler/language/syntax_walk.h"

#include "clang/AST/Expr.h"
#include "clang/Frontend/MultiplexConsumer.h"

namespace upsweep::compiler {
namespace {

using namespace clang;

class SamplerValues : public SyntaxWalk {
public:
  // Code is generated for each instance of a template.
  explicit SamplerValues(DiagnosticsEngine &diagnostics) : SyntaxWalk(Extent::kCode), diagnostics_(diagnostics) {}

  void Initialize(ASTContext &context) override { context_ = &context; }

private:
  void visit(Decl &declaration) override {
    auto *variable = llvm::dyn_cast<VarDecl>(&declaration);
    if (!variable || !variable->getType()->isSamplerT()) return;
    if (Expr *value = variable->getInit(); value && value->isGLValue()) variable->setInit(value_of(value));
  }

  void visit(Stmt &statement) override {
    if (auto *call = llvm::dyn_cast<CallExpr>(&statement))
      read_arguments(*call);
    else if (auto *cast = llvm::dyn_cast<ImplicitCastExpr>(&statement))
      replace(*cast);
  }

  /// An argument that is the result of C++'s ?: has no cast.
  void read_arguments(CallExpr &call) {
    for (unsigned i = 0; i < call.getNumArgs(); ++i)
      if (Expr *argument = call.getArg(i); argument->getType()->isSamplerT() && argument->isGLValue())
        call.setArg(i, value_of(argument));
  }

  void replace(ImplicitCastExpr &cast) {
    Expr *of = cast.getSubExpr();
    if (of->getType()->isSamplerT() && of->isGLValue()) {
      if (cast.getCastKind() == CK_LValueToRValue && !program_scope_variable(of)) return;
      cast.setSubExpr(value_of(of));
      cast.setCastKind(CK_NoOp);
    } else if (cast.getCastKind() == CK_IntToOCLSampler) {
      check_constant(of);
    }
  }

  /// The program-scope variable that an expression names; null if there is none.
  static const VarDecl *program_scope_variable(const Expr *expression) {
    const auto *name = llvm::dyn_cast<DeclRefExpr>(expression->IgnoreParens());
    const auto *variable = name ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    return variable && variable->hasGlobalStorage() ? variable : nullptr;
  }

  /// The value of a sampler that is read. Clang generates no variable for a program-scope sampler, so its initialiser replaces
  /// it. Clang also misses that C++'s ?: of two samplers is a read.
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
                                                     "a sampler needs a 32-bit constant; this value is not known at "
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
