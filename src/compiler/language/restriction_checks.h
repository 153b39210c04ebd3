// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refuses constructs that OpenCL C forbids and Clang accepts, at their place in the source.
#ifndef UPSWEEP_COMPILER_LANGUAGE_RESTRICTION_CHECKS_H
#define UPSWEEP_COMPILER_LANGUAGE_RESTRICTION_CHECKS_H

#include "compiler/options.h"

#include "clang/Frontend/CompilerInstance.h"

#include <memory>

namespace upsweep::compiler {

/// Checks each declaration of the program before `generator` sees it, which then makes no code of refused ones, and the macros
/// that it defines. The compiler's own headers are left alone.
std::unique_ptr<clang::ASTConsumer> with_restrictions(std::unique_ptr<clang::ASTConsumer> generator,
                                                      clang::CompilerInstance &clang, const Options &options);

/// Says that something is forbidden, as the options have it.
void report(clang::CompilerInstance &clang, const Options &options, Restriction restriction, clang::SourceLocation where,
            llvm::StringRef what = {});
void report(const clang::LangOptions &language, clang::DiagnosticsEngine &diagnostics, const Options &options,
            Restriction restriction, clang::SourceLocation where, llvm::StringRef what);

}  // namespace upsweep::compiler
#endif
