// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks functions with code in the module. Functions without code, such as uncalled static functions, are looked up in the
// syntax tree, except in C++, where functions that are evaluated only at compile time have no code either.
#include "compiler/language/recursion_check.h"

#include "compiler/language/recursion.h"
#include "compiler/language/restriction_checks.h"

#include "clang/Analysis/CallGraph.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace upsweep::compiler {
namespace {

using namespace clang;

class RecursionChecker : public ASTConsumer {
public:
  RecursionChecker(CompilerInstance &clang, CodeGenerator &generator, const Options &options)
      : clang_(clang), generator_(generator), options_(options) {}

  void HandleTranslationUnit(ASTContext &context) override {
    if (!generator_.GetModule()) return;
    check_code();
    if (!clang_.getLangOpts().OpenCLCPlusPlus) check_unused(*context.getTranslationUnitDecl());
  }

private:
  void check_code() {
    for (const Recursion &recursion : find_recursion(*generator_.GetModule())) {
      SourceLocation where;
      std::vector<std::string> names;
      for (const llvm::Function *function : recursion) {
        const NamedDecl *known = declaration(*function);
        names.push_back(known ? known->getQualifiedNameAsString() : source_name(*function));
        if (known && where.isInvalid()) where = known->getLocation();
      }
      report(clang_, options_, Restriction::kRecursion, where, describe_recursion(names));
    }
  }

  void check_unused(TranslationUnitDecl &unit) {
    llvm::SmallPtrSet<const Decl *, 32> with_code;
    for (const llvm::Function &function : *generator_.GetModule())
      if (const NamedDecl *known = declaration(function)) with_code.insert(known->getCanonicalDecl());
    clang::CallGraph graph;
    // C has no functions in others. A walk over the tree, addToCallGraph(), would be compiled here for seven seconds.
    for (Decl *each : unit.decls())
      if (auto *function = llvm::dyn_cast<FunctionDecl>(each)) graph.VisitFunctionDecl(function);
    for (auto group = llvm::scc_begin(&graph); !group.isAtEnd(); ++group) {
      if (!group.hasCycle()) continue;
      SourceLocation where;
      std::vector<std::string> names;
      bool is_unused = true;
      for (const CallGraphNode *node : *group) {
        const auto *function = llvm::dyn_cast_or_null<FunctionDecl>(node->getDecl());
        is_unused &= function && !with_code.contains(function->getCanonicalDecl());
        if (!is_unused) break;
        names.push_back(function->getNameAsString());
        where = function->getLocation();
      }
      if (is_unused) report(clang_, options_, Restriction::kRecursion, where, describe_recursion(names));
    }
  }

  /// Null for bodies of blocks.
  const NamedDecl *declaration(const llvm::Function &function) const {
    return llvm::dyn_cast_or_null<NamedDecl>(generator_.GetDeclForMangledName(function.getName()));
  }

  CompilerInstance &clang_;
  CodeGenerator &generator_;
  const Options &options_;
};

}  // namespace

std::unique_ptr<ASTConsumer> recursion_check(CompilerInstance &clang, CodeGenerator &generator, const Options &options) {
  return std::make_unique<RecursionChecker>(clang, generator, options);
}

}  // namespace upsweep::compiler
