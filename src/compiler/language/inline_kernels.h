// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are declared inline.
#ifndef UPSWEEP_COMPILER_LANGUAGE_INLINE_KERNELS_H
#define UPSWEEP_COMPILER_LANGUAGE_INLINE_KERNELS_H

#include "clang/Frontend/CompilerInstance.h"

#include <memory>

namespace upsweep::compiler {

/// Takes `inline` away from each kernel before `generator` sees it. The word says how to compile calls of the kernel in the
/// program; the host creates it by its name. Clang drops inline functions that nothing in the program calls. A kernel that the
/// host cannot find for another reason has a warning.
std::unique_ptr<clang::ASTConsumer> with_inline_kernels(std::unique_ptr<clang::ASTConsumer> generator,
                                                        clang::CompilerInstance &clang);

}  // namespace upsweep::compiler
#endif
