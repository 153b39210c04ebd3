// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Corrections of Clang 19's analysis of OpenCL C. Clang has no hooks for them, so the linker replaces its functions by these
// (--wrap, see CMakeLists.txt). docs/decisions/sema-corrections.md has the reasons.
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaOpenCL.h"

// Member functions take the object as their first argument.
#define BINARY_OPERATOR "_ZN5clang4Sema10ActOnBinOpEPNS_5ScopeENS_14SourceLocationENS_3tok9TokenKindEPNS_4ExprES7_"
#define BINARY_OPERATOR_IN_TEMPLATE                                                                                            \
  "_ZN5clang4Sema10BuildBinOpEPNS_5ScopeENS_14SourceLocationENS_18BinaryOperatorKindEPNS_4ExprES6_"
#define AS_TYPE "_ZN5clang4Sema15ActOnAsTypeExprEPNS_4ExprENS_9OpaquePtrINS_8QualTypeEEENS_14SourceLocationES6_"
#define PIPE_ACCESS "_ZN5clang10SemaOpenCL18checkBuiltinRWPipeEPNS_8CallExprE"
#define AS_TYPE_IN_TEMPLATE "_ZN5clang4Sema15BuildAsTypeExprEPNS_4ExprENS_8QualTypeENS_14SourceLocationES4_"

namespace clang {

ExprResult clang_binary_operator(Sema &, Scope *, SourceLocation, tok::TokenKind, Expr *,
                                 Expr *) asm("__real_" BINARY_OPERATOR);
ExprResult binary_operator(Sema &, Scope *, SourceLocation, tok::TokenKind, Expr *, Expr *) asm("__wrap_" BINARY_OPERATOR);

ExprResult clang_binary_operator(Sema &, Scope *, SourceLocation, BinaryOperatorKind, Expr *,
                                 Expr *) asm("__real_" BINARY_OPERATOR_IN_TEMPLATE);
ExprResult binary_operator(Sema &, Scope *, SourceLocation, BinaryOperatorKind, Expr *,
                           Expr *) asm("__wrap_" BINARY_OPERATOR_IN_TEMPLATE);

ExprResult as_type(Sema &, Expr *, ParsedType, SourceLocation, SourceLocation) asm("__wrap_" AS_TYPE);
ExprResult clang_as_type(Sema &, Expr *, QualType, SourceLocation, SourceLocation) asm("__real_" AS_TYPE_IN_TEMPLATE);
ExprResult as_type(Sema &, Expr *, QualType, SourceLocation, SourceLocation) asm("__wrap_" AS_TYPE_IN_TEMPLATE);

bool clang_pipe_access(SemaOpenCL &, CallExpr *) asm("__real_" PIPE_ACCESS);
bool pipe_access(SemaOpenCL &, CallExpr *) asm("__wrap_" PIPE_ACCESS);

namespace {

Expr *is_not_zero(ASTContext &context, Expr *operand, QualType mask) {
  const QualType vector = operand->getType().getUnqualifiedType();
  const QualType element = vector->castAs<VectorType>()->getElementType();
  const SourceLocation where = operand->getExprLoc();
  Expr *zero = nullptr;
  if (element->isFloatingType())
    zero =
        FloatingLiteral::Create(context, llvm::APFloat::getZero(context.getFloatTypeSemantics(element)), true, element, where);
  else
    zero = IntegerLiteral::Create(context, llvm::APInt::getZero(context.getIntWidth(element)), element, where);
  zero = ImplicitCastExpr::Create(context, vector, CK_VectorSplat, zero, nullptr, VK_PRValue, {});
  return BinaryOperator::Create(context, operand, zero, BO_NE, mask, VK_PRValue, OK_Ordinary, where, {});
}

/// Turns a && b of vectors into a != 0 & b != 0, and similarly ||. The generated code is the same, but Clang's constant
/// evaluation gives 1 where OpenCL C has -1 ("Logical Operators").
ExprResult with_mask(Sema &sema, ExprResult result) {
  auto *operation = result.isUsable() ? llvm::dyn_cast<BinaryOperator>(result.get()) : nullptr;
  if (!operation || !operation->isLogicalOp() || !operation->getType()->isExtVectorType()) return result;
  operation->setLHS(is_not_zero(sema.Context, operation->getLHS(), operation->getType()));
  operation->setRHS(is_not_zero(sema.Context, operation->getRHS(), operation->getType()));
  operation->setOpcode(operation->getOpcode() == BO_LAnd ? BO_And : BO_Or);
  return result;
}

/// Turns a == b of queues or events, for which Clang generates invalid code, into a call that the prelude declares
/// (compiler/language/language.cpp). These types have no order.
ExprResult with_handles(Sema &sema, ExprResult result) {
  auto *operation = result.isUsable() ? llvm::dyn_cast<BinaryOperator>(result.get()) : nullptr;
  if (!operation || !operation->isComparisonOp()) return result;
  const QualType type = operation->getLHS()->getType();
  if (!type->isQueueT() && !type->isClkEventT()) return result;
  const SourceLocation where = operation->getOperatorLoc();
  if (!operation->isEqualityOp()) {
    ExprResult left = operation->getLHS(), right = operation->getRHS();
    sema.InvalidOperands(where, left, right);
    return ExprError();
  }
  LookupResult found(sema, &sema.Context.Idents.get("__same_handle"), where, Sema::LookupOrdinaryName);
  if (!sema.LookupName(found, sema.TUScope)) return result;
  const ExprResult function = sema.BuildDeclarationNameExpr(CXXScopeSpec(), found, /*NeedsADL=*/false);
  if (!function.isUsable()) return ExprError();
  Expr *operands[] = {operation->getLHS(), operation->getRHS()};
  const ExprResult call = sema.BuildCallExpr(nullptr, function.get(), where, operands, where);
  if (!call.isUsable() || operation->getOpcode() == BO_EQ) return call;
  return sema.CreateBuiltinUnaryOp(where, UO_LNot, call.get());
}

bool has_bits(QualType type) {
  return type->isDependentType() || type->isArithmeticType() || type->isExtVectorType() || type->isAnyPointerType();
}

}  // namespace

ExprResult binary_operator(Sema &sema, Scope *scope, SourceLocation where, tok::TokenKind kind, Expr *left, Expr *right) {
  return with_handles(sema, with_mask(sema, clang_binary_operator(sema, scope, where, kind, left, right)));
}

ExprResult binary_operator(Sema &sema, Scope *scope, SourceLocation where, BinaryOperatorKind kind, Expr *left, Expr *right) {
  return with_handles(sema, with_mask(sema, clang_binary_operator(sema, scope, where, kind, left, right)));
}

ExprResult as_type(Sema &sema, Expr *operand, ParsedType type, SourceLocation begin, SourceLocation end) {
  return as_type(sema, operand, Sema::GetTypeFromParser(type), begin, end);
}

/// Clang asks for the operand's size, and crashes if it has none: a misspelled name, an overloaded function's name, an
/// incomplete struct, a template parameter. It generates invalid code for a whole struct or an array.
ExprResult as_type(Sema &sema, Expr *operand, QualType type, SourceLocation begin, SourceLocation end) {
  ExprResult resolved = sema.CorrectDelayedTyposInExpr(operand);
  if (resolved.isUsable()) resolved = sema.CheckPlaceholderExpr(resolved.get());
  if (!resolved.isUsable()) return ExprError();
  for (const QualType each : {resolved.get()->getType(), type})
    if (!has_bits(each))
      return sema.Diag(begin, sema.Diags.getCustomDiagID(DiagnosticsEngine::Error,
                                                         "as_type() converts numbers, vectors and pointers, not %0"))
             << each.getUnqualifiedType();
  if (type->isDependentType()) return new (sema.Context) AsTypeExpr(resolved.get(), type, VK_PRValue, OK_Ordinary, begin, end);
  return clang_as_type(sema, resolved.get(), type, begin, end);
}

/// Clang requires a pointer for the packet of read_pipe() and write_pipe() and rejects an array, which "is converted to an
/// expression with type pointer" like any operand (C99, 6.3.2.1).
bool pipe_access(SemaOpenCL &sema, CallExpr *call) {
  const unsigned last = call->getNumArgs() - 1;
  if (call->getNumArgs() > 0 && call->getArg(last)->getType()->isArrayType()) {
    const ExprResult pointer = sema.SemaRef.DefaultFunctionArrayConversion(call->getArg(last));
    if (!pointer.isUsable()) return true;
    call->setArg(last, pointer.get());
  }
  return clang_pipe_access(sema, call);
}

}  // namespace clang
