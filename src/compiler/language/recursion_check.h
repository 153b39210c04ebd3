// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rejects recursion within one source, with its location.
#ifndef UPSWEEP_COMPILER_LANGUAGE_RECURSION_CHECK_H
#define UPSWEEP_COMPILER_LANGUAGE_RECURSION_CHECK_H

#include "compiler/options.h"

#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"

#include <memory>

namespace upsweep::compiler {

/// Runs after the code generator and checks its module.
std::unique_ptr<clang::ASTConsumer> recursion_check(clang::CompilerInstance &clang, clang::CodeGenerator &generator,
                                                    const Options &options);

}  // namespace upsweep::compiler
#endif
