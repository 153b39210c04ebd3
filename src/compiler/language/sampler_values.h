// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samplers that a program writes as integers: Clang generates no code for values that it cannot compute, nor for program-scope
// samplers that are copied or operands of ?:.
#ifndef UPSWEEP_COMPILER_LANGUAGE_SAMPLER_VALUES_H
#define UPSWEEP_COMPILER_LANGUAGE_SAMPLER_VALUES_H

#include "clang/Frontend/CompilerInstance.h"

#include <memory>

namespace upsweep::compiler {

/// Before `generator` sees a declaration, rejects samplers whose values are not constants, and replaces reads of program-scope
/// samplers by their values.
std::unique_ptr<clang::ASTConsumer> with_sampler_values(std::unique_ptr<clang::ASTConsumer> generator,
                                                        clang::CompilerInstance &clang);

}  // namespace upsweep::compiler
#endif
