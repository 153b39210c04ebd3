// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/syntax_walk.h"

#include "clang/AST/RecursiveASTVisitor.h"

namespace upsweep::compiler {

class SyntaxWalk::Visitor : public clang::RecursiveASTVisitor<Visitor> {
public:
  explicit Visitor(SyntaxWalk &walk) : walk_(walk) {}

  bool shouldVisitTemplateInstantiations() const { return walk_.extent_ == Extent::kCode; }
  bool shouldVisitImplicitCode() const { return walk_.extent_ == Extent::kCode; }

  bool VisitAttr(clang::Attr *attribute) { return walk_.visit(*attribute), true; }
  bool VisitDecl(clang::Decl *declaration) { return walk_.visit(*declaration), true; }
  bool VisitStmt(clang::Stmt *statement) { return walk_.visit(*statement), true; }
  bool VisitTypeLoc(clang::TypeLoc type) { return walk_.visit(type), true; }

private:
  SyntaxWalk &walk_;
};

void SyntaxWalk::walk(clang::Decl &declaration) { Visitor(*this).TraverseDecl(&declaration); }

bool SyntaxWalk::HandleTopLevelDecl(clang::DeclGroupRef group) {
  for (clang::Decl *declaration : group) walk(*declaration);
  return true;
}

}  // namespace upsweep::compiler
