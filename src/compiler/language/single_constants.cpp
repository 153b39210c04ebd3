// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/single_constants.h"

#include "compiler/language/syntax_walk.h"

#include "clang/AST/Expr.h"
#include "clang/Frontend/MultiplexConsumer.h"

namespace upsweep::compiler {
namespace {

class Rounder : public SyntaxWalk {
public:
  Rounder() : SyntaxWalk(Extent::kSource) {}
  void Initialize(clang::ASTContext &context) override { context_ = &context; }

private:
  void visit(clang::Stmt &statement) override {
    auto *literal = llvm::dyn_cast<clang::FloatingLiteral>(&statement);
    if (!literal || !literal->getType()->isSpecificBuiltinType(clang::BuiltinType::Double)) return;
    llvm::APFloat value = literal->getValue();
    bool inexact = false;
    value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    literal->setValue(*context_, value);
  }

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
