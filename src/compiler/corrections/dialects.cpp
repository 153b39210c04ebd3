// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's parser calls these instead of its own analysis (--wrap, see CMakeLists.txt).
#include "compiler/corrections/dialects.h"

#include "compiler/language/restriction_checks.h"

#include "clang/Sema/DeclSpec.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"

#define DECLARATOR "_ZN5clang4Sema15ActOnDeclaratorEPNS_5ScopeERNS_10DeclaratorE"
#define CALL "_ZN5clang4Sema13ActOnCallExprEPNS_5ScopeEPNS_4ExprENS_14SourceLocationEN4llvm15MutableArrayRefIS4_EES5_S4_"
#define CALL_IN_TEMPLATE                                                                                                       \
  "_ZN5clang4Sema13BuildCallExprEPNS_5ScopeEPNS_4ExprENS_14SourceLocationEN4llvm15MutableArrayRefIS4_EES5_S4_bb"

namespace upsweep::compiler {
namespace {

thread_local const Options *current_options = nullptr;

}  // namespace

DialectScope::DialectScope(const Options &options) { current_options = &options; }
DialectScope::~DialectScope() { current_options = nullptr; }

}  // namespace upsweep::compiler

namespace clang {

using upsweep::compiler::Restriction;

Decl *clang_declarator(Sema &, Scope *, Declarator &) asm("__real_" DECLARATOR);
Decl *declarator(Sema &, Scope *, Declarator &) asm("__wrap_" DECLARATOR);
ExprResult clang_call(Sema &, Scope *, Expr *, SourceLocation, MultiExprArg, SourceLocation, Expr *) asm("__real_" CALL);
ExprResult call(Sema &, Scope *, Expr *, SourceLocation, MultiExprArg, SourceLocation, Expr *) asm("__wrap_" CALL);
ExprResult clang_call(Sema &, Scope *, Expr *, SourceLocation, MultiExprArg, SourceLocation, Expr *, bool,
                      bool) asm("__real_" CALL_IN_TEMPLATE);
ExprResult call(Sema &, Scope *, Expr *, SourceLocation, MultiExprArg, SourceLocation, Expr *, bool,
                bool) asm("__wrap_" CALL_IN_TEMPLATE);

namespace {

void report(Sema &sema, Restriction restriction, SourceLocation where, llvm::StringRef what) {
  if (upsweep::compiler::current_options)
    upsweep::compiler::report(sema.getLangOpts(), sema.Diags, *upsweep::compiler::current_options, restriction, where, what);
}

bool is_in_work_group_memory(const ASTContext &context, QualType type) {
  const LangAS space = context.getBaseElementType(type).getAddressSpace();
  return space == LangAS::opencl_local || space == LangAS::opencl_constant;
}

/// Whether a declaration's specifiers have the local or constant address space, possibly through a typedef.
bool names_work_group_memory(const ASTContext &context, const DeclSpec &specifiers) {
  for (const ParsedAttr &attribute : specifiers.getAttributes())
    if (attribute.getKind() == ParsedAttr::AT_OpenCLLocalAddressSpace ||
        attribute.getKind() == ParsedAttr::AT_OpenCLConstantAddressSpace)
      return true;
  return specifiers.getTypeSpecType() == DeclSpec::TST_typename &&
         is_in_work_group_memory(context, Sema::GetTypeFromParser(specifiers.getRepAsType()));
}

/// "Variables allocated in the __local address space inside a kernel function must occur at kernel function scope", and those
/// in __constant. Clang makes them static variables in any scope; only its analysis checks the scope.
Decl *declare_in_inner_scope(Sema &sema, Scope *scope, Declarator &declarator) {
  const unsigned flags = scope->getFlags();
  scope->setFlags(flags | Scope::FnScope);
  Decl *declaration = clang_declarator(sema, scope, declarator);
  scope->setFlags(flags);
  const auto *variable = llvm::dyn_cast_or_null<VarDecl>(declaration);
  if (variable && !variable->isInvalidDecl() && is_in_work_group_memory(sema.Context, variable->getType()))
    report(sema, Restriction::kInnerScope, variable->getLocation(), variable->getName());
  return declaration;
}

/// Whether a function's first parameter is a pointer to the type.
bool points_to(const NamedDecl &declaration, const BuiltinType &type) {
  const auto *function = llvm::dyn_cast<FunctionDecl>(&declaration);
  if (!function || function->getNumParams() == 0) return false;
  const auto *pointer = function->getParamDecl(0)->getType()->getAs<PointerType>();
  return pointer && pointer->getPointeeType()->getAs<BuiltinType>() == &type;
}

/// The function `atom_add` for a call of `atomic_add` with a pointer to 64 bits, as cl_khr_int64_base_atomics names it. Null
/// for other calls.
Expr *function_of_64_bits(Sema &sema, Expr *function, MultiExprArg arguments) {
  const auto *named = llvm::dyn_cast<UnresolvedLookupExpr>(function->IgnoreParens());
  if (!named || arguments.empty() || !named->getName().isIdentifier()) return nullptr;
  llvm::StringRef name = named->getName().getAsIdentifierInfo()->getName();
  const auto *pointer = arguments[0]->getType()->getAs<PointerType>();
  if (!pointer || !name.consume_front("atomic_")) return nullptr;
  const auto *pointee = pointer->getPointeeType()->getAs<BuiltinType>();
  if (!pointee || (pointee->getKind() != BuiltinType::Long && pointee->getKind() != BuiltinType::ULong)) return nullptr;
  // The program may define a function of that name.
  if (!llvm::all_of(named->decls(), [](const NamedDecl *each) { return each->isImplicit(); })) return nullptr;
  IdentifierInfo &other = sema.Context.Idents.get(("atom_" + name).str());
  LookupResult found(sema, &other, function->getExprLoc(), Sema::LookupOrdinaryName);
  if (!sema.LookupName(found, sema.TUScope, /*AllowBuiltinCreation=*/true)) return nullptr;
  // Without the extension it has only 32-bit overloads.
  if (llvm::none_of(found, [&](const NamedDecl *each) { return points_to(*each, *pointee); })) return nullptr;
  const ExprResult made = sema.BuildDeclarationNameExpr(CXXScopeSpec(), found, /*NeedsADL=*/false);
  if (!made.isUsable()) return nullptr;
  report(sema, Restriction::kAtomicNames, function->getExprLoc(), name);
  return made.get();
}

}  // namespace

Decl *declarator(Sema &sema, Scope *scope, Declarator &declarator) {
  const bool is_inner =
      sema.getCurFunctionDecl() && !scope->isFunctionScope() && names_work_group_memory(sema.Context, declarator.getDeclSpec());
  return is_inner ? declare_in_inner_scope(sema, scope, declarator) : clang_declarator(sema, scope, declarator);
}

ExprResult call(Sema &sema, Scope *scope, Expr *function, SourceLocation left, MultiExprArg arguments, SourceLocation right,
                Expr *configuration) {
  if (Expr *other = function_of_64_bits(sema, function, arguments)) function = other;
  return clang_call(sema, scope, function, left, arguments, right, configuration);
}

ExprResult call(Sema &sema, Scope *scope, Expr *function, SourceLocation left, MultiExprArg arguments, SourceLocation right,
                Expr *configuration, bool is_configuration, bool recovers) {
  if (Expr *other = function_of_64_bits(sema, function, arguments)) function = other;
  return clang_call(sema, scope, function, left, arguments, right, configuration, is_configuration, recovers);
}

}  // namespace clang
