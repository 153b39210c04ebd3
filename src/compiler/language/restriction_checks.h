// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rejects constructs that OpenCL C forbids but Clang accepts, with their location in the source.
#ifndef UPSWEEP_COMPILER_LANGUAGE_RESTRICTION_CHECKS_H
#define UPSWEEP_COMPILER_LANGUAGE_RESTRICTION_CHECKS_H

#include "compiler/options.h"

#include "clang/Frontend/CompilerInstance.h"

#include <memory>

namespace upsweep::compiler {

/// Checks each declaration of the program before `generator` sees it, so no code is generated for rejected declarations, and
/// checks macros that the program defines. Skips the compiler's own headers.
std::unique_ptr<clang::ASTConsumer> with_restrictions(std::unique_ptr<clang::ASTConsumer> generator,
                                                      clang::CompilerInstance &clang, const Options &options);

/// Reports a forbidden construct as the options demand.
void report(clang::CompilerInstance &clang, const Options &options, Restriction restriction, clang::SourceLocation where,
            llvm::StringRef what = {});
void report(const clang::LangOptions &language, clang::DiagnosticsEngine &diagnostics, const Options &options,
            Restriction restriction, clang::SourceLocation where, llvm::StringRef what);

}  // namespace upsweep::compiler
#endif
