// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samplers that a program writes as integers: Clang has no code for values that it cannot compute, and none for program-scope
// samplers that are copied or chosen from.
#ifndef UPSWEEP_COMPILER_LANGUAGE_SAMPLER_VALUES_H
#define UPSWEEP_COMPILER_LANGUAGE_SAMPLER_VALUES_H

#include "clang/Frontend/CompilerInstance.h"

#include <memory>

namespace upsweep::compiler {

/// Refuses samplers made of values that are no constants, and replaces reads of program-scope samplers by their values, before
/// `generator` sees a declaration.
std::unique_ptr<clang::ASTConsumer> with_sampler_values(std::unique_ptr<clang::ASTConsumer> generator,
                                                        clang::CompilerInstance &clang);

}  // namespace upsweep::compiler
#endif
