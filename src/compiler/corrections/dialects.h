// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dialects of OpenCL C that public programs use but Clang's parser rejects; each is a row of restrictions.def.
#ifndef UPSWEEP_COMPILER_CORRECTIONS_DIALECTS_H
#define UPSWEEP_COMPILER_CORRECTIONS_DIALECTS_H

#include "compiler/options.h"

namespace upsweep::compiler {

/// The options of this thread's build, for functions that Clang calls without context.
class DialectScope {
public:
  explicit DialectScope(const Options &options);
  DialectScope(const DialectScope &) = delete;
  DialectScope &operator=(const DialectScope &) = delete;
  ~DialectScope();
};

}  // namespace upsweep::compiler
#endif
