// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are declared inline.
#ifndef UPSWEEP_COMPILER_LANGUAGE_INLINE_KERNELS_H
#define UPSWEEP_COMPILER_LANGUAGE_INLINE_KERNELS_H

#include "clang/Frontend/CompilerInstance.h"

#include <memory>

namespace upsweep::compiler {

/// Removes `inline` from each kernel before `generator` sees it. `inline` affects calls within the program, but the host
/// creates the kernel by name, and Clang drops inline functions that the program does not call. Warns about kernels that the
/// host cannot find for other reasons.
std::unique_ptr<clang::ASTConsumer> with_inline_kernels(std::unique_ptr<clang::ASTConsumer> generator,
                                                        clang::CompilerInstance &clang);

}  // namespace upsweep::compiler
#endif
