// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refuses, where it stands in the source, what a kernel never needs and what would run when a program is built or loaded.
// UPSWEEP_ALLOW_UNSAFE_SOURCE permits it.
#ifndef UPSWEEP_COMPILER_SAFETY_UNSAFE_SOURCE_H
#define UPSWEEP_COMPILER_SAFETY_UNSAFE_SOURCE_H

#include "compiler/options.h"

#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"

#include <memory>

namespace upsweep::compiler {

/// Reports the attribute if it decides about symbols, sections or code that runs while loading.
void refuse_unsafe(clang::CompilerInstance &clang, const clang::Attr &attribute);

/// Reports "%0 is not supported" for declarations that are assembly or options for the linker.
void refuse_unsafe(clang::CompilerInstance &clang, clang::SourceLocation where, llvm::StringRef what);

/// After `generator` has made the module: its constructors become initial values, and the rest of unsafe_module.h is reported
/// with places in the source.
std::unique_ptr<clang::ASTConsumer> unsafe_module_check(clang::CompilerInstance &clang, clang::CodeGenerator &generator,
                                                        const Options &options, bool for_cpu);

}  // namespace upsweep::compiler
#endif
