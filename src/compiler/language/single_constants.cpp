// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/single_constants.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/MultiplexConsumer.h"

namespace upsweep::compiler {
namespace {

class Rounder : public clang::ASTConsumer, public clang::RecursiveASTVisitor<Rounder> {
public:
  void Initialize(clang::ASTContext &context) override { context_ = &context; }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group) TraverseDecl(declaration);
    return true;
  }
  bool VisitFloatingLiteral(clang::FloatingLiteral *literal) {
    if (!literal->getType()->isSpecificBuiltinType(clang::BuiltinType::Double)) return true;
    llvm::APFloat value = literal->getValue();
    bool inexact = false;
    value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    literal->setValue(*context_, value);
    return true;
  }

private:
  clang::ASTContext *context_ = nullptr;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> with_single_constants(std::unique_ptr<clang::ASTConsumer> generator) {
  std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
  consumers.push_back(std::make_unique<Rounder>());
  consumers.push_back(std::move(generator));
  return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
}

}  // namespace upsweep::compiler
