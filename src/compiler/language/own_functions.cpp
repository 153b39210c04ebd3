// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang calls this when all other look-ups of a name, including its own built-in functions, have failed.
#include "compiler/language/own_functions.h"

#include "compiler/embedded/embedded_files.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringSwitch.h"

namespace upsweep::compiler {
namespace {

using namespace clang;

QualType image_type(const ASTContext &context, llvm::StringRef access) {
  return llvm::StringSwitch<QualType>(access)
      .Case("read_only", context.OCLImage2dROTy)
      .Case("write_only", context.OCLImage2dWOTy)
      .Case("read_write", context.OCLImage2dRWTy);
}

/// Parses "uint4", "ulong".
QualType value_type(const ASTContext &context, llvm::StringRef word) {
  const llvm::StringRef element = word.rtrim("0123456789");
  const QualType type = llvm::StringSwitch<QualType>(element)
                            .Case("void", context.VoidTy)
                            .Case("char", context.CharTy)
                            .Case("uchar", context.UnsignedCharTy)
                            .Case("short", context.ShortTy)
                            .Case("ushort", context.UnsignedShortTy)
                            .Case("int", context.IntTy)
                            .Case("uint", context.UnsignedIntTy)
                            .Case("long", context.LongTy)
                            .Case("ulong", context.UnsignedLongTy)
                            .Case("half", context.HalfTy)
                            .Case("float", context.FloatTy)
                            .Case("double", context.DoubleTy);
  unsigned width = 1;
  const bool is_vector = !word.drop_front(element.size()).getAsInteger(10, width);
  return is_vector ? context.getExtVectorType(type, width) : type;
}

/// Parses "volatile global int *": qualifiers, a type and an optional star; and "read_only image2d_t".
QualType type_of(const ASTContext &context, llvm::StringRef text) {
  if (llvm::StringRef access = text; access.consume_back(" image2d_t")) return image_type(context, access);
  const bool is_pointer = text.consume_back("*");
  Qualifiers qualifiers;
  if (is_pointer) qualifiers.setAddressSpace(LangAS::opencl_generic);
  QualType type;
  llvm::SmallVector<llvm::StringRef, 4> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef word : words) {
    const auto space = llvm::StringSwitch<LangAS>(word)
                           .Case("global", LangAS::opencl_global)
                           .Case("local", LangAS::opencl_local)
                           .Case("private", LangAS::opencl_private)
                           .Case("constant", LangAS::opencl_constant)
                           .Default(LangAS::Default);
    if (space != LangAS::Default)
      qualifiers.setAddressSpace(space);
    else if (word == "const")
      qualifiers.addConst();
    else if (word == "volatile")
      qualifiers.addVolatile();
    else
      type = value_type(context, word);
  }
  return is_pointer ? context.getPointerType(context.getQualifiedType(type, qualifiers)) : type;
}

class OwnFunctions : public ExternalSemaSource {
public:
  void InitializeSema(Sema &sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }

  bool LookupUnqualified(LookupResult &found, Scope *) override {
    // A program's own declaration of the name is not a redeclaration of a function here.
    const IdentifierInfo *name = found.getLookupName().getAsIdentifierInfo();
    if (!sema_ || !name || found.getLookupKind() != Sema::LookupOrdinaryName || found.isForRedeclaration()) return false;
    bool is_found = false;
    llvm::SmallVector<llvm::StringRef, 0> lines;
    list_.split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (const llvm::StringRef line : lines) {
      llvm::SmallVector<llvm::StringRef, 8> fields;  // extension, result, name, parameters
      line.split(fields, ',');
      if (fields[2] != name->getName() || !sema_->getPreprocessor().isMacroDefined(fields[0])) continue;
      found.addDecl(declare(found, fields[1], llvm::ArrayRef(fields).drop_front(3)));
      is_found = true;
    }
    if (is_found) found.resolveKind();
    return is_found;
  }

private:
  FunctionDecl *declare(const LookupResult &name, llvm::StringRef result, llvm::ArrayRef<llvm::StringRef> parameters) {
    ASTContext &context = sema_->Context;
    llvm::SmallVector<QualType, 4> types;
    for (const llvm::StringRef parameter : parameters) types.push_back(type_of(context, parameter));
    FunctionProtoType::ExtProtoInfo information;
    const QualType type = context.getFunctionType(type_of(context, result), types, information);
    const SourceLocation where = name.getNameLoc();
    auto *function = FunctionDecl::Create(context, context.getTranslationUnitDecl(), where, where, name.getLookupName(), type,
                                          /*TInfo=*/nullptr, SC_Extern, /*UsesFPIntrin=*/false, /*isInlineSpecified=*/false,
                                          /*hasWrittenPrototype=*/true);
    function->setImplicit();
    llvm::SmallVector<ParmVarDecl *, 4> declarations;
    for (const QualType each : types) {
      declarations.push_back(ParmVarDecl::Create(context, function, {}, {}, nullptr, each, nullptr, SC_None, nullptr));
      declarations.back()->setScopeInfo(0, static_cast<unsigned>(declarations.size() - 1));
    }
    function->setParams(declarations);
    if (!context.getLangOpts().OpenCLCPlusPlus) function->addAttr(OverloadableAttr::CreateImplicit(context));
    return function;
  }

  const llvm::StringRef list_ = own_functions_list();
  Sema *sema_ = nullptr;
};

}  // namespace

llvm::IntrusiveRefCntPtr<ExternalSemaSource> own_functions() { return llvm::makeIntrusiveRefCnt<OwnFunctions>(); }

}  // namespace upsweep::compiler
