// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built-in functions that Clang does not declare: the rows UPSWEEP_OWN_OVERLOADS of builtins/functions.def.
#ifndef UPSWEEP_COMPILER_LANGUAGE_OWN_FUNCTIONS_H
#define UPSWEEP_COMPILER_LANGUAGE_OWN_FUNCTIONS_H

#include "clang/Sema/ExternalSemaSource.h"

namespace upsweep::compiler {

/// Declares the overloads of a name when a program uses it without declaring it. A header with all overloads would take longer
/// than parsing the program, and could clash with the program's functions.
llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource> own_functions();

}  // namespace upsweep::compiler
#endif
