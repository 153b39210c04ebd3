// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rejects, with the location in the source, code that kernels never need and that would run when a program is built or loaded.
// UPSWEEP_ALLOW_UNSAFE_SOURCE permits it.
#ifndef UPSWEEP_COMPILER_SAFETY_UNSAFE_SOURCE_H
#define UPSWEEP_COMPILER_SAFETY_UNSAFE_SOURCE_H

#include "compiler/options.h"

#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"

#include <memory>

namespace upsweep::compiler {

/// Reports the attribute if it affects symbols, sections or code that runs at load time.
void refuse_unsafe(clang::CompilerInstance &clang, const clang::Attr &attribute);

/// Reports "%0 is not supported" for declarations that are assembly or linker options.
void refuse_unsafe(clang::CompilerInstance &clang, clang::SourceLocation where, llvm::StringRef what);

/// Runs after `generator` has made the module: turns its constructors into initial values, and reports other unsafe constructs
/// (unsafe_module.h) with locations in the source.
std::unique_ptr<clang::ASTConsumer> unsafe_module_check(clang::CompilerInstance &clang, clang::CodeGenerator &generator,
                                                        const Options &options, bool for_cpu);

}  // namespace upsweep::compiler
#endif
