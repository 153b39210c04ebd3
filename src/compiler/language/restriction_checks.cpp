// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traverses the syntax tree once. Checks restrictions.def, which options may permit, and other rules that Clang's analysis
// misses, with Clang's messages. Each check quotes its rule.
#include "compiler/language/restriction_checks.h"

#include "compiler/language/source_files.h"
#include "compiler/language/syntax_walk.h"
#include "compiler/safety/unsafe_source.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

#include <set>

namespace upsweep::compiler {
namespace {

using namespace clang;

bool is_users(const SourceManager &sources, SourceLocation where) {
  return where.isValid() && !sources.getFilename(sources.getExpansionLoc(where)).starts_with(kOwnHeaders);
}

bool is_number(llvm::StringRef text) {
  return !text.empty() && text[0] != '0' && text.find_first_not_of("0123456789") == text.npos;
}

/// "Keywords" and "Reserved Data Types", except those in Clang's grammar and names of two words.
bool is_reserved(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kNames[] = {"uniform",   "quad",        "sampler_t",    "event_t",           "queue_t",
                                                   "ndrange_t", "clk_event_t", "reserve_id_t", "cl_mem_fence_flags"};
  static constexpr llvm::StringLiteral kElements[] = {"bool", "char",  "uchar", "short", "ushort", "int", "uint",
                                                      "long", "ulong", "half",  "float", "double", "quad"};
  if (llvm::is_contained(kNames, name)) return true;
  for (const llvm::StringRef element : kElements) {
    if (!name.starts_with(element)) continue;
    const auto [rows, columns] = name.drop_front(element.size()).split('x');
    const bool is_matrix = (element == "float" || element == "double") && is_number(columns);
    if (is_number(rows) && (is_matrix || name.size() == element.size() + rows.size())) return true;
  }
  return false;
}

class Checker : public SyntaxWalk {
public:
  Checker(CompilerInstance &clang, const Options &options) : SyntaxWalk(Extent::kSource), clang_(clang), options_(options) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      if (is_users(clang_.getSourceManager(), declaration->getLocation())) walk(*declaration);
    return true;
  }

private:
  template <class Kind, class Node>
  static void check_kind(Node &node, auto check) {
    if (auto *of_kind = llvm::dyn_cast<Kind>(&node)) check(of_kind);
  }

  void visit(Decl &node) override {
    check_kind<FileScopeAsmDecl>(node,
                                 [this](auto *each) { check_unsafe(each->getAsmLoc(), "assembly outside of functions"); });
    check_kind<PragmaCommentDecl>(node, [this](auto *each) { check_unsafe(each->getLocation(), "an option for the linker"); });
    check_kind<NamedDecl>(node, [this](auto *each) { check_name(each); });
    check_kind<VarDecl>(node, [this](auto *each) { check_variable(each); });
    check_kind<ParmVarDecl>(node, [this](auto *each) { check_parameter(each); });
    check_kind<FieldDecl>(node, [this](auto *each) { check_field(each); });
    check_kind<FunctionDecl>(node, [this](auto *each) { check_function(each); });
  }

  void visit(Stmt &node) override {
    check_kind<PredefinedExpr>(node, [this](auto *each) {
      refuse(Restriction::kPredefinedIdentifiers, each->getLocation(), each->getIdentKindName());
    });
    check_kind<ImaginaryLiteral>(node, [this](auto *each) { refuse(Restriction::kComplex, each->getBeginLoc()); });
    check_kind<UnaryOperator>(node, [this](auto *each) { check_operation(each); });
    check_kind<BinaryOperator>(node, [this](auto *each) { check_operation(each); });
    check_kind<ConditionalOperator>(node, [this](auto *each) { check_selection(each); });
    check_kind<UnaryExprOrTypeTraitExpr>(node, [this](auto *each) { check_size(each); });
    check_kind<CastExpr>(node, [this](auto *each) { check_cast(each); });
  }

  void visit(TypeLoc type) override {
    if (const auto number = type.getAs<BuiltinTypeLoc>()) check_number(number);
    if (const auto complex = type.getAs<ComplexTypeLoc>()) refuse(Restriction::kComplex, complex.getBeginLoc());
    if (const auto pointer = type.getAs<PointerTypeLoc>()) check_pointer(pointer);
  }

  // Code that runs at load time, or attributes that affect the object file (unsafe_source.h)

  void visit(Attr &attribute) override {
    if (!options_.allow_unsafe_source) refuse_unsafe(clang_, attribute);
  }

  void check_unsafe(SourceLocation where, llvm::StringRef what) {
    if (!options_.allow_unsafe_source) refuse_unsafe(clang_, where, what);
  }

  /// No code would run the destructor. Objects in local memory are not destroyed ("Construction, initialization and
  /// destruction").
  void check_variable(VarDecl *variable) {
    const QualType type = variable->getType();
    if (!options_.allow_unsafe_source && variable->hasGlobalStorage() && type.getAddressSpace() != LangAS::opencl_local &&
        !type->isDependentType() && variable->needsDestruction(clang_.getASTContext()) != QualType::DK_none)
      refuse_unsafe(clang_, variable->getLocation(),
                    "'" + variable->getNameAsString() + "': a program-scope object with a destructor");
  }

  // Types

  void check_number(BuiltinTypeLoc type) {
    const BuiltinType::Kind kind = type.getTypePtr()->getKind();
    if (kind == BuiltinType::LongLong || kind == BuiltinType::ULongLong) refuse(Restriction::kLongLong, type.getBeginLoc());
    if (kind == BuiltinType::LongDouble) refuse(Restriction::kLongDouble, type.getBeginLoc());
  }

  /// "The event type cannot be used with the __local, __constant and __global address space qualifiers."
  void check_pointer(PointerTypeLoc type) {
    const QualType pointee = type.getPointeeLoc().getType();
    const LangAS space = pointee.getAddressSpace();
    if (pointee->isEventT() &&
        (space == LangAS::opencl_global || space == LangAS::opencl_local || space == LangAS::opencl_constant))
      refuse(Restriction::kEventTypes, type.getBeginLoc());
  }

  // Declarations

  void check_name(NamedDecl *declaration) {
    const IdentifierInfo *name = declaration->getIdentifier();
    if (name && !declaration->isImplicit() && is_reserved(name->getName()))
      refuse(Restriction::kReservedNames, declaration->getLocation(), name->getName());
  }

  void check_field(FieldDecl *field) {
    const QualType type = field->getType();
    const auto *array = clang_.getASTContext().getAsConstantArrayType(type);
    const bool is_last = !field->getNextDeclInContext() || !llvm::isa<FieldDecl>(field->getNextDeclInContext());
    if (type->isIncompleteArrayType()) refuse(Restriction::kFlexibleArrayMembers, field->getLocation());
    if (array && array->getSize().isZero() && is_last) refuse(Restriction::kZeroLengthArrays, field->getLocation());
    // "The event type cannot be used to declare a structure or union field": Clang checks the field's type, but not array
    // elements.
    const QualType element = clang_.getASTContext().getBaseElementType(type);
    if (element != type && element->isEventT()) refuse(Restriction::kEventTypes, field->getLocation());
  }

  void check_parameter(ParmVarDecl *parameter) {
    // "Pointers to functions are not allowed": a parameter declared as a function is such a pointer.
    const auto &extensions = clang_.getSema().getOpenCLOptions();
    if (parameter->getOriginalType()->isFunctionType() &&
        !extensions.isAvailableOption("__cl_clang_function_pointers", clang_.getLangOpts()))
      refuse(Restriction::kFunctionParameters, parameter->getLocation());
  }

  /// "The clk_event_t, ndrange_t and reserve_id_t types cannot be used as arguments to kernel functions": Clang does not check
  /// clk_event_t.
  void check_function(FunctionDecl *function) {
    if (!function->hasAttr<OpenCLKernelAttr>()) return;
    for (const ParmVarDecl *parameter : function->parameters())
      if (parameter->getType()->isClkEventT())
        clang_.getDiagnostics().Report(parameter->getLocation(), diag::err_bad_kernel_param_type) << parameter->getType();
  }

  // Expressions

  void check_operation(UnaryOperator *operation) {
    const llvm::StringRef sign = UnaryOperator::getOpcodeStr(operation->getOpcode());
    if (operation->isIncrementDecrementOp() && operation->getType()->isRealFloatingType())
      refuse(Restriction::kFloatIncrement, operation->getOperatorLoc(), sign);
    if (operation->isIncrementDecrementOp()) check_assigned(operation->getSubExpr(), operation->getOperatorLoc());
    if (operation->getOpcode() == UO_AddrOf && is_vector_literal(operation->getSubExpr()))
      clang_.getDiagnostics().Report(operation->getOperatorLoc(), diag::err_typecheck_invalid_lvalue_addrof)
          << operation->getSubExpr()->getType();
  }

  void check_operation(BinaryOperator *operation) {
    if (operation->isAssignmentOp()) check_assigned(operation->getLHS(), operation->getOperatorLoc());
  }

  /// "Blocks cannot be used as expressions of the ternary selection operator": Clang rejects the operator's result instead, and
  /// then crashes.
  void check_selection(ConditionalOperator *selection) {
    if (selection->getType()->isBlockPointerType())
      clang_.getDiagnostics().Report(selection->getQuestionLoc(), diag::err_opencl_ternary_with_block);
  }

  /// "A Block's size may not be computed at compile time."
  void check_size(UnaryExprOrTypeTraitExpr *size) {
    if (size->getKind() == UETT_SizeOf && size->getTypeOfArgument()->isBlockPointerType())
      error(size->getBeginLoc(), "invalid application of 'sizeof' to a block");
  }

  /// "OpenCL C does not support operators with atomic types": Clang generates invalid code for reads.
  void check_cast(CastExpr *cast) {
    if (cast->getCastKind() == CK_AtomicToNonAtomic)
      error(cast->getExprLoc(), "atomic types can only be used with the atomic functions");
  }

  void refuse(Restriction restriction, SourceLocation where, llvm::StringRef what = {}) {
    // The type in `long long a, b;` is visited twice.
    if (is_users(clang_.getSourceManager(), where) && said_.insert({restriction, where.getRawEncoding()}).second)
      report(clang_, options_, restriction, where, what);
  }

  template <size_t n>
  void error(SourceLocation where, const char (&text)[n]) {
    DiagnosticsEngine &diagnostics = clang_.getDiagnostics();
    diagnostics.Report(where, diagnostics.getCustomDiagID(DiagnosticsEngine::Error, text));
  }

  /// "A vector literal cannot be used as an l-value." Clang treats it as a compound literal, (int2){1, 2}, which is an l-value.
  void check_assigned(const Expr *target, SourceLocation where) {
    if (is_vector_literal(target)) refuse(Restriction::kLiteralAssignment, where);
  }

  bool is_vector_literal(const Expr *expression) const {
    expression = expression->IgnoreParenImpCasts();
    while (const auto *component = llvm::dyn_cast<ExtVectorElementExpr>(expression))
      expression = component->getBase()->IgnoreParenImpCasts();
    const auto *literal = llvm::dyn_cast<CompoundLiteralExpr>(expression);
    if (!literal || !literal->getType()->isExtVectorType()) return false;
    const auto *list = llvm::dyn_cast<InitListExpr>(literal->getInitializer());
    const SourceManager &sources = clang_.getSourceManager();
    return list && list->getLBraceLoc().isValid() &&
           *sources.getCharacterData(sources.getSpellingLoc(list->getLBraceLoc())) == '(';
  }

  CompilerInstance &clang_;
  const Options &options_;
  std::set<std::pair<Restriction, SourceLocation::UIntTy>> said_;
};

class MacroChecker : public PPCallbacks {
public:
  MacroChecker(CompilerInstance &clang, const Options &options) : clang_(clang), options_(options) {}

  void MacroDefined(const Token &name, const MacroDirective *macro) override {
    if (macro->getMacroInfo()->isVariadic() && is_users(clang_.getSourceManager(), name.getLocation()))
      report(clang_, options_, Restriction::kVariadicMacros, name.getLocation());
  }

private:
  CompilerInstance &clang_;
  const Options &options_;
};

}  // namespace

std::unique_ptr<ASTConsumer> with_restrictions(std::unique_ptr<ASTConsumer> generator, CompilerInstance &clang,
                                               const Options &options) {
  // "The sizeof operator shall not be applied to an expression that has function type": by default Clang ignores this
  // extension.
  clang.getDiagnostics().setSeverity(diag::ext_sizeof_alignof_function_type, diag::Severity::Error, {});
  clang.getPreprocessor().addPPCallbacks(std::make_unique<MacroChecker>(clang, options));
  std::vector<std::unique_ptr<ASTConsumer>> consumers;
  consumers.push_back(std::make_unique<Checker>(clang, options));
  consumers.push_back(std::move(generator));
  return std::make_unique<MultiplexConsumer>(std::move(consumers));
}

void report(CompilerInstance &clang, const Options &options, Restriction restriction, SourceLocation where,
            llvm::StringRef what) {
  report(clang.getLangOpts(), clang.getDiagnostics(), options, restriction, where, what);
}

void report(const LangOptions &language, DiagnosticsEngine &diagnostics, const Options &options, Restriction restriction,
            SourceLocation where, llvm::StringRef what) {
  const RestrictionRule &of = rule(restriction);
  if (language.OpenCLCPlusPlus ? !of.in_cpp : language.OpenCLVersion >= of.below) return;
  const Treatment treatment = options.treatments.of(restriction);
  // -w and -Werror do not affect messages that are not Clang's.
  if (treatment == Treatment::kPermitted || (treatment == Treatment::kWarned && diagnostics.getIgnoreAllWarnings())) return;
  const auto level = treatment == Treatment::kRefused ? DiagnosticIDs::Error : DiagnosticIDs::Warning;
  diagnostics.Report(where, diagnostics.getDiagnosticIDs()->getCustomDiagID(level, message_format(restriction, treatment)))
      << what;
}

}  // namespace upsweep::compiler
