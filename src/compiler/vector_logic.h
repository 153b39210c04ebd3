// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// && and || of vectors that are constant ("Logical Operators": -1 in each component where the result is true).
#ifndef UPSWEEP_COMPILER_VECTOR_LOGIC_H
#define UPSWEEP_COMPILER_VECTOR_LOGIC_H

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace upsweep::compiler {

/// Writes a && b of vectors as a != 0 & b != 0, and || likewise, before `generator` sees it: the code is the same, but Clang's
/// evaluation of constants makes the logical operators 1 where they are true. What the parser itself evaluates, as an array's
/// length in OpenCL C or a static_assert in C++, is out of reach.
std::unique_ptr<clang::ASTConsumer> with_vector_logic(std::unique_ptr<clang::ASTConsumer> generator);

}  // namespace upsweep::compiler

#endif
