// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built-in functions that Clang does not declare: rows UPSWEEP_OWN_OVERLOADS of builtins/functions.def.
#ifndef UPSWEEP_COMPILER_LANGUAGE_OWN_FUNCTIONS_H
#define UPSWEEP_COMPILER_LANGUAGE_OWN_FUNCTIONS_H

#include "clang/Sema/ExternalSemaSource.h"

namespace upsweep::compiler {

/// Declares the overloads of a name when a program uses it and has no declaration of its own. A header with all of them would
/// cost each build more time than its parsing takes, and would clash with functions of programs.
llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource> own_functions();

}  // namespace upsweep::compiler
#endif
