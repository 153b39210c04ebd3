// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -cl-single-precision-constant: "treat double precision floating-point constant as single precision constant".
#ifndef UPSWEEP_COMPILER_LANGUAGE_SINGLE_CONSTANTS_H
#define UPSWEEP_COMPILER_LANGUAGE_SINGLE_CONSTANTS_H

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace upsweep::compiler {

/// Rounds the double constants of each declaration to float before `generator` sees it. Clang inserts casts to float, but where
/// a constant is used as a double, the next cast replaces that cast, and the digits beyond float's precision come back.
std::unique_ptr<clang::ASTConsumer> with_single_constants(std::unique_ptr<clang::ASTConsumer> generator);

}  // namespace upsweep::compiler

#endif
