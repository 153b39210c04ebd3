// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk over the syntax tree with virtual functions. Clang's RecursiveASTVisitor is a template that takes ten seconds to
// compile and 200 KB of code for each class, so all checks share one.
#ifndef UPSWEEP_COMPILER_LANGUAGE_SYNTAX_WALK_H
#define UPSWEEP_COMPILER_LANGUAGE_SYNTAX_WALK_H

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/TypeLoc.h"

namespace upsweep::compiler {

class SyntaxWalk : public clang::ASTConsumer {
public:
  /// kCode adds the instances of templates and the code that Clang implies, such as casts and special member functions.
  enum class Extent { kSource, kCode };

  explicit SyntaxWalk(Extent extent) : extent_(extent) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

protected:
  void walk(clang::Decl &declaration);

private:
  class Visitor;
  /// Each is called once for every node, parents first.
  virtual void visit(clang::Attr &) {}
  virtual void visit(clang::Decl &) {}
  virtual void visit(clang::Stmt &) {}
  virtual void visit(clang::TypeLoc) {}

  const Extent extent_;
};

}  // namespace upsweep::compiler
#endif
