// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vector_logic.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/MultiplexConsumer.h"

namespace upsweep::compiler {
namespace {

class Rewriter : public clang::ASTConsumer, public clang::RecursiveASTVisitor<Rewriter> {
public:
  void Initialize(clang::ASTContext &context) override { context_ = &context; }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group) TraverseDecl(declaration);
    return true;
  }

  bool shouldTraversePostOrder() const { return true; }  // initialisers before their variables

  bool VisitBinaryOperator(clang::BinaryOperator *operation) {
    if (!operation->isLogicalOp() || !operation->getType()->isExtVectorType()) return true;
    operation->setLHS(is_not_zero(operation->getLHS(), operation->getType()));
    operation->setRHS(is_not_zero(operation->getRHS(), operation->getType()));
    operation->setOpcode(operation->getOpcode() == clang::BO_LAnd ? clang::BO_And : clang::BO_Or);
    found_ = true;
    return true;
  }

  /// C++ evaluates initialisers as it meets them; each may depend on one that was wrong.
  bool VisitVarDecl(clang::VarDecl *variable) {
    clang::EvaluatedStmt *evaluated = found_ ? variable->getEvaluatedStmt() : nullptr;
    if (!evaluated || !evaluated->WasEvaluated) return true;
    evaluated->WasEvaluated = false;
    evaluated->Evaluated = clang::APValue();
    return true;
  }

private:
  clang::Expr *is_not_zero(clang::Expr *operand, clang::QualType mask) {
    const clang::QualType vector = operand->getType().getUnqualifiedType();
    const clang::QualType element = vector->castAs<clang::VectorType>()->getElementType();
    const clang::SourceLocation where = operand->getExprLoc();
    clang::Expr *zero = nullptr;
    if (element->isFloatingType())
      zero = clang::FloatingLiteral::Create(*context_, llvm::APFloat::getZero(context_->getFloatTypeSemantics(element)), true,
                                            element, where);
    else
      zero = clang::IntegerLiteral::Create(*context_, llvm::APInt::getZero(context_->getIntWidth(element)), element, where);
    zero = clang::ImplicitCastExpr::Create(*context_, vector, clang::CK_VectorSplat, zero, nullptr, clang::VK_PRValue, {});
    return clang::BinaryOperator::Create(*context_, operand, zero, clang::BO_NE, mask, clang::VK_PRValue, clang::OK_Ordinary,
                                         where, {});
  }

  clang::ASTContext *context_ = nullptr;
  bool found_ = false;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> with_vector_logic(std::unique_ptr<clang::ASTConsumer> generator) {
  std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
  consumers.push_back(std::make_unique<Rewriter>());
  consumers.push_back(std::move(generator));
  return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
}

}  // namespace upsweep::compiler
